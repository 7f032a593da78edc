// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sharing/fraction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/books/fit.hpp"
#include "scheduler/books/runner_place.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/placement/pack.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Allocation part(const Cluster& cluster, const std::vector<int>& gpus, std::int64_t milli) {
  Allocation allocation = slots(cluster, gpus);
  allocation.share = MilliGpus{milli};
  return allocation;
}

/// One node of four 16 GB GPUs. Taken: 500 thousandths of GPU 0, 700 of GPU 1, all of GPU 2.
Cluster half_full() {
  Cluster cluster(shape(1, 4, 8));
  cluster.allocate(JobId{90}, AttemptId{90}, part(cluster, {0}, 500), Bytes{6e9});
  cluster.allocate(JobId{91}, AttemptId{91}, part(cluster, {1}, 700), Bytes{6e9});
  cluster.allocate(JobId{92}, AttemptId{92}, slots(cluster, {2}), Bytes{1e9});
  return cluster;
}

std::vector<int> place(const Cluster& cluster, const Fraction::Settings& settings, int gang,
                       std::int64_t milli, double memory = 1e9) {
  const Pack pack;
  const Fraction sharing(settings);
  const Fit fit(cluster, sharing, pack);
  const auto found = fit.find({gang, Bytes{memory}, 0, MilliGpus{milli}});
  return found ? gpus_of(*found) : std::vector<int>{};
}

JobView sharer(int id, double share, double arrival = 0.0) {
  JobView view = job(id, 1, arrival);
  view.gpu_share = share;
  return view;
}

std::vector<std::int64_t> started(const Decision& decision) {
  std::vector<std::int64_t> ids;
  for (const auto& start : actions_of<StartAttempt>(decision)) ids.push_back(start.job.value());
  return ids;
}

TEST(MilliGpus, AreTheNearestThousandthsOfAShare) {
  EXPECT_EQ(MilliGpus::of_share(0.46), MilliGpus{460});
  EXPECT_EQ(MilliGpus::of_share(1.0 / 3.0), MilliGpus{333});
  EXPECT_EQ(MilliGpus::of_share(1e-5), MilliGpus{1});
  EXPECT_EQ(MilliGpus::of_share(1.0), kWholeGpu);
}

TEST(MilliGpus, TurnTimeIntoGpuTimeAndBack) {
  // A quarter of 10 ns is 2.5 ns. 3 ns of a GPU take 12 ns on a quarter of it.
  EXPECT_EQ(gpu_time(Duration{10}, MilliGpus{250}), Duration{2});
  EXPECT_EQ(time_for(Duration{3}, MilliGpus{250}).count(), Duration{12}.count());
  EXPECT_EQ(time_for(Duration{1}, MilliGpus{300}).count(), Duration{4}.count());
  EXPECT_EQ(time_for(Duration{7}, kWholeGpu).count(), Duration{7}.count());
}

TEST(Cluster, RefusesMoreOfAGpuThanThereIs) {
  Cluster cluster = half_full();

  EXPECT_THROW(cluster.allocate(JobId{1}, AttemptId{1}, part(cluster, {1}, 301), Bytes{}),
               InternalError);
  EXPECT_THROW(cluster.allocate(JobId{1}, AttemptId{1}, slots(cluster, {0}), Bytes{}),
               InternalError);
  EXPECT_THROW(cluster.allocate(JobId{1}, AttemptId{1}, part(cluster, {2}, 1), Bytes{}),
               InternalError);
  cluster.allocate(JobId{1}, AttemptId{1}, part(cluster, {1}, 300), Bytes{});

  EXPECT_EQ(cluster.gpu(GpuId{1}).free_share(), MilliGpus{0});
  EXPECT_EQ(cluster.gpu(GpuId{0}).free_share(), MilliGpus{500});
  // 500 of GPU 0 and all of GPU 3.
  EXPECT_EQ(cluster.shared().free_share(), MilliGpus{1500});
  EXPECT_EQ(cluster.shared().gpus_with_share(), 2);
}

TEST(FractionSharing, FillsTheSharedGpuWithTheLeastLeft) {
  const Cluster cluster = half_full();

  EXPECT_THAT(place(cluster, {}, 1, 300), ElementsAre(1));
  EXPECT_THAT(place(cluster, {}, 1, 301), ElementsAre(0));
  EXPECT_THAT(place(cluster, {}, 1, 501), ElementsAre(3));
}

TEST(FractionSharing, SpreadsOverIdleGpusWhenToldSo) {
  Cluster cluster = half_full();
  const Fraction::Settings spread{.per_gpu = 8, .prefer = Fraction::Prefer::idle};

  EXPECT_THAT(place(cluster, spread, 1, 300), ElementsAre(3));
  cluster.withhold(GpuId{3});
  EXPECT_THAT(place(cluster, spread, 1, 300), ElementsAre(1));
}

TEST(FractionSharing, GivesWholeGpusFromIdleOnesOnly) {
  const Cluster cluster = half_full();

  EXPECT_THAT(place(cluster, {}, 1, 1000), ElementsAre(3));
  EXPECT_THAT(place(cluster, {}, 2, 1000), IsEmpty());
}

TEST(FractionSharing, GivesAGangPartsOfSeveralGpus) {
  const Cluster cluster = half_full();

  EXPECT_THAT(place(cluster, {}, 2, 300), ElementsAre(0, 1));
  EXPECT_THAT(place(cluster, {}, 2, 400), ElementsAre(0, 3));
  EXPECT_THAT(place(cluster, {}, 3, 400), IsEmpty());
}

TEST(FractionSharing, JoinsOnlyWhileTheMemoryFitsTogether) {
  // 6 GB of 16 GB are used on both shared GPUs: 10 GB fit, more do not.
  EXPECT_THAT(place(half_full(), {}, 1, 300, 10e9), ElementsAre(1));
  EXPECT_THAT(place(half_full(), {}, 1, 300, 10.001e9), ElementsAre(3));
}

TEST(FractionSharing, StopsAtItsNumberOfTenants) {
  Cluster cluster = half_full();
  cluster.allocate(JobId{93}, AttemptId{93}, part(cluster, {1}, 100), Bytes{});

  EXPECT_THAT(place(cluster, {.per_gpu = 3}, 1, 100), ElementsAre(1));
  EXPECT_THAT(place(cluster, {.per_gpu = 2}, 1, 100), ElementsAre(0));
}

TEST(FractionSharing, AddsTenthsUpToExactlyOneGpu) {
  Scheduler scheduler(shape(1, 1, 16), policy("sharing: {name: fraction, per_gpu: 16}"));
  Decision decision;
  for (int id = 0; id < 11; ++id) {
    JobView tenth = sharer(id, 0.1, id);
    tenth.model.base_memory = Bytes{};
    tenth.model.memory_per_sample = Bytes{};
    decision = scheduler.on_event(JobArrived{tenth}, at(id));
    EXPECT_EQ(decision.actions.size(), id < 10 ? 1U : 0U) << id;
  }

  EXPECT_EQ(scheduler.job(JobId{10}).waits_for, WaitCause::capacity);
}

TEST(FractionSharing, SaysWhetherThereIsTooLittleOrOnlyInPieces) {
  Scheduler scheduler(shape(1, 2, 8), policy("{sharing: {name: fraction, prefer: idle}}"));
  (void)scheduler.on_event(JobArrived{sharer(0, 0.5)}, at(0));
  (void)scheduler.on_event(JobArrived{sharer(1, 0.6, 1)}, at(1));
  // Half a GPU and 0.4 of another one are left: 0.9 in total, but at most 0.5 on one GPU.
  (void)scheduler.on_event(JobArrived{sharer(2, 0.8, 2)}, at(2));
  EXPECT_EQ(scheduler.job(JobId{2}).waits_for, WaitCause::fragmentation);

  (void)scheduler.on_event(JobArrived{job(3, 1, 3)}, at(3));
  EXPECT_EQ(scheduler.job(JobId{3}).waits_for, WaitCause::capacity);
}

TEST(FractionSharing, CountsAShareOfAGpuAsService) {
  Scheduler scheduler(shape(1, 1, 8), policy("sharing: fraction"));
  (void)scheduler.on_event(JobArrived{sharer(0, 0.25)}, at(0));
  const JobView& view = scheduler.job(JobId{0});

  EXPECT_EQ(view.share, MilliGpus{250});
  EXPECT_EQ(view.allocation.held(), MilliGpus{250});
  EXPECT_EQ(view.service(at(40)).count(), seconds(10).count());
  EXPECT_EQ(view.replica_time(at(40)).count(), seconds(40).count());
}

TEST(FractionSharing, DemotesBySharesOfService) {
  const Policy row = policy("{order: {name: las, limits: [10 s]}, sharing: fraction}");
  JobView quarter = sharer(0, 0.25);
  quarter.share = MilliGpus{250};
  quarter.attempt = AttemptId{0};
  quarter.allocation.slots.resize(1);
  quarter.running_since = at(100);

  // 10 GPU-s take 40 s with a quarter of a GPU.
  EXPECT_EQ(row.order->next_change(quarter, at(100)), at(140));
  EXPECT_EQ(row.order->rank(quarter, at(139)).major, 0);
  EXPECT_EQ(row.order->rank(quarter, at(140)).major, 1);
}

TEST(FractionSharing, RanksByServiceToTheThousandth) {
  const Policy row = policy("{order: {name: las, quantum: 1 s}, sharing: fraction}");
  JobView third = sharer(0, 1.0 / 3.0);
  third.share = MilliGpus{333};
  third.attempt = AttemptId{0};
  third.allocation.slots.resize(1);
  third.attained_time = Duration{10};

  // 333 thousandths of 1 s and 10 ns are 333,000,003.33 ns.
  const Rank now = row.order->rank(third, at(1));
  EXPECT_EQ(now.major, 333'000'003);
  EXPECT_EQ(now.minor, 330);
  const auto drift = row.order->drift(third, at(1));
  EXPECT_EQ(drift, 333);
  const auto steady = SteadyRank::of(now, drift, at(1));
  EXPECT_EQ(steady.at(drift, at(1)), now);
  EXPECT_EQ(steady.at(drift, at(4)), row.order->rank(third, at(4)));
}

TEST(FractionSharing, ChargesTheQuotaWithShares) {
  Scheduler scheduler(shape(1, 4, 8),
                      policy("{sharing: fraction, admission: {name: quota, gpus: {default: 1}}}"));
  for (int id = 0; id < 3; ++id) {
    (void)scheduler.on_event(JobArrived{sharer(id, 0.3, id)}, at(id));
  }
  (void)scheduler.on_event(JobArrived{sharer(3, 0.2, 3)}, at(3));
  const Decision decision = scheduler.on_event(JobArrived{sharer(4, 0.1, 4)}, at(4));

  // 0.9 of 1 GPU is held. 0.2 more is too much; 0.1 would fit, but the queue is strict.
  EXPECT_EQ(scheduler.job(JobId{3}).waits_for, WaitCause::quota);
  EXPECT_THAT(decision.actions, IsEmpty());
  EXPECT_THAT(
      started(scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::finished, "", 0}, at(5))),
      ElementsAre(3, 4));
}

TEST(FractionSharing, StopsOneJobForTwoHalves) {
  const char* row =
      "{order: {name: sjf}, sharing: fraction, preemption: {name: checkpoint, min_run: 0 s}}";
  Scheduler scheduler(shape(1, 2, 8), policy(row));
  std::vector<Event> arrivals;
  for (int id = 0; id < 2; ++id) {
    JobView whole = job(id, 1, 0);
    whole.user_estimate = seconds(1000);
    (void)scheduler.on_event(JobArrived{whole}, at(0));
    (void)scheduler.on_event(AttemptStarted{AttemptId{id}}, at(0));
    JobView half = sharer(2 + id, 0.5, 1);
    half.user_estimate = seconds(10);
    arrivals.emplace_back(JobArrived{half});
  }

  const Decision stops = scheduler.on_events(std::span<const Event>(arrivals), at(1));
  ASSERT_EQ(actions_of<StopAttempt>(stops).size(), 1U);
  const AttemptId victim = actions_of<StopAttempt>(stops)[0].attempt;
  const Decision starts =
      scheduler.on_event(AttemptEnded{victim, EndReason::preempted, "", 0}, at(2));

  EXPECT_THAT(started(starts), ElementsAre(2, 3));
}

TEST(FractionSharing, LeavesWholeGpusToSizingThatAllots) {
  const Policy row = policy("{sharing: fraction, planner: ranked}");

  EXPECT_FALSE(row.divides_gpus());
  EXPECT_EQ(row.share_of(sharer(0, 0.25)), kWholeGpu);
}

TEST(ExclusiveSharing, GivesAShareAWholeGpu) {
  Scheduler scheduler(shape(1, 1), policy("{}"));
  (void)scheduler.on_event(JobArrived{sharer(0, 0.25)}, at(0));

  EXPECT_EQ(scheduler.job(JobId{0}).service(at(40)).count(), seconds(40).count());
  EXPECT_THAT(started(scheduler.on_event(JobArrived{sharer(1, 0.25, 1)}, at(1))), IsEmpty());
}

}  // namespace
}  // namespace mimus::scheduler::test
