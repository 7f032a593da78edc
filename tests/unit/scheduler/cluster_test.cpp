// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

/// 2 racks × 2 nodes × 4 GPUs in islands of 2.
ClusterShape two_racks() {
  ClusterShape s = shape(4, 4);
  s.gpus_per_island = 2;
  s.nodes_per_rack = 2;
  return s;
}

std::vector<Slot> on(const std::vector<int>& gpus) {
  return slots(Cluster(two_racks()), gpus).slots;
}

TEST(ClusterShape, LocalityIsTheWorstLinkOfTheGang) {
  const ClusterShape s = two_racks();

  EXPECT_EQ(s.locality(on({5})), Locality::same_gpu);
  EXPECT_EQ(s.locality(on({0, 1})), Locality::same_island);
  EXPECT_EQ(s.locality(on({1, 2})), Locality::same_node);
  EXPECT_EQ(s.locality(on({0, 1, 4})), Locality::same_rack);
  EXPECT_EQ(s.locality(on({7, 8})), Locality::across_racks);
}

TEST(ClusterShape, ShapeCountsReplicasPerNodeDescending) {
  const ClusterShape s = two_racks();

  EXPECT_EQ(s.shape_of(on({0, 1, 2, 3})), "4");
  EXPECT_EQ(s.shape_of(on({0, 4, 5, 6})), "3+1");
  EXPECT_EQ(s.shape_of(on({0, 4})), s.shape_of(on({9, 12})));
  EXPECT_EQ(s.shape_of(on({0, 1, 8, 9})), "racks:2/2+2");
}

TEST(Locality, HasANameForTheResults) {
  EXPECT_STREQ(name(Locality::across_racks), "across_racks");
  EXPECT_STREQ(name(WaitCause::fragmentation), "fragmentation");
  EXPECT_STREQ(name(EndReason::out_of_memory), "out_of_memory");
  EXPECT_STREQ(name(JobState::stopping), "stopping");
}

TEST(Cluster, AllocateTakesLanesAndReleaseFreesThem) {
  Cluster cluster(shape(1, 2, 2));

  cluster.allocate(JobId{0}, AttemptId{0}, slots(cluster, {0, 1}), Bytes{4e9});
  EXPECT_EQ(cluster.idle_gpus(), 0);
  EXPECT_EQ(cluster.free_lane(GpuId{1}), LaneId{3});
  EXPECT_EQ(cluster.gpu(GpuId{0}).used_memory(), Bytes{4e9});
  EXPECT_EQ(cluster.gpus_below(2), 2);
  cluster.release(AttemptId{0});

  EXPECT_EQ(cluster.idle_gpus(), 2);
  EXPECT_EQ(cluster.free_lane(GpuId{1}), LaneId{2});
}

TEST(Cluster, RefusesATakenSlotAndChangesNothing) {
  Cluster cluster(shape(1, 2));
  const Allocation both = slots(cluster, {0, 1});
  cluster.allocate(JobId{0}, AttemptId{0}, slots(cluster, {1}), Bytes{});

  EXPECT_THROW(cluster.allocate(JobId{1}, AttemptId{1}, both, Bytes{}), InternalError);

  EXPECT_TRUE(cluster.gpu(GpuId{0}).idle());
  EXPECT_EQ(cluster.idle_gpus(), 1);
}

TEST(Cluster, RefusesTwoReplicasOfOneJobOnAGpu) {
  Cluster cluster(shape(1, 1, 2));
  const Allocation twice{{{GpuId{0}, LaneId{0}}, {GpuId{0}, LaneId{1}}}};
  EXPECT_THROW(cluster.allocate(JobId{0}, AttemptId{0}, twice, Bytes{}), InternalError);
  cluster.allocate(JobId{0}, AttemptId{0}, {{{GpuId{0}, LaneId{0}}}}, Bytes{});

  EXPECT_THROW(cluster.allocate(JobId{0}, AttemptId{1}, {{{GpuId{0}, LaneId{1}}}}, Bytes{}),
               InternalError);
}

TEST(Cluster, RefusesForeignLanesAndUnknownReleases) {
  Cluster cluster(shape(1, 2));

  EXPECT_THROW(cluster.allocate(JobId{0}, AttemptId{0}, {{{GpuId{0}, LaneId{1}}}}, Bytes{}),
               InternalError);
  EXPECT_THROW(cluster.release(AttemptId{7}), InternalError);
}

TEST(Cluster, ANodeThatIsDownOffersNothing) {
  Cluster cluster(shape(2, 2));

  cluster.set_node_up(NodeId{0}, false);

  EXPECT_EQ(cluster.idle_gpus(), 2);
  EXPECT_EQ(cluster.free_gpus().count(NodeId{0}), 0);
  EXPECT_THROW(cluster.allocate(JobId{0}, AttemptId{0}, {{{GpuId{0}, LaneId{0}}}}, Bytes{}),
               InternalError);
}

TEST(Cluster, AttemptsOnANodeThatWentDownAreReleasedLater) {
  Cluster cluster(shape(2, 2));
  cluster.allocate(JobId{0}, AttemptId{0}, slots(cluster, {0}), Bytes{});
  cluster.set_node_up(NodeId{0}, false);

  cluster.release(AttemptId{0});
  cluster.set_node_up(NodeId{0}, true);

  EXPECT_EQ(cluster.idle_gpus(), 4);
  EXPECT_EQ(cluster.free_gpus().total(), 4);
}

TEST(Cluster, AWithheldGpuIsIdleButNotOffered) {
  Cluster cluster(shape(1, 2));

  cluster.withhold(GpuId{0});
  cluster.withhold(GpuId{0});
  cluster.offer(GpuId{0});

  EXPECT_EQ(cluster.idle_gpus(), 2);
  EXPECT_EQ(cluster.free_gpus().total(), 1);
  cluster.offer(GpuId{0});
  EXPECT_EQ(cluster.free_gpus().total(), 2);
  EXPECT_THROW(cluster.offer(GpuId{0}), InternalError);
}

TEST(Cluster, VacateAndReoccupyLeaveTheBooksAsTheyWere) {
  Cluster cluster(shape(1, 2));
  cluster.allocate(JobId{3}, AttemptId{5}, slots(cluster, {1}), Bytes{1e9});

  cluster.vacate(AttemptId{5});
  EXPECT_EQ(cluster.free_gpus().total(), 2);
  cluster.reoccupy(AttemptId{5});

  EXPECT_EQ(cluster.free_gpus().total(), 1);
  EXPECT_EQ(cluster.gpu(GpuId{1}).tenants.at(0).job, JobId{3});
  EXPECT_EQ(cluster.holding(AttemptId{5}).memory, Bytes{1e9});
}

TEST(NodeIndex, FindsTheFirstNodeWithExactlyThatManyBeyondOneWord) {
  ClusterShape s = shape(200, 8);
  s.nodes_per_rack = 50;
  NodeIndex index(s);
  for (int node = 0; node < 200; ++node) index.set(NodeId{node}, node == 130 ? 3 : 5);

  EXPECT_EQ(index.first_with(3, index.all_nodes()), NodeId{130});
  EXPECT_EQ(index.first_with(5, {130, 200}), NodeId{131});
  EXPECT_FALSE(index.first_with(3, {131, 200}));
  EXPECT_FALSE(index.first_with(3, {64, 130}));
  EXPECT_EQ(index.in_rack(RackId{2}), 50 * 5 - 2);
  EXPECT_EQ(index.total(), 200 * 5 - 2);
}

}  // namespace
}  // namespace mimus::scheduler::test
