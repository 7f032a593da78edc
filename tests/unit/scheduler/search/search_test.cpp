// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "asked.hpp"
#include "scheduler/scheduler.hpp"
#include "tests/unit/scheduler/builders.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The GPUs by node that a plan gives each job of `problem`.
std::vector<Cells> cells_of(const Plan& plan, const SearchProblem& problem, int gpus_per_node) {
  std::vector<Cells> all;
  for (const SearchJob& job : problem.jobs) {
    std::map<std::int32_t, std::int32_t> by_node;
    for (const Target& target : plan.targets) {
      if (target.job != job.view().id) continue;
      for (const Slot& slot : std::get<Allocation>(target.gpus).slots) {
        ++by_node[static_cast<std::int32_t>(slot.gpu.value() / gpus_per_node)];
      }
    }
    Cells& cells = all.emplace_back();
    for (const auto& [node, gpus] : by_node) cells.push_back({node, gpus});
  }
  return all;
}

double cost_of(SearchProblem& problem, const std::vector<Cells>& cells) {
  double cost = 0.0;
  for (std::size_t i = 0; i < cells.size(); ++i) cost += problem.jobs[i].worth(cells[i]).cost;
  return cost;
}

/// The smallest cost of any assignment on two nodes of `per_node` GPUs, in which jobs `from` and
/// later get the rest.
double least_cost(SearchProblem& problem, std::size_t from, int left0, int left1, int spanning) {
  if (from == problem.jobs.size()) return 0.0;
  double least = std::numeric_limits<double>::infinity();
  for (int a = 0; a <= left0; ++a) {
    for (int b = 0; b <= left1; ++b) {
      const bool spans = a > 0 && b > 0;
      if (a + b > problem.jobs[from].most_gpus() || (spans && spanning > 0)) continue;
      Cells cells;
      if (a > 0) cells.push_back({0, a});
      if (b > 0) cells.push_back({1, b});
      least = std::min(least, problem.jobs[from].worth(cells).cost +
                                  least_cost(problem, from + 1, left0 - a, left1 - b,
                                             spanning + static_cast<int>(spans)));
    }
  }
  return least;
}

class SearchOptimum : public ::testing::TestWithParam<double> {};

// Compared with all assignments of two nodes of four GPUs to five jobs. Two of them run, and one
// may have only a few GPUs.
TEST_P(SearchOptimum, IsFound) {
  Asked asked(2, 4, 600);
  for (int i = 0; i < 5; ++i) asked.add(100.0 * i);
  asked.estimate.most[JobId{2}] = 1;
  asked.run(*asked.views[0], {0, 1, 2, 4});
  asked.run(*asked.views[1], {5});
  SearchRules rules;
  rules.power = GetParam();
  Search::Settings settings;
  settings.rules = rules;
  Search search(settings, 1);
  SearchProblem problem(asked.query(), rules);

  const Plan plan = search.plan(asked.query());

  const double found = cost_of(problem, cells_of(plan, problem, 4));
  const double least = least_cost(problem, 0, 4, 4, 0);
  EXPECT_NEAR(found / least, 1.0, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(ForExponents, SearchOptimum, ::testing::Values(1.0, 0.0, -1.0, -10.0));

TEST(Search, IsTheSameForTheSameSeed) {
  const auto plans = [](std::uint64_t seed) {
    Asked asked(4, 4, 600);
    for (int i = 0; i < 9; ++i) asked.add(50.0 * i);
    SearchProblem problem(asked.query(), {});
    Search::Settings settings;
    settings.generations = 3;
    Search search(settings, seed);
    std::vector<std::vector<Cells>> found;
    for (int i = 0; i < 3; ++i) found.push_back(cells_of(search.plan(asked.query()), problem, 4));
    return found;
  };

  EXPECT_EQ(plans(5), plans(5));
  EXPECT_NE(plans(5), plans(6));
}

// A job whose restarts equal its age would gain nothing from a change.
TEST(Search, LeavesJobsWhereTheyAreThatHaveRestartedOften) {
  Asked asked(2, 4, 600);
  asked.run(asked.add(), {1, 6});
  asked.views[0]->attempts = 21;
  Search search({}, 1);

  const Plan plan = search.plan(asked.query());

  ASSERT_THAT(plan.targets, SizeIs(1));
  EXPECT_THAT(gpus_of(std::get<Allocation>(plan.targets[0].gpus)), ElementsAre(1, 6));
}

TEST(Search, GivesARigidJobItsGangOrNothing) {
  Asked asked(2, 4, 600);
  for (int i = 0; i < 2; ++i) {
    JobView& job = asked.add();
    job.rigid = true;
    job.requested_gang = 6;
  }
  Search search({}, 1);

  const Plan plan = search.plan(asked.query());

  ASSERT_THAT(plan.targets, SizeIs(1));
  EXPECT_THAT(std::get<Allocation>(plan.targets[0].gpus).slots, SizeIs(6));
}

TEST(Search, KeepsToTheRangesOfGangs) {
  Asked asked(2, 4, 600);
  for (int i = 0; i < 2; ++i) {
    JobView& job = asked.add();
    job.gang_min = 3;
    job.gang_max = 4;
  }
  Search search({}, 1);

  const Plan plan = search.plan(asked.query());

  ASSERT_THAT(plan.targets, SizeIs(2));
  for (const Target& target : plan.targets) {
    EXPECT_THAT(std::get<Allocation>(target.gpus).slots,
                SizeIs(::testing::AllOf(::testing::Ge(3U), ::testing::Le(4U))));
  }
}

/// Pollux's row on two nodes of four GPUs.
class PolluxRounds {
 public:
  explicit PolluxRounds(const std::string& more = "")
      : scheduler_(shape(2, 4), policy("{preset: pollux" + more + "}")) {}

  Decision arrive(JobView view, double now) {
    view.arrival = at(now);
    return scheduler_.on_event(JobArrived{std::move(view)}, at(now));
  }
  Decision round(double now) { return scheduler_.on_event(Timer{}, at(now)); }
  /// What a job measures whose steps take 0.5 s on any number of GPUs.
  Decision report(int id, double now) {
    const JobView& view = scheduler_.job(JobId{id});
    JobSample sample;
    sample.end = at(now);
    sample.steps = 20;
    sample.gpus = view.gpus();
    sample.batch = view.batch;
    sample.step = seconds(0.5);
    ProgressReported report{view.attempt, {}, {sample}};
    report.progress.noise_scale = 1e6;
    (void)scheduler_.on_event(AttemptStarted{view.attempt}, at(now));
    return scheduler_.on_event(report, at(now));
  }
  /// All jobs that were asked to stop have stopped.
  void stop(const Decision& decision, double now) {
    for (const auto& stop : actions_of<StopAttempt>(decision)) {
      (void)scheduler_.on_event(AttemptEnded{stop.attempt, EndReason::preempted, "", 0}, at(now));
    }
  }
  [[nodiscard]] const JobView& job(int id) const { return scheduler_.job(JobId{id}); }

 private:
  Scheduler scheduler_;
};

TEST(PolluxRow, BeginsOnOneGpuWithTheReferenceBatchAndDoublesAtMost) {
  PolluxRounds rounds;
  (void)rounds.arrive(test::job(0, 8), 1);
  (void)rounds.round(60);
  EXPECT_EQ(rounds.job(0).gpus(), 1);
  EXPECT_EQ(rounds.job(0).batch, (BatchPlan{32, 1}));

  for (const int gpus : {2, 4, 8}) {
    const double now = 60.0 * gpus;
    (void)rounds.report(0, now - 1);
    rounds.stop(rounds.round(now), now + 1);
    EXPECT_EQ(rounds.job(0).gpus(), gpus);
  }
}

TEST(PolluxRow, RetunesBatchesWithoutARestart) {
  PolluxRounds rounds(", planner: {name: search, round: 1 h}");
  (void)rounds.arrive(test::job(0), 1);
  (void)rounds.round(3600);

  EXPECT_THAT(actions_of<RetuneBatch>(rounds.report(0, 3700)), IsEmpty());
  const Decision decision = rounds.report(0, 3800);

  EXPECT_THAT(actions_of<RetuneBatch>(decision), SizeIs(1));
  EXPECT_THAT(actions_of<StopAttempt>(decision), IsEmpty());
}

TEST(PolluxRow, KeepsTheBatchOfARigidJob) {
  PolluxRounds rounds;
  JobView view = test::job(0, 2);
  view.rigid = true;
  (void)rounds.arrive(view, 1);
  (void)rounds.round(60);
  EXPECT_EQ(rounds.job(0).gpus(), 2);
  EXPECT_EQ(rounds.job(0).batch.total(2), 64);

  EXPECT_THAT(rounds.report(0, 100).actions, IsEmpty());
}

TEST(PolluxRow, GoesWithoutJobsWhoseQuotaIsUsed) {
  PolluxRounds rounds(", admission: {name: quota, gpus: {default: 1}, borrow: false}");
  for (int id = 0; id < 3; ++id) (void)rounds.arrive(test::job(id), 1);

  const Decision decision = rounds.round(60);

  EXPECT_EQ(decision.refused_plan, "");
  EXPECT_THAT(actions_of<StartAttempt>(decision), SizeIs(1));
}

}  // namespace
}  // namespace mimus::scheduler::test
