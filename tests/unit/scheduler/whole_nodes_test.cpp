// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/whole_nodes.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "builders.hpp"
#include "planned.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;

struct NodesOfFour : ::testing::Test {
  explicit NodesOfFour(int nodes = 3) : cluster(shape(nodes, 4)), placer(4 * nodes, false) {}

  std::vector<std::vector<int>> places(const std::vector<GangToPlace>& gangs) {
    std::vector<std::vector<int>> all;
    for (const Allocation& place : place_on_whole_nodes(gangs, cluster, placer)) {
      all.push_back(gpus_of(place));
    }
    return all;
  }

  Cluster cluster;
  Counter placer;
};

TEST_F(NodesOfFour, TakeTheLargestGangsFirst) {
  EXPECT_THAT(places({{.gpus = 1}, {.gpus = 2}, {.gpus = 8}}),
              ElementsAre(ElementsAre(10), ElementsAre(8, 9), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7)));
}

TEST_F(NodesOfFour, LeaveGangsWhereTheyAre) {
  const Allocation two = slots(cluster, {5, 6});
  const Allocation one = slots(cluster, {9});
  EXPECT_THAT(places({{.gpus = 2, .held = &two}, {.gpus = 4}, {.gpus = 1, .held = &one}}),
              ElementsAre(ElementsAre(5, 6), ElementsAre(0, 1, 2, 3), ElementsAre(9)));
}

// All nodes have a gang; the one on node 2 has the fewest GPUs, and goes to the node that it fills.
TEST_F(NodesOfFour, MoveTheSmallestGangsForALargeOne) {
  const Allocation two = slots(cluster, {0, 1});
  const Allocation other = slots(cluster, {4, 5});
  const Allocation one = slots(cluster, {11});
  EXPECT_THAT(
      places({{.gpus = 2, .held = &two},
              {.gpus = 2, .held = &other},
              {.gpus = 1, .held = &one},
              {.gpus = 4}}),
      ElementsAre(ElementsAre(0, 1), ElementsAre(4, 5), ElementsAre(2), ElementsAre(8, 9, 10, 11)));
}

TEST_F(NodesOfFour, KeepGangsThatStayInSpiteOfLargerOnes) {
  const Allocation two = slots(cluster, {0, 4});
  const Allocation one = slots(cluster, {8});
  EXPECT_THAT(
      places({{.gpus = 2, .held = &two, .stays = true}, {.gpus = 1, .held = &one}, {.gpus = 4}}),
      ElementsAre(ElementsAre(0, 4), ElementsAre(1), ElementsAre(8, 9, 10, 11)));
}

// 3 + 3 + 3 of 12 leave 1 on each node.
TEST_F(NodesOfFour, SpreadAGangThatFindsNoNode) {
  EXPECT_THAT(places({{.gpus = 3}, {.gpus = 3}, {.gpus = 3}, {.gpus = 2}}),
              ElementsAre(ElementsAre(0, 1, 2), ElementsAre(4, 5, 6), ElementsAre(8, 9, 10),
                          ElementsAre(3, 7)));
}

TEST(WholeNodesOfTypes, AreOfTheTypeThatIsAsked) {
  const Cluster cluster(ClusterShape::of_groups({{.nodes = 1, .gpus_per_node = 2, .gpu_type = "A"},
                                                 {.nodes = 2, .gpus_per_node = 4, .gpu_type = "B"}},
                                                3));
  const Counter placer(10, false);
  const std::vector<GangToPlace> gangs{{.type = 1, .gpus = 4}, {.type = 0, .gpus = 2}};
  const auto places = place_on_whole_nodes(gangs, cluster, placer);
  EXPECT_THAT(gpus_of(places[0]), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(gpus_of(places[1]), ElementsAre(0, 1));
}

/// Powers of two up to a node of eight and whole nodes, some of which hold what they had in another
/// random state: none is on more nodes than it needs, and no two gangs of several nodes meet.
TEST(WholeNodes, CoverEveryMixtureOfPowersOfTwo) {
  RandomStream random(2, "whole nodes");
  const Cluster cluster(shape(6, 8));
  const Counter placer(48, false);
  std::vector<Allocation> before;
  for (int round = 0; round < 200; ++round) {
    std::vector<GangToPlace> gangs;
    int left = 48;
    for (const Allocation& place : before) {
      const auto gpus = static_cast<int>(place.slots.size());
      if (random.uniform() < 0.3 || gpus == 0) continue;
      gangs.push_back({.gpus = gpus, .held = &place});
      left -= gpus;
    }
    while (left > 0) {
      const auto power = random.below(6);
      const int gpus = power < 4 ? 1 << power : 8 * static_cast<int>(power - 2);
      if (gpus > left) continue;
      gangs.push_back({.gpus = gpus});
      left -= gpus;
    }
    const auto places = place_on_whole_nodes(gangs, cluster, placer);
    std::set<GpuId> taken;
    for (std::size_t i = 0; i < gangs.size(); ++i) {
      std::set<NodeId> nodes;
      for (const Slot& slot : places[i].slots) {
        EXPECT_TRUE(taken.insert(slot.gpu).second);
        nodes.insert(cluster.shape().node_of(slot.gpu));
      }
      EXPECT_EQ(places[i].slots.size(), static_cast<std::size_t>(gangs[i].gpus));
      EXPECT_EQ(static_cast<int>(nodes.size()), (gangs[i].gpus + 7) / 8) << "round " << round;
    }
    before = places;
  }
}

}  // namespace
}  // namespace mimus::scheduler::test
