// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/ones/ones.hpp"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planned.hpp"
#include "scheduler/admission/quota.hpp"
#include "scheduler/planner/ones/ones_rules.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

// 1000 × 2 × (1/.5 − 1) ÷ 100 = 20, 500 × (1/.25 − 1) ÷ 50 = 30; 1000 ÷ 60 and 3000 ÷ 95.
TEST(OnesRules, SumWhatRemainsAsTheClosedForm) {
  EXPECT_DOUBLE_EQ(remaining_service(1000, 0.5, 2, 100), 20.0);
  EXPECT_DOUBLE_EQ(remaining_service(500, 0.25, 1, 50), 30.0);
  EXPECT_NEAR(remaining_service(1000, 0.5, 1, 60) + remaining_service(500, 0.25, 2, 95), 48.25,
              0.005);
}

TEST(OnesRules, CutALongRunningJobBack) {
  EXPECT_EQ(cut_back(32, 3 * 3600.0, 3600.0), 16);  // 2 × 32 ÷ (3 + 1)
  EXPECT_EQ(cut_back(32, 4 * 3600.0, 3600.0), 12);  // 12.8
  EXPECT_EQ(cut_back(8, 20 * 3600.0, 3600.0), 2);   // less than 1, then even
}

// .1 on one GPU and .4 at the most: with 8 GPUs .4 and half of the batch.
TEST(OnesRules, HoldLearningRateAndBatchTogether) {
  EXPECT_DOUBLE_EQ(0.1 * learning_rate(8, 0.4 / 0.1), 0.4);
  EXPECT_DOUBLE_EQ(per_gpu_batch(128, 8, 0.4 / 0.1), 64.0);
  EXPECT_DOUBLE_EQ(0.1 * learning_rate(3, 0.4 / 0.1), 0.3);
  EXPECT_DOUBLE_EQ(per_gpu_batch(128, 3, 0.4 / 0.1), 128.0);
}

// The user's 64 samples on two GPUs are 32 on each; the model takes 1,024 at the most.
TEST(OnesRules, GiveEachGpuWhatTheUserGivesIt) {
  JobView view = job(0, 2);
  view.requested_gang = 2;
  const BatchLimits limits = limits_within(view.model, Bytes{16e9});

  EXPECT_EQ(ones_batch(view, 1, limits), (BatchPlan{32, 1}));
  EXPECT_EQ(ones_batch(view, 8, limits), (BatchPlan{32, 1}));
  EXPECT_EQ(ones_batch(view, 64, limits), (BatchPlan{16, 1}));
  view.rigid = true;
  EXPECT_EQ(ones_batch(view, 2, limits), (BatchPlan{32, 1}));
}

TEST(OnesRules, TakeTheMiddleRunTime) {
  EXPECT_EQ(median_of({}), 0.0);
  const std::vector<double> values{9.0, 1.0, 5.0};
  EXPECT_EQ(median_of(values), 5.0);
}

/// Remains 1 ÷ GPUs × `service`, so that more GPUs are always better.
OnesJob trained(double service, int limit, int most) {
  OnesJob job;
  job.limit = limit;
  job.most = most;
  job.mutates = true;
  job.remaining = [service](int gpus) { return service / gpus; };
  return job;
}
OnesJob fresh() {
  OnesJob job = trained(0.0, 1, 4);
  job.is_new = true;
  job.mutates = false;
  return job;
}

// Of 8 GPUs the new jobs get one each, then job 1, of which less remains than of job 0, what it may
// have now, then job 0 the same; what is left goes to job 1 until it has 4 in all.
TEST(Evolution, FillsASchedule) {
  RandomStream random(1, "evolution test");
  const std::vector<OnesJob> jobs{trained(9, 2, 4), trained(5, 2, 4), fresh(), fresh()};

  EXPECT_THAT(Evolution(jobs, 8, random).refreshed({0, 0, 0, 0}), ElementsAre(2, 4, 1, 1));
  EXPECT_THAT(Evolution(jobs, 5, random).refreshed({0, 0, 0, 0}), ElementsAre(1, 2, 1, 1));
  EXPECT_THAT(Evolution(jobs, 3, random).refreshed({3, 0, 0, 0}), ElementsAre(2, 0, 1, 0));
  EXPECT_THAT(Evolution(jobs, 99, random).refreshed({0, 0, 0, 0}), ElementsAre(4, 4, 1, 1));
}

TEST(Evolution, GivesARigidJobItsGangOrNothing) {
  RandomStream random(1, "evolution test");
  OnesJob rigid = trained(1, 4, 4);
  rigid.least = 4;
  const std::vector<OnesJob> jobs{trained(9, 8, 8), rigid};

  EXPECT_THAT(Evolution(jobs, 8, random).refreshed({0, 3}), ElementsAre(4, 4));
  EXPECT_THAT(Evolution(jobs, 3, random).refreshed({0, 3}), ElementsAre(3, 0));
}

TEST(Evolution, MakesSchedulesThatFitBestFirst) {
  RandomStream random(3, "evolution test");
  const std::vector<OnesJob> jobs{trained(9, 4, 8), trained(5, 2, 8), fresh(), trained(2, 8, 8)};
  Evolution evolution(jobs, 8, random);
  std::vector<Schedule> generation{{0, 0, 0, 0}};
  for (int round = 0; round < 30; ++round) {
    generation = evolution.next(generation, 16, 0.3);
    ASSERT_LE(generation.size(), 16U);
    for (const Schedule& schedule : generation) {
      EXPECT_LE(std::accumulate(schedule.begin(), schedule.end(), 0), 8);
      EXPECT_LE(evolution.score(generation.front()), evolution.score(schedule));
    }
  }
}

/// 100 samples/s on one GPU, 60 more on each other; as much is left of a job as it has done.
class Linear final : public Estimator {
 public:
  [[nodiscard]] std::string name() const override { return "linear"; }
  [[nodiscard]] std::optional<double> throughput(const JobView&, const Allocation& allocation,
                                                 const BatchPlan&) const override {
    return 40.0 + 60.0 * static_cast<double>(allocation.slots.size());
  }
  [[nodiscard]] std::optional<double> noise_scale(const JobView&) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::optional<double> samples_left(const JobView& job) const override {
    return job.progress.samples_done;
  }
};

JobView waiting(int id, int gang = 2) {
  JobView view = job(id, gang);
  view.requested_gang = gang;
  view.epoch_samples = 1000.0;
  return view;
}
JobView running(JobView view, int gpus, double epochs) {
  view.state = JobState::running;
  view.attempt = view.last_attempt = AttemptId{view.id.value()};
  view.first_start = at(0);
  view.progress.samples_done = 1000.0 * epochs;
  for (int gpu = 0; gpu < gpus; ++gpu) view.allocation.slots.push_back({GpuId{gpu}, LaneId{gpu}});
  return view;
}

TEST(Ones, BeginsJobsOnOneGpu) {
  Ones ones({}, 1);

  EXPECT_THAT(planned(ones, {waiting(0), waiting(1)}, 8, AcceptAll(), at(0), Linear()),
              ElementsAre(Pair(0, 1), Pair(1, 1)));
}

// A job on one GPU of eight may have as many as four times what its user asked for, two, once it
// has trained for an epoch since its last change; before, it stays as it is and a job that waits
// takes a free GPU.
TEST(Ones, ChangesAGangThatHasTrainedForAnEpoch) {
  Ones ones({}, 1);
  (void)planned(ones, {waiting(0)}, 8, AcceptAll(), at(0), Linear());
  (void)planned(ones, {running(waiting(0), 1, 0.1)}, 8, AcceptAll(), at(1), Linear());

  EXPECT_THAT(
      planned(ones, {running(waiting(0), 1, 0.9), waiting(1)}, 8, AcceptAll(), at(2), Linear()),
      ElementsAre(Pair(0, 1), Pair(1, 1)));
  const auto later = planned(ones, {running(waiting(0), 1, 3.0)}, 8, AcceptAll(), at(3), Linear());
  EXPECT_THAT(later, ElementsAre(Pair(0, 8)));
}

// Of the eight that the schedule holds for it.
TEST(Ones, GivesWhatAQuotaLeaves) {
  const Quota quota({.quotas = {{"default", 3}}, .others = {}});
  Ones ones({}, 1);
  (void)planned(ones, {running(waiting(0), 1, 0.1)}, 8, quota, at(0), Linear());

  EXPECT_THAT(planned(ones, {running(waiting(0), 1, 3.0)}, 8, quota, at(1), Linear()),
              ElementsAre(Pair(0, 3)));
}

TEST(Ones, GivesNothingWhileAllNodesAreDown) {
  Ones ones({}, 1);
  (void)planned(ones, {running(waiting(0), 1, 3.0)}, 8, AcceptAll(), at(0), Linear());
  JobView fallen_back = running(waiting(0), 0, 3.0);
  fallen_back.state = JobState::queued;

  const auto plan = planned(ones, {fallen_back}, 0, AcceptAll(), at(1), Linear());
  EXPECT_THAT(plan, testing::IsEmpty());
}

TEST(Ones, PlansTheSameForASeed) {
  const auto plans = [](std::uint64_t seed) {
    Ones ones({}, seed);
    std::vector<Sizes> all;
    for (int second = 0; second < 20; ++second) {
      const std::vector<JobView> jobs{running(waiting(0), 2, 3.0 + second), waiting(1),
                                      running(waiting(2), 1, 2.0 + second), waiting(3)};
      all.push_back(planned(ones, jobs, 4, AcceptAll(), at(second), Linear()));
    }
    return all;
  };
  EXPECT_EQ(plans(5), plans(5));
}

TEST(Ones, IsAPreset) {
  EXPECT_EQ(policy("ones").label, "ones");
  EXPECT_TRUE(policy("ones").wants_samples());
}

}  // namespace
}  // namespace mimus::scheduler::test
