// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;

AttemptEnded finished(int attempt) {
  return {AttemptId{attempt}, EndReason::finished, "", 0};
}

Duration waited(const Scheduler& scheduler, int job, WaitCause cause) {
  return scheduler.job(JobId{job}).waited[static_cast<std::size_t>(cause)];
}

TEST(SchedulerBooks, KnowAJobThatHasLeftUntilTheNextEvents) {
  Scheduler scheduler(shape(1, 1), policy("{}"));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  (void)scheduler.on_event(finished(0), at(1));
  EXPECT_EQ(scheduler.job(JobId{0}).state, JobState::finished);

  (void)scheduler.on_event(Timer{}, at(2));

  EXPECT_THROW((void)scheduler.job(JobId{0}), InternalError);
}

TEST(SchedulerBooks, RefuseAJobThatIsThereAlready) {
  Scheduler scheduler(shape(1, 1), policy("{}"));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));

  EXPECT_THROW((void)scheduler.on_event(JobArrived{job(0)}, at(1)), InternalError);
}

TEST(SchedulerBooks, TakeViewsOutOfEventsThatMayBeChanged) {
  Scheduler scheduler(shape(1, 1), policy("{}"));
  JobView view = job(0);
  view.name = "a name too long to be kept in place";
  std::vector<Event> events{JobArrived{view}};
  Decision decision;
  decision.actions.emplace_back(GiveUpJob{JobId{7}, "of a former decision"});

  scheduler.on_events(events, at(0), decision);

  ASSERT_EQ(decision.actions.size(), 1U);
  EXPECT_EQ(std::get<StartAttempt>(decision.actions[0]).job, JobId{0});
  EXPECT_EQ(scheduler.job(JobId{0}).name, view.name);
  EXPECT_EQ(std::get<JobArrived>(events[0]).job.name, "");
}

TEST(SchedulerBooks, CountServiceByWhatAnAttemptHolds) {
  // It will request two GPUs next time, but holds three.
  JobView view = job(0, 2);
  view.attempt = AttemptId{0};
  view.allocation = slots(Cluster(shape(1, 4)), {0, 1, 2});

  EXPECT_EQ(view.gpus(), 3);
  EXPECT_EQ(view.service(at(10)).count(), seconds(30).count());
  view.attempt = AttemptId{};
  EXPECT_EQ(view.gpus(), 2);
}

/// Believes that every job runs for 7 s, and counts what it learns.
class SevenSeconds final : public Estimator {
 public:
  explicit SevenSeconds(std::vector<std::int64_t>& learnt) : learnt_(learnt) {}
  [[nodiscard]] std::string name() const override { return "seven"; }
  [[nodiscard]] std::optional<Duration> run_time(const JobView&) const override {
    return seconds(7);
  }
  void learn(const JobView& job, Instant now) override {
    learnt_.push_back(job.id.value());
    EXPECT_EQ(job.service(now).count(), seconds(6).count());
    EXPECT_TRUE(job.holds_gpus());
  }
  [[nodiscard]] std::optional<double> throughput(const JobView&, const Allocation&,
                                                 const BatchPlan&) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::optional<double> noise_scale(const JobView&) const override {
    return std::nullopt;
  }

 private:
  std::vector<std::int64_t>& learnt_;
};

TEST(EstimateSeam, IsAskedOnArrivalAndTaughtByJobsThatFinish) {
  std::vector<std::int64_t> learnt;
  Policy row = policy("recovery: {name: retry, retries: 0}");
  row.estimate = std::make_unique<SevenSeconds>(learnt);
  Scheduler scheduler(shape(1, 2), std::move(row));
  (void)scheduler.on_event(JobArrived{job(0, 2)}, at(0));
  EXPECT_EQ(scheduler.job(JobId{0}).estimated_run_time, seconds(7));
  (void)scheduler.on_event(finished(0), at(3));
  (void)scheduler.on_event(JobArrived{job(1)}, at(4));
  (void)scheduler.on_event(AttemptEnded{AttemptId{1}, EndReason::failed, "", 0}, at(5));

  EXPECT_THAT(learnt, ElementsAre(0)) << "a job that failed teaches nothing";
}

/// Orders by id, and records the jobs that leave.
class NotesLeavers final : public Order {
 public:
  explicit NotesLeavers(std::vector<std::int64_t>& gone) : gone_(gone) {}
  [[nodiscard]] Rank rank(const JobView& job, Instant) const override { return {.job = job.id}; }
  [[nodiscard]] bool blocks() const override { return false; }
  void left(JobId job) override { gone_.push_back(job.value()); }

 private:
  std::vector<std::int64_t>& gone_;
};

TEST(OrderSeam, IsToldOfEveryJobThatLeaves) {
  std::vector<std::int64_t> gone;
  Policy row = policy("recovery: {name: retry, retries: 0}");
  row.order = std::make_unique<NotesLeavers>(gone);
  Scheduler scheduler(shape(1, 1), std::move(row));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  (void)scheduler.on_event(JobArrived{job(1, 5)}, at(0));  // larger than the cluster
  (void)scheduler.on_event(JobArrived{job(2)}, at(0));
  (void)scheduler.on_event(finished(0), at(1));
  (void)scheduler.on_event(AttemptEnded{AttemptId{1}, EndReason::failed, "", 0}, at(2));

  EXPECT_THAT(gone, ElementsAre(1, 0, 2));
}

// Four GPUs. Job 0 holds 3 until 10 s. Job 1 needs 2 and heads a strict queue. Job 2 needs 1 and
// would fit, but is behind it. Both start at 10 s.
TEST(WaitAccounting, ChargesEveryWaitToItsCause) {
  Scheduler scheduler(shape(1, 4), policy("order: fifo"));
  scheduler.set_wait_accounting(true);
  (void)scheduler.on_event(JobArrived{job(0, 3)}, at(0));
  (void)scheduler.on_event(JobArrived{job(1, 2, 2)}, at(2));
  (void)scheduler.on_event(JobArrived{job(2, 1, 4)}, at(4));

  EXPECT_EQ(waited(scheduler, 2, WaitCause::order), seconds(0)) << "its wait has not ended";
  EXPECT_EQ(scheduler.waited(JobId{2}, at(9))[static_cast<std::size_t>(WaitCause::order)],
            seconds(5));
  (void)scheduler.on_event(finished(0), at(10));

  EXPECT_EQ(waited(scheduler, 1, WaitCause::capacity), seconds(8));
  EXPECT_EQ(waited(scheduler, 2, WaitCause::order), seconds(6));
}

TEST(WaitAccounting, ChargesABackoffOfRecovery) {
  Scheduler scheduler(shape(1, 1), policy("recovery: {name: retry, delay: 30 s}"));
  scheduler.set_wait_accounting(true);
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  (void)scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::failed, "", 0}, at(5));

  const Decision again = scheduler.on_event(Timer{}, at(35));

  EXPECT_EQ(actions_of<StartAttempt>(again).size(), 1U);
  EXPECT_EQ(waited(scheduler, 0, WaitCause::backoff), seconds(30));
}

TEST(WaitAccounting, IsOffByDefaultAndSwitchedBeforeTheFirstJob) {
  Scheduler scheduler(shape(1, 1), policy("{}"));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  (void)scheduler.on_event(JobArrived{job(1)}, at(0));

  EXPECT_THROW(scheduler.set_wait_accounting(true), InternalError);
  (void)scheduler.on_event(finished(0), at(10));

  EXPECT_EQ(scheduler.job(JobId{1}).waited, WaitTimes{});
  EXPECT_EQ(scheduler.waited(JobId{1}, at(10)), WaitTimes{});
}

}  // namespace
}  // namespace mimus::scheduler::test
