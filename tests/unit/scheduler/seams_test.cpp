// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

constexpr const char* kQuotas =
    "{order: {name: fifo, skip: true}, admission: {name: quota, gpus: {vision: 2, text: 4}}}";

JobView in_cluster(const std::string& virtual_cluster, int id, int gang) {
  JobView view = job(id, gang);
  view.virtual_cluster = virtual_cluster;
  return view;
}

TEST(QuotaAdmission, HoldsAJobWhoseVirtualClusterIsFull) {
  Scheduler scheduler(shape(1, 8), policy(kQuotas));
  (void)scheduler.on_event(JobArrived{in_cluster("vision", 0, 2)}, at(0));

  const Decision held = scheduler.on_event(JobArrived{in_cluster("vision", 1, 1)}, at(1));
  const WaitCause cause = scheduler.job(JobId{1}).waits_for;
  const Decision other = scheduler.on_event(JobArrived{in_cluster("text", 2, 4)}, at(2));
  const Decision freed =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::finished, "", 0}, at(3));

  EXPECT_TRUE(held.actions.empty());
  EXPECT_EQ(cause, WaitCause::quota);
  EXPECT_EQ(actions_of<StartAttempt>(other).size(), 1U);
  EXPECT_EQ(actions_of<StartAttempt>(freed).at(0).job, JobId{1});
}

TEST(QuotaAdmission, DoesNotBlockTheQueueOfOthers) {
  Scheduler scheduler(shape(1, 8), policy("admission: {name: quota, gpus: {vision: 1}}"));
  (void)scheduler.on_event(JobArrived{in_cluster("vision", 0, 1)}, at(0));
  (void)scheduler.on_event(JobArrived{in_cluster("vision", 1, 1)}, at(1));

  const Decision other = scheduler.on_event(JobArrived{in_cluster("text", 2, 1)}, at(2));

  EXPECT_EQ(actions_of<StartAttempt>(other).size(), 1U);
}

// Job 1 of "vision" first lacks GPUs. When job 2 has started it also lacks quota, and then it
// blocks only "vision".
TEST(QuotaAdmission, BlocksItsOwnGroupOnlyOnceAnotherJobHasTakenTheQuota) {
  Scheduler scheduler(shape(1, 5), policy("{order: {name: sjf, skip: false}, "
                                          "admission: {name: quota, gpus: {vision: 3}}}"));
  const auto arrive = [&](int id, int gang, double estimate, const char* virtual_cluster) {
    JobView view = job_of(virtual_cluster, id, gang, id);
    view.user_estimate = seconds(estimate);
    return scheduler.on_event(JobArrived{view}, at(id));
  };
  (void)arrive(0, 3, 900, "text");
  (void)arrive(1, 3, 50, "vision");
  const WaitCause before = scheduler.job(JobId{1}).waits_for;
  (void)arrive(2, 1, 10, "vision");

  const Decision decision = arrive(3, 1, 90, "text");

  EXPECT_EQ(before, WaitCause::capacity);
  EXPECT_EQ(scheduler.job(JobId{1}).waits_for, WaitCause::quota);
  ASSERT_EQ(actions_of<StartAttempt>(decision).size(), 1U);
  EXPECT_EQ(actions_of<StartAttempt>(decision)[0].job, JobId{3});
}

TEST(QuotaAdmission, RejectsAGangLargerThanItsQuota) {
  Scheduler scheduler(shape(1, 8), policy(kQuotas));

  const Decision decision = scheduler.on_event(JobArrived{in_cluster("vision", 0, 3)}, at(0));

  EXPECT_EQ(actions_of<GiveUpJob>(decision).at(0).reason,
            "asks for 3 GPUs, but the quota of virtual cluster \"vision\" is 2");
}

TEST(QuotaAdmission, LendsIdleGpusWhenItMay) {
  Scheduler scheduler(
      shape(1, 8), policy("admission: {name: quota, gpus: {vision: 2}, others: 1, borrow: true}"));
  (void)scheduler.on_event(JobArrived{in_cluster("vision", 0, 6)}, at(0));

  const Decision more = scheduler.on_event(JobArrived{in_cluster("text", 1, 2)}, at(1));
  const Decision full = scheduler.on_event(JobArrived{in_cluster("text", 2, 2)}, at(2));

  EXPECT_EQ(actions_of<StartAttempt>(more).size(), 1U);
  EXPECT_TRUE(full.actions.empty());
}

/// Keeps node 0 asleep until `until`.
class SleepUntil final : public Power {
 public:
  explicit SleepUntil(Instant until) : until_(until) {}
  [[nodiscard]] PowerDecision decide(const PowerQuery& query) override {
    if (query.now >= until_) return {};
    return {{NodeId{0}}, {}};
  }
  [[nodiscard]] Instant observe(const PowerQuery& query) override {
    return query.now < until_ ? until_ : kNever;
  }

 private:
  Instant until_;
};

TEST(PowerSeam, NothingIsPlacedOnASleepingNodeUntilItWakes) {
  Policy row = policy("{}");
  row.power = std::make_unique<SleepUntil>(at(100));
  Scheduler scheduler(shape(2, 1), std::move(row));
  const Decision first = scheduler.on_event(JobArrived{job(0)}, at(0));

  const Decision second = scheduler.on_event(JobArrived{job(1)}, at(1));
  const Decision woken = scheduler.on_event(Timer{}, at(100));

  EXPECT_EQ(gpus_of(actions_of<StartAttempt>(first).at(0).allocation), std::vector<int>{1});
  EXPECT_TRUE(second.actions.empty());
  EXPECT_EQ(second.wake_up, at(100));
  EXPECT_EQ(gpus_of(actions_of<StartAttempt>(woken).at(0).allocation), std::vector<int>{0});
}

/// Keeps half of every data set that is read, until 10 s.
class HalfCache final : public Cache {
 public:
  [[nodiscard]] CacheDecision decide(const CacheQuery& query) override {
    CacheDecision decision;
    for (const JobView* job : query.readers) {
      decision.kept.push_back({job->data.set, 0.5 * job->data.size});
    }
    if (query.now < at(10)) return {decision.kept, at(10)};
    return {};
  }
};

TEST(CacheSeam, IsAskedWithThoseThatReadAndWakesUp) {
  Policy row = policy("{}");
  row.cache = std::make_unique<HalfCache>();
  ClusterShape cluster = shape(1, 1);
  cluster.data_cache = Bytes{4e9};
  Scheduler scheduler(cluster, std::move(row));
  JobView reader = job(0), waiting = job(1);
  reader.data = waiting.data = {"images", Bytes{6e9}, BytesPerSecond{1e6}};
  waiting.data.set = "text";

  const Decision first = scheduler.on_event(JobArrived{reader}, at(0));
  const Decision second = scheduler.on_event(JobArrived{waiting}, at(1));
  const Decision woken = scheduler.on_event(Timer{}, at(10));

  EXPECT_THAT(first.data, testing::Optional(testing::ElementsAre(KeptData{"images", Bytes{3e9}})));
  EXPECT_EQ(first.wake_up, at(10));
  EXPECT_EQ(second.data, std::nullopt);
  EXPECT_THAT(woken.data, testing::Optional(testing::IsEmpty()));
  EXPECT_EQ(woken.wake_up, kNever);
}

}  // namespace
}  // namespace mimus::scheduler::test
