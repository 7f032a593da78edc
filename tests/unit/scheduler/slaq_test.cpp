// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/slaq.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planned.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr double kBatch = 64.0;

/// After k steps of 64 samples the loss is 1 ÷ (k + 1), which falls by .5 in the first one. A step
/// takes 1 s ÷ GPUs. Of job 9 no loss is believed.
class OneOverK final : public Estimator {
 public:
  [[nodiscard]] std::string name() const override { return "1/(k+1)"; }
  [[nodiscard]] std::optional<double> throughput(const JobView&, const Allocation& allocation,
                                                 const BatchPlan&) const override {
    return kBatch * static_cast<double>(allocation.slots.size());
  }
  [[nodiscard]] std::optional<double> noise_scale(const JobView&) const override {
    return std::nullopt;
  }
  [[nodiscard]] const LossBelief* loss(const JobView& job) const override {
    return job.id == JobId{9} ? nullptr : &loss_;
  }

 private:
  LossBelief loss_{{.drop = 1.0, .rate = 1.0 / kBatch}, 0.5 / kBatch};
};

JobView after_steps(int id, double k) {
  JobView view = job(id);
  view.requested_batch = 64;
  view.model.per_gpu_batch_min = 1;
  view.progress.samples_done = kBatch * k;
  return view;
}

/// Since `since` on the first `gpus` GPUs.
JobView on_gpus(JobView view, int gpus, double since) {
  view.state = JobState::running;
  view.attempt = view.last_attempt = AttemptId{view.id.value()};
  view.running_since = at(since);
  for (int gpu = 0; gpu < gpus; ++gpu) view.allocation.slots.push_back({GpuId{gpu}, LaneId{gpu}});
  return view;
}

Sizes sizes(const std::vector<JobView>& jobs, int gpus, double now = 100.0) {
  Slaq slaq({});
  return planned(slaq, jobs, gpus, AcceptAll(), at(now), OneOverK());
}

// With T = 10 s a second GPU takes job 0 from 1/21 to 1/31, over .5: .0307; a third to 1/41: .0157.
// Job 1 would gain (1/111 − 1/121) ÷ .5 = .0015 by its second.
TEST(Slaq, GivesFourGpusToTwoJobsAsTheClosedForm) {
  EXPECT_THAT(sizes({after_steps(0, 10), after_steps(1, 100)}, 4),
              ElementsAre(Pair(0, 3), Pair(1, 1)));
}

// Marginals .0307 and .0157 (job 0), .0121 (job 1: 1/36 − 1/46) and .0096 (job 0: 1/41 − 1/51).
TEST(Slaq, GivesSixGpusToTwoJobsAsTheClosedForm) {
  const std::vector<JobView> jobs{after_steps(0, 10), after_steps(1, 25)};

  EXPECT_THAT(sizes(jobs, 3), ElementsAre(Pair(0, 2), Pair(1, 1)));
  EXPECT_THAT(sizes(jobs, 4), ElementsAre(Pair(0, 3), Pair(1, 1)));
  EXPECT_THAT(sizes(jobs, 5), ElementsAre(Pair(0, 3), Pair(1, 2)));
  EXPECT_THAT(sizes(jobs, 6), ElementsAre(Pair(0, 4), Pair(1, 2)));
}

TEST(Slaq, LeavesJobsOfWhichNoLossIsBelievedTheirOneGpu) {
  EXPECT_THAT(sizes({after_steps(9, 10)}, 4), ElementsAre(Pair(9, 1)));
}

TEST(Slaq, LeavesRigidJobsTheirGang) {
  JobView rigid = after_steps(0, 10);
  rigid.rigid = true;
  rigid.gang = rigid.requested_gang = 2;

  EXPECT_THAT(sizes({rigid, after_steps(1, 100)}, 6), ElementsAre(Pair(0, 2), Pair(1, 4)));
  EXPECT_THAT(sizes({after_steps(1, 100), rigid}, 2), ElementsAre(Pair(1, 2)));
}

// Without limits they have 4 and 2.
TEST(Slaq, KeepsToTheRangesOfGangs) {
  JobView first = after_steps(0, 10), second = after_steps(1, 25);
  first.gang_max = 2;
  EXPECT_THAT(sizes({first, second}, 6), ElementsAre(Pair(0, 2), Pair(1, 4)));

  second.gang_min = 3;
  first.gang_max = 9;
  EXPECT_THAT(sizes({first, second}, 4), ElementsAre(Pair(0, 1), Pair(1, 3)));
  EXPECT_THAT(sizes({first, second}, 3), ElementsAre(Pair(0, 3)));
}

// By its second pair job 0 goes from 1/31 to 1/51, over .5 and two GPUs: .0126. Job 1 gains less by
// its second GPU (.0015), but a third pair needs a GPU more than there is.
TEST(Slaq, GivesSplitModelsWholeReplicas) {
  JobView split = after_steps(0, 10);
  split.replica_gpus = 2;

  EXPECT_THAT(sizes({split, after_steps(1, 100)}, 6), ElementsAre(Pair(0, 4), Pair(1, 2)));
}

TEST(Slaq, ServesJobsInOrderOfArrivalWhileThereAreGpus) {
  EXPECT_THAT(sizes({after_steps(2, 1000), after_steps(0, 0), after_steps(1, 0)}, 2),
              ElementsAre(Pair(2, 1), Pair(0, 1)));
}

// Job 1 gains almost nothing by its third and second GPU, but has had them for 40 s only.
TEST(Slaq, LeavesAGangThatHasJustChangedAsItIs) {
  const std::vector<JobView> jobs{after_steps(0, 10), on_gpus(after_steps(1, 100), 3, 60.0)};

  EXPECT_THAT(sizes(jobs, 4, 100.0), ElementsAre(Pair(1, 3), Pair(0, 1)));
  EXPECT_THAT(sizes(jobs, 4, 110.0), ElementsAre(Pair(0, 3), Pair(1, 1)));
}

TEST(Slaq, NeedsAnEstimateOfThroughput) {
  EXPECT_THROW((void)policy("{planner: slaq, estimate: none}"), ConfigError);
  EXPECT_TRUE(policy("slaq").wants_samples());
  EXPECT_EQ(policy("slaq").label, "slaq");
}

}  // namespace
}  // namespace mimus::scheduler::test
