// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast opportunistic jobs go beside guaranteed ones, and which GPUs they get (AntMan, OSDI'20).
#include "scheduler/planner/antman/antman.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "planned.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;

/// A guaranteed and an opportunistic job on one GPU. They are slowed by 0.52 × what both use of it
/// beyond all of its time.
class ThrottleTest : public ::testing::Test {
 protected:
  ThrottleTest() {
    for (JobView* view : {&guaranteed_, &opportunistic_}) {
      view->attempt = AttemptId{view->id.value()};
      view->state = JobState::running;
      view->stepping_since = view->active_since = at(0);
    }
    opportunistic_.opportunistic = true;
    measure(guaranteed_, seconds(1), guaranteed_use_, 0);
    measure(opportunistic_, seconds(1), opportunistic_use_, 0);
  }

  void measure(const JobView& job, Duration step, double utilisation, int co_tenants) {
    JobSample sample;
    sample.begin = now_;
    sample.end = now_ + seconds(1);
    sample.step = step;
    sample.utilisation = utilisation;
    sample.co_tenants = co_tenants;
    throttle_.observe(job, sample);
  }

  /// The next decision of the coordinator, in percent of the opportunistic job's own speed.
  int next_percent() {
    const JobView* beside[] = {&guaranteed_};
    throttle_.adjust(opportunistic_, beside, now_);
    const bool suspends = throttle_.suspends(opportunistic_.id);
    opportunistic_.limits.cap = throttle_.cap(opportunistic_.id);
    opportunistic_.suspension = suspends ? Suspension::suspended : Suspension::none;
    const double use = suspends ? 0.0 : std::min(opportunistic_use_, opportunistic_.limits.cap);
    now_ += seconds(1);
    const double slowdown = 1.0 + 0.52 * std::max(0.0, guaranteed_use_ + use - 1.0);
    measure(guaranteed_, from_seconds(slowdown), guaranteed_use_, suspends ? 0 : 1);
    if (suspends) return 0;
    const double cap = opportunistic_.limits.cap;
    return cap == 1.0 ? 100 : static_cast<int>(std::lround(100.0 * cap / opportunistic_use_));
  }

  std::vector<int> percentages(int count) {
    std::vector<int> found;
    for (int i = 0; i < count; ++i) found.push_back(next_percent());
    return found;
  }

  double guaranteed_use_ = 0.7;
  double opportunistic_use_ = 0.5;
  JobView guaranteed_ = job(0);
  JobView opportunistic_ = job(1);
  Instant now_ = at(0);
  Throttle throttle_{{}};
};

TEST_F(ThrottleTest, SlowsAnOpportunisticJobUntilTheGuaranteedOneIsWithinFivePercent) {
  // 1 + 0.52 (0.7 + 0.5 p − 1) ≤ 1.05 for p ≤ 79.23 %.
  EXPECT_THAT(percentages(9), ElementsAre(100, 90, 80, 70, 75, 80, 70, 75, 80));
}

TEST_F(ThrottleTest, LeavesAJobAloneThatTheGuaranteedOneDoesNotNotice) {
  guaranteed_use_ = 0.5;
  EXPECT_THAT(percentages(4), ElementsAre(100, 100, 100, 100));
}

TEST_F(ThrottleTest, SuspendsAJobThatIsTooFastAtAnyPercentage) {
  Throttle::Settings settings;
  settings.tolerance = 1.0001;
  throttle_ = Throttle(settings);
  guaranteed_use_ = 1.0;
  measure(guaranteed_, seconds(1), 1.0, 0);
  measure(opportunistic_, seconds(1), opportunistic_use_, 0);
  EXPECT_THAT(percentages(13), ElementsAre(100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 0, 5, 0));
}

TEST_F(ThrottleTest, SuspendsAJobUntilTheGuaranteedOneHasBeenMeasuredAlone) {
  throttle_.forget(guaranteed_.id);
  const JobView* beside[] = {&guaranteed_};
  throttle_.adjust(opportunistic_, beside, now_);
  EXPECT_TRUE(throttle_.suspends(opportunistic_.id));
  measure(guaranteed_, seconds(1), guaranteed_use_, 0);
  throttle_.adjust(opportunistic_, beside, now_);
  EXPECT_FALSE(throttle_.suspends(opportunistic_.id));
}

/// One GPU of 32 GB with a guaranteed job of 20 GB that uses half of its time.
class AntManPlan : public ::testing::Test {
 protected:
  AntManPlan() {
    guaranteed_.model.base_memory = Bytes{20e9};
    opportunistic_.model.base_memory = Bytes{15e9};
    for (JobView* view : {&guaranteed_, &opportunistic_}) view->model.memory_per_sample = Bytes{};
    opportunistic_.opportunistic = true;
    (void)plan_at(0, {&guaranteed_});
    run(guaranteed_, 0);
    measure(Bytes{20e9});
  }

  static void run(JobView& view, double since) {
    view.attempt = AttemptId{view.id.value()};
    view.state = JobState::running;
    view.stepping_since = view.active_since = view.running_since = at(since);
    view.allocation = {{Slot{GpuId{0}, LaneId{view.id.value()}}}};
  }

  void measure(Bytes memory) {
    JobSample sample;
    sample.end = at(60);
    sample.step = seconds(1);
    sample.utilisation = 0.5;
    sample.memory = memory;
    planner_.observe(guaranteed_, sample);
  }

  Plan plan_at(double time, const std::vector<const JobView*>& views) {
    std::vector<PlanJob> jobs;
    for (const JobView* view : views) jobs.push_back({view});
    ClusterShape one = shape(1, 1, 2);
    one.gpu_memory = Bytes{32e9};
    const Cluster cluster(one);
    Counter counter(1);
    return planner_.plan({at(time), jobs, cluster, AcceptAll(), NoEstimate(), counter});
  }

  /// The memory limit of the opportunistic job; 0 without one, −1 if it has no GPU.
  static double limit(const Plan& plan) {
    for (const Target& target : plan.targets) {
      if (target.job == JobId{1}) return target.limits.memory.value_or(Bytes{}).value;
    }
    return -1.0;
  }

  JobView guaranteed_ = job(0);
  JobView opportunistic_ = job(1);
  AntMan planner_ = AntMan([] {
    AntMan::Settings settings;
    settings.full = 1.0;
    return settings;
  }());
};

TEST_F(AntManPlan, AnOpportunisticJobJoinsAGpuThatHasBeenUnderusedForAWhile) {
  const Plan early = plan_at(20, {&guaranteed_, &opportunistic_});
  EXPECT_EQ(limit(early), -1.0);
  EXPECT_LE(early.next, at(50));
  EXPECT_EQ(limit(plan_at(31, {&guaranteed_, &opportunistic_})), 11.5e9);
}

TEST_F(AntManPlan, TheMemoryLimitFollowsWhatTheGuaranteedJobUses) {
  EXPECT_EQ(limit(plan_at(60, {&guaranteed_, &opportunistic_})), 11.5e9);
  run(opportunistic_, 60);
  measure(Bytes{26e9});
  EXPECT_EQ(limit(plan_at(61, {&guaranteed_, &opportunistic_})), 5.5e9);
  EXPECT_EQ(limit(plan_at(62, {&opportunistic_})), 0.0);
}

TEST_F(AntManPlan, AFailedJobDoesNotReturnToAGpuThatAnotherGuaranteedOneHasGot) {
  guaranteed_.attempt = {};
  guaranteed_.allocation = {};
  guaranteed_.state = JobState::queued;
  JobView other = job(2);
  ASSERT_EQ(plan_at(10, {&other}).targets.size(), 1U);  // recovery holds the failed job back
  run(other, 10);

  const Plan plan = plan_at(20, {&guaranteed_, &other});

  ASSERT_EQ(plan.targets.size(), 1U);
  EXPECT_EQ(plan.targets.front().job, other.id);
}

TEST_F(AntManPlan, AJobForWhichNoMemoryIsLeftYields) {
  (void)plan_at(60, {&guaranteed_, &opportunistic_});
  run(opportunistic_, 60);
  measure(Bytes{31.5e9});
  EXPECT_EQ(limit(plan_at(61, {&guaranteed_, &opportunistic_})), -1.0);
}

}  // namespace
}  // namespace mimus::scheduler::test
