// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans that say what suspended jobs keep of their memory, and what is booked of it when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

/// All jobs on GPU 0. Those that the test has named are suspended and keep what it says.
class Pausing final : public Planner {
 public:
  explicit Pausing(const std::map<JobId, SuspendedMemory>& paused) : paused_(paused) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override {
    Plan plan;
    for (const PlanJob& job : query.jobs) {
      Target target{.job = job.view->id, .gpus = Allocation{{Slot{GpuId{0}, {}}}}};
      if (const auto found = paused_.find(job.view->id); found != paused_.end()) {
        target.suspended = true;
        target.keeps = found->second;
      }
      plan.targets.push_back(std::move(target));
    }
    return plan;
  }
  [[nodiscard]] Wakes wakes() const override { return {.every = seconds(10), .arrivals = true}; }
  [[nodiscard]] int residents() const override { return 3; }
  [[nodiscard]] bool names_gpus() const override { return true; }

 private:
  const std::map<JobId, SuspendedMemory>& paused_;
};

/// Jobs that need 2 GB + 64 × 0.1 GB of the GPU's 16 GB.
struct SuspendedMemoryPlan : ::testing::Test {
  static constexpr Bytes kWhole{8.4e9};
  std::map<JobId, SuspendedMemory> paused;
  Scheduler scheduler = made();

  Scheduler made() const {
    Policy row = policy("{planner: ranked}");
    row.planner = std::make_unique<Pausing>(paused);
    return Scheduler(shape(1, 1, 3), std::move(row));
  }
  static JobView large(int id) {
    JobView view = job(id);
    view.requested_batch = 64;
    return view;
  }
  Bytes booked(int attempt) const { return scheduler.cluster().holding(AttemptId{attempt}).memory; }
  /// Job 0 runs and is to be suspended when job 1 comes, at 5 s.
  Decision ask(SuspendedMemory keeps) {
    (void)scheduler.on_event(JobArrived{large(0)}, at(0));
    (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(1));
    paused[JobId{0}] = keeps;
    return scheduler.on_event(JobArrived{large(1)}, at(5));
  }
};

TEST_F(SuspendedMemoryPlan, TheActionAndTheViewSayWhatIsKept) {
  const auto asked = actions_of<SuspendAttempt>(ask(SuspendedMemory::state));

  ASSERT_THAT(asked, SizeIs(1));
  EXPECT_EQ(asked[0].keeps, SuspendedMemory::state);
  EXPECT_EQ(scheduler.job(JobId{0}).keeps, SuspendedMemory::state);
}

TEST_F(SuspendedMemoryPlan, TheRestIsFreeForOthersOnceItIsSuspended) {
  const Decision asked = ask(SuspendedMemory::state);
  EXPECT_EQ(booked(0), kWhole);
  EXPECT_THAT(actions_of<StartAttempt>(asked), IsEmpty());

  const Decision suspended = scheduler.on_event(AttemptSuspended{AttemptId{0}}, at(6));

  EXPECT_EQ(booked(0), Bytes{2e9});
  EXPECT_THAT(actions_of<StartAttempt>(suspended), SizeIs(1));
}

TEST_F(SuspendedMemoryPlan, NothingIsBookedForOneThatKeepsNothing) {
  (void)ask(SuspendedMemory::nothing);
  (void)scheduler.on_event(AttemptSuspended{AttemptId{0}}, at(6));

  EXPECT_EQ(booked(0), Bytes{});
}

TEST_F(SuspendedMemoryPlan, AllOfItIsBookedAgainWhenItIsToBeResumed) {
  (void)ask(SuspendedMemory::state);
  (void)scheduler.on_event(AttemptSuspended{AttemptId{0}}, at(6));
  (void)scheduler.on_event(AttemptStarted{AttemptId{1}}, at(7));
  paused = {{JobId{1}, SuspendedMemory::state}};
  (void)scheduler.on_event(Timer{}, at(10));

  const Decision suspended = scheduler.on_event(AttemptSuspended{AttemptId{1}}, at(11));

  EXPECT_THAT(actions_of<ResumeAttempt>(suspended), SizeIs(1));
  EXPECT_EQ(booked(0), kWhole);
  EXPECT_EQ(booked(1), Bytes{2e9});
  EXPECT_EQ(scheduler.job(JobId{0}).keeps, SuspendedMemory::all);
}

// 8.4 GB + 8.4 GB are more than the GPU has, 2 GB + 8.4 GB are not.
TEST_F(SuspendedMemoryPlan, APlanIsRefusedIfWhatIsKeptLeavesTooLittle) {
  EXPECT_EQ(ask(SuspendedMemory::all).refused_plan,
            "job 1: GPU 0 has 16 GB, and the 2 jobs that are to hold it need 16.8 GB");
}

// It has all of its memory, whatever the plan says.
TEST_F(SuspendedMemoryPlan, ASuspendedJobKeepsWhatItWasToldThen) {
  (void)scheduler.on_event(JobArrived{large(0)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(1));
  paused[JobId{0}] = SuspendedMemory::all;
  (void)scheduler.on_event(Timer{}, at(10));
  (void)scheduler.on_event(AttemptSuspended{AttemptId{0}}, at(11));
  paused[JobId{0}] = SuspendedMemory::nothing;

  const Decision decision = scheduler.on_event(JobArrived{large(1)}, at(12));

  EXPECT_NE(decision.refused_plan, "");
  EXPECT_EQ(booked(0), kWhole);
}

/// Job 0 has two GPUs, or what the test says instead.
class Resizing final : public Planner {
 public:
  explicit Resizing(const Target& target) : target_(target) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override {
    if (query.jobs.empty()) return {};
    return {.targets = {target_}};
  }
  [[nodiscard]] Wakes wakes() const override { return {.every = seconds(10), .arrivals = true}; }
  [[nodiscard]] bool resizes_in_place() const override { return true; }
  [[nodiscard]] bool names_gpus() const override { return true; }

 private:
  const Target& target_;
};

Allocation gpus(std::initializer_list<int> ids) {
  Allocation place;
  for (const int id : ids) place.slots.push_back({GpuId{id}, {}});
  return place;
}

/// It would never come to the step boundary at which it is to shrink.
TEST(SuspendedJob, IsRestartedOnFewerGpus) {
  Target target{.job = JobId{0}, .gpus = gpus({0, 1})};
  Policy row = policy("{planner: ranked}");
  row.planner = std::make_unique<Resizing>(target);
  Scheduler scheduler(shape(1, 2, 1), std::move(row));
  JobView view = job(0);
  view.requested_gang = view.gang = 2;
  (void)scheduler.on_event(JobArrived{view}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(1));
  target.suspended = true;
  (void)scheduler.on_event(Timer{}, at(10));
  (void)scheduler.on_event(AttemptSuspended{AttemptId{0}}, at(11));
  target = {.job = JobId{0}, .gpus = gpus({0})};

  const Decision shrunk = scheduler.on_event(Timer{}, at(20));

  EXPECT_THAT(actions_of<ResizeAttempt>(shrunk), IsEmpty());
  EXPECT_THAT(actions_of<StopAttempt>(shrunk), SizeIs(1));
}

}  // namespace
}  // namespace mimus::scheduler::test
