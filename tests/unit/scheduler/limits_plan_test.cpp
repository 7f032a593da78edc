// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans that limit what jobs may use of their GPUs, and how they are carried out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::IsEmpty;

/// All jobs on GPU 0, each with the limits that the test has stated.
class Limiting final : public Planner {
 public:
  explicit Limiting(const std::map<JobId, DeviceLimits>& limits) : limits_(limits) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override {
    Plan plan;
    for (const PlanJob& job : query.jobs) {
      const auto found = limits_.find(job.view->id);
      plan.targets.push_back({.job = job.view->id,
                              .gpus = Allocation{{Slot{GpuId{0}, {}}}},
                              .limits = found == limits_.end() ? DeviceLimits{} : found->second});
    }
    return plan;
  }
  [[nodiscard]] Wakes wakes() const override { return {.every = seconds(10), .arrivals = true}; }
  [[nodiscard]] int residents() const override { return 2; }
  [[nodiscard]] bool names_gpus() const override { return true; }

 private:
  const std::map<JobId, DeviceLimits>& limits_;
};

struct LimitsPlan : ::testing::Test {
  std::map<JobId, DeviceLimits> limits;
  Scheduler scheduler = made();

  Scheduler made() const {
    Policy row = policy("{planner: ranked}");
    row.planner = std::make_unique<Limiting>(limits);
    return Scheduler(shape(1, 1, 2), std::move(row));
  }
  /// Needs 2 GB + 64 × 0.1 GB of the GPU's 16 GB.
  static JobView large(int id) {
    JobView view = job(id);
    view.requested_batch = 64;
    return view;
  }
};

TEST_F(LimitsPlan, AnAttemptStartsWithItsLimits) {
  limits[JobId{0}] = {.cap = 0.5, .memory = Bytes{6e9}};

  const auto starts = actions_of<StartAttempt>(scheduler.on_event(JobArrived{large(0)}, at(0)));

  ASSERT_EQ(starts.size(), 1U);
  EXPECT_EQ(starts[0].limits, limits[JobId{0}]);
  EXPECT_EQ(scheduler.cluster().holding(starts[0].attempt).memory, Bytes{6e9});
}

TEST_F(LimitsPlan, LimitsThatChangeBeforeTheFirstStepAreAskedForAfterIt) {
  (void)scheduler.on_event(JobArrived{large(0)}, at(0));
  limits[JobId{0}] = {.cap = 0.5};
  EXPECT_THAT(scheduler.on_event(Timer{}, at(10)).actions, IsEmpty());

  const auto asked =
      actions_of<LimitAttempt>(scheduler.on_event(AttemptStarted{AttemptId{0}}, at(12)));

  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].limits.cap, 0.5);
}

TEST_F(LimitsPlan, OneChangeOfLimitsIsUnderWayAtATime) {
  (void)scheduler.on_event(JobArrived{large(0)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(2));
  limits[JobId{0}] = {.cap = 0.5};
  EXPECT_EQ(actions_of<LimitAttempt>(scheduler.on_event(Timer{}, at(10))).size(), 1U);
  limits[JobId{0}] = {.cap = 0.25};
  EXPECT_THAT(scheduler.on_event(Timer{}, at(20)).actions, IsEmpty());

  const auto asked =
      actions_of<LimitAttempt>(scheduler.on_event(AttemptLimited{AttemptId{0}}, at(21)));

  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].limits.cap, 0.25);
}

TEST_F(LimitsPlan, MemoryIsGivenToOthersOnceTheLimitHolds) {
  (void)scheduler.on_event(JobArrived{large(0)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(2));
  limits[JobId{0}] = {.memory = Bytes{6e9}};
  const Decision arrival = scheduler.on_event(JobArrived{large(1)}, at(5));
  EXPECT_EQ(actions_of<LimitAttempt>(arrival).size(), 1U);
  EXPECT_THAT(actions_of<StartAttempt>(arrival), IsEmpty());
  EXPECT_EQ(scheduler.cluster().holding(AttemptId{0}).memory, Bytes{8.4e9});

  const Decision limited = scheduler.on_event(AttemptLimited{AttemptId{0}}, at(6));

  EXPECT_EQ(scheduler.cluster().holding(AttemptId{0}).memory, Bytes{6e9});
  EXPECT_EQ(actions_of<StartAttempt>(limited).size(), 1U);
}

TEST_F(LimitsPlan, APlanWithImpossibleLimitsIsRefused) {
  limits[JobId{0}] = {.memory = Bytes{0}};

  const Decision decision = scheduler.on_event(JobArrived{large(0)}, at(0));

  EXPECT_EQ(decision.refused_plan, "job 0: is to use 0 B of device memory; allowed: more than 0");
}

}  // namespace
}  // namespace mimus::scheduler::test
