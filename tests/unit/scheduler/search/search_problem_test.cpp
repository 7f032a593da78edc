// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/search_problem.hpp"

#include <gtest/gtest.h>

#include "asked.hpp"

namespace mimus::scheduler::test {
namespace {

/// (SPEEDUP × factor ÷ 4 GPUs per node + 1e-3)^p.
double fitness_part(double speedup, double factor, double p) {
  return std::pow(speedup * factor / 4 + 1e-3, p);
}

// Three jobs share 8 GPUs: SPEEDUP is relative to ⌈8 ÷ 3⌉ = 3 GPUs of one node. The second job
// arrived 70 s ago and has been restarted twice: (70 − 2·30) ÷ (70 + 30).
TEST(SearchProblem, CostsAreSpeedupsOverTheFairShareWithThePenaltyOfRestarts) {
  Asked asked(2, 4, 100);
  asked.add();
  JobView& restarted = asked.add(30);
  asked.add();
  asked.run(restarted, {0, 1});
  restarted.attempts = 3;
  SearchProblem problem(asked.query(), {});
  SearchJob& job = problem.jobs.back();  // with the most service
  ASSERT_EQ(job.view().id, restarted.id);
  const double fair = PowerLaw::speed(1, 3);

  EXPECT_NEAR(job.worth(Cells{{0, 2}}).cost, fitness_part(PowerLaw::speed(1, 2) / fair, 1.0, -1),
              1e-9);
  EXPECT_NEAR(job.worth(Cells{{1, 2}}).cost, fitness_part(PowerLaw::speed(1, 2) / fair, 0.1, -1),
              1e-9);
  EXPECT_NEAR(job.worth(Cells{{0, 2}, {1, 1}}).cost,
              fitness_part(PowerLaw::speed(2, 3) / fair, 0.1, -1), 1e-9);
  EXPECT_NEAR(job.worth(Cells{}).cost, 1000.0, 1e-9);
}

TEST(SearchProblem, TheExponentSaysHowSpeedupsAreAveraged) {
  Asked asked(2, 4, 1e9);  // long ago, so restarts cost nothing
  asked.add();
  const auto cost = [&](double p) {
    SearchRules rules;
    rules.power = p;
    return SearchProblem(asked.query(), rules).jobs.front().worth(Cells{{0, 2}}).cost;
  };
  const double speedup = PowerLaw::speed(1, 2) / PowerLaw::speed(1, 8);

  EXPECT_NEAR(cost(1), -fitness_part(speedup, 1, 1), 1e-6);
  EXPECT_NEAR(cost(0), -std::log(fitness_part(speedup, 1, 1)), 1e-6);
  EXPECT_NEAR(cost(-10) / fitness_part(speedup, 1, -10), 1.0, 1e-6);
}

TEST(SearchProblem, AJobOfWhichNothingIsBelievedGainsInProportion) {
  Asked asked(2, 4, 1e9);
  asked.estimate.unknown[asked.add().id] = true;
  asked.add();
  SearchProblem problem(asked.query(), {});

  EXPECT_NEAR(problem.jobs[0].worth(Cells{{0, 2}, {1, 4}}).cost, fitness_part(6.0 / 4, 1, -1),
              1e-6);
}

// At most 1,024 samples; a GPU takes 300.
TEST(SearchProblem, GpusAreLimitedByTheEstimateTheBatchAndTheCluster) {
  Asked asked(2, 4, 100);
  asked.add();
  asked.estimate.most[asked.add().id] = 2;
  JobView& large = asked.add();
  large.model.per_gpu_batch_min = 300;
  JobView& rigid = asked.add();
  rigid.rigid = true;
  rigid.requested_gang = 5;
  JobView& ranged = asked.add();
  ranged.gang_min = 3;
  ranged.gang_max = 6;
  asked.estimate.most[ranged.id] = 2;  // that it has yet to try
  SearchProblem problem(asked.query(), {});

  EXPECT_EQ(problem.jobs[4].least_gpus(), 3);
  EXPECT_EQ(problem.jobs[4].most_gpus(), 3);
  EXPECT_EQ(problem.jobs[0].most_gpus(), 8);
  EXPECT_EQ(problem.jobs[1].most_gpus(), 2);
  EXPECT_EQ(problem.jobs[2].most_gpus(), 3);
  EXPECT_EQ(problem.jobs[3].most_gpus(), 5);
  EXPECT_EQ(problem.jobs[3].least_gpus(), 5);
}

TEST(SearchProblem, JobsWithLittleServiceComeFirst) {
  Asked asked(2, 4, 100);
  asked.run(asked.add(), {0, 1});
  asked.run(asked.add(), {2});
  asked.add(50);
  asked.add(20);
  SearchProblem problem(asked.query(), {});
  std::vector<std::int64_t> order;
  for (const SearchJob& job : problem.jobs) order.push_back(job.view().id.value());

  EXPECT_EQ(order, (std::vector<std::int64_t>{3, 2, 1, 0}));
}

}  // namespace
}  // namespace mimus::scheduler::test
