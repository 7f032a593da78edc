// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/placement/locality/relaxed.hpp"
#include "scheduler/placement/locality/strict.hpp"
#include "scheduler/placement/pack.hpp"
#include "scheduler/placement/spread.hpp"
#include "scheduler/sharing/exclusive.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;

/// A cluster on which the GPUs of `taken` are held by other jobs.
class Occupied {
 public:
  Occupied(const ClusterShape& shape, const std::vector<int>& taken) : cluster_(shape) {
    int id = 1000;
    for (const int gpu : taken) {
      cluster_.allocate(JobId{id}, AttemptId{id}, slots(cluster_, {gpu}), Bytes{});
      ++id;
    }
  }
  [[nodiscard]] std::vector<int> place(const Placement& placement, int gang, int level = 0) const {
    const Exclusive sharing;
    const GpuFilter idle{Tier::idle, {}};
    const FreeGpus free(cluster_, sharing, idle, cluster_.free_gpus());
    const auto found = placement.place(free, {.gang = gang, .memory = {}, .level = level});
    return found ? gpus_of(*found) : std::vector<int>{};
  }

 private:
  Cluster cluster_;
};

ClusterShape racks(int nodes, int gpus_per_node, int nodes_per_rack) {
  ClusterShape s = shape(nodes, gpus_per_node);
  s.nodes_per_rack = nodes_per_rack;
  return s;
}

TEST(Pack, TakesTheNodeThatFitsBest) {
  // Free: node 0 has 4, node 1 has 2, node 2 has 3.
  const Occupied cluster(shape(3, 4), {4, 5, 8});

  EXPECT_THAT(cluster.place(Pack(), 2), ElementsAre(6, 7));
  EXPECT_THAT(cluster.place(Pack(), 3), ElementsAre(9, 10, 11));
  EXPECT_THAT(cluster.place(Pack(), 4), ElementsAre(0, 1, 2, 3));
}

TEST(Pack, TakesTheFewestNodesAndTheRemainderByBestFit) {
  // Free: 4, 2, 3 of 4. A gang of 6 takes all of node 0 and the 2 of node 1, not 2 of node 2.
  const Occupied cluster(shape(3, 4), {4, 5, 8});

  EXPECT_THAT(cluster.place(Pack(), 6), ElementsAre(0, 1, 2, 3, 6, 7));
  EXPECT_THAT(cluster.place(Pack(), 9), ElementsAre(0, 1, 2, 3, 6, 7, 9, 10, 11));
  EXPECT_TRUE(cluster.place(Pack(), 10).empty());
}

TEST(Pack, DoesNotTakeTheSameNodeTwice) {
  // Free: 2, 2. The remainder after node 0 must come from node 1, although both offer two.
  const Occupied cluster(shape(2, 2), {});

  EXPECT_THAT(cluster.place(Pack(), 4), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(cluster.place(Pack(), 3), ElementsAre(0, 1, 2));
}

TEST(Pack, PrefersOneRackAmongEquallyFewNodes) {
  // Racks {0,1} and {2,3}; free: 2, 1, 2, 2 of 2. Two nodes are needed for 4 GPUs: rack 1.
  const Occupied cluster(racks(4, 2, 2), {2});

  EXPECT_THAT(cluster.place(Pack(), 4), ElementsAre(4, 5, 6, 7));
}

TEST(Pack, KeepsAGangOnOneIslandWhereItCan) {
  // One node with islands {0..3} and {4..7}; GPU 1 is taken, so three are free on the first.
  ClusterShape s = shape(1, 8);
  s.gpus_per_island = 4;
  const Occupied cluster(s, {1});

  EXPECT_THAT(cluster.place(Pack(), 3), ElementsAre(0, 2, 3));
  EXPECT_THAT(cluster.place(Pack(), 4), ElementsAre(4, 5, 6, 7));
}

TEST(Spread, TakesOneGpuPerNodeFromTheEmptiest) {
  // Free: 1, 4, 3 of 4.
  const Occupied cluster(shape(3, 4), {0, 1, 2, 8});

  EXPECT_THAT(cluster.place(Spread(), 2), ElementsAre(4, 9));
  EXPECT_THAT(cluster.place(Spread(), 3), ElementsAre(3, 4, 9));
}

TEST(Spread, GoesRoundAgainWhenTheGangIsLargerThanTheNodes) {
  const Occupied cluster(shape(3, 4), {0, 1, 2, 8});

  // First round 1+1+1 on nodes 1, 2, 0; then node 0 is used up and nodes 1, 2, 1, 2, 1 follow.
  EXPECT_THAT(cluster.place(Spread(), 8), ElementsAre(3, 4, 5, 6, 7, 9, 10, 11));
  EXPECT_TRUE(cluster.place(Spread(), 9).empty());
}

TEST(Strict, WaitsUntilOneNodeTakesTheGang) {
  EXPECT_TRUE(Occupied(shape(2, 4), {0, 4}).place(Strict(), 4).empty());
  EXPECT_THAT(Occupied(shape(2, 4), {0}).place(Strict(), 4), ElementsAre(4, 5, 6, 7));
}

TEST(Strict, TakesTheLeastNumberOfNodesInOneRack) {
  // Racks of two nodes of 4. Six GPUs need two nodes of one rack: rack 0 has 4+1, rack 1 has 3+3.
  const Occupied cluster(racks(4, 4, 2), {5, 6, 7, 8, 12});

  EXPECT_THAT(cluster.place(Strict(), 6), ElementsAre(9, 10, 11, 13, 14, 15));
  EXPECT_TRUE(cluster.place(Strict(), 7).empty());
}

TEST(Strict, SpansRacksOnlyForGangsLargerThanARack) {
  const Occupied cluster(racks(4, 2, 2), {});

  EXPECT_EQ(cluster.place(Strict(), 6).size(), 6U);
  EXPECT_EQ(cluster.place(Strict(), 8).size(), 8U);
}

TEST(Strict, PutsSingleNodeGangsIntoTheRackWithTheMostFreeGpus) {
  // Rack 0 has 3 of 4 free, rack 1 all; best fit inside rack 1 is its first node.
  const Occupied cluster(racks(4, 2, 2), {0});

  EXPECT_THAT(cluster.place(Strict(), 1), ElementsAre(4));
}

TEST(Relaxed, AcceptsWorseLocalityLevelByLevel) {
  // Racks of two nodes of 4; each node has 2 free.
  const Occupied cluster(racks(4, 4, 2), {0, 1, 4, 5, 8, 9, 12, 13});

  EXPECT_TRUE(cluster.place(Relaxed({}), 4, 0).empty());
  EXPECT_THAT(cluster.place(Relaxed({}), 4, 1), ElementsAre(2, 3, 6, 7));
  EXPECT_TRUE(cluster.place(Relaxed({}), 5, 1).empty());
  EXPECT_THAT(cluster.place(Relaxed({}), 5, 2), ElementsAre(2, 3, 6, 7, 10));
}

TEST(Relaxed, RelaxesAfterItsTwoTimeouts) {
  const Relaxed placement({.rack_after = seconds(120), .any_after = seconds(240)});
  JobView waiting = job(0);
  waiting.queued_since = at(100);

  EXPECT_EQ(placement.level(waiting, at(219.999)), 0);
  EXPECT_EQ(placement.next_level(waiting, at(100)), at(220));
  EXPECT_EQ(placement.level(waiting, at(220)), 1);
  EXPECT_EQ(placement.next_level(waiting, at(220)), at(340));
  EXPECT_EQ(placement.level(waiting, at(340)), 2);
  EXPECT_EQ(placement.next_level(waiting, at(340)), kNever);
}

}  // namespace
}  // namespace mimus::scheduler::test
