// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/power/utility_band.hpp"

#include <cmath>
#include <initializer_list>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// 1.2 ÷ √n is 0.537 for 5 nodes and 0.490 for 6.
TEST(NodesNearest, FindsTheUtilityNextToTheTarget) {
  const auto utility = [](int nodes) { return 1.2 / std::sqrt(nodes); };
  for (int first = 1; first <= 16; ++first) {
    EXPECT_EQ(nodes_nearest(0.5, 1, 16, first, utility), 6) << first;
    EXPECT_EQ(nodes_nearest(0.52, 1, 16, first, utility), 5) << first;
    EXPECT_EQ(nodes_nearest(0.5, 7, 16, first, utility), 7) << first;
    EXPECT_EQ(nodes_nearest(0.5, 1, 4, first, utility), 4) << first;
    EXPECT_EQ(nodes_nearest(0.5, 3, 3, first, utility), 3) << first;
  }
}

// 0.75 for 2 nodes, 0.25 for 3.
TEST(NodesNearest, TakesTheLargerOfTwoThatAreEquallyNear) {
  EXPECT_EQ(nodes_nearest(0.5, 2, 3, 2, [](int nodes) { return 1.75 - 0.5 * nodes; }), 3);
}

TEST(NodesNearest, TriesNoNumberTwiceAndFewOfThem) {
  int tries = 0;
  const auto utility = [&](int nodes) {
    ++tries;
    return 30.0 / nodes;
  };

  EXPECT_EQ(nodes_nearest(0.5, 1, 1024, 1, utility), 60);
  EXPECT_LE(tries, 12);
}

/// A value at every round, and on n nodes the value of `of` ÷ √n per GPU.
class Law final : public NodeValue {
 public:
  Law(double now, double per_gpu, int gpus_per_node = 4)
      : now_(now), per_gpu_(per_gpu), gpus_per_node_(gpus_per_node) {}
  [[nodiscard]] double now() const override { return now_; }
  [[nodiscard]] double of(std::span<const NodeId> nodes) override {
    return per_gpu_ * gpus_per_node_ * std::sqrt(static_cast<double>(nodes.size()));
  }
  [[nodiscard]] int least_gpus() const override { return gang; }
  int gang = 1;

 private:
  double now_, per_gpu_;
  int gpus_per_node_;
};

/// 16 nodes of four GPUs, rounds of 60 s with the given values, and nothing else.
class Rounds {
 public:
  explicit Rounds(const UtilityBand::Settings& settings, int nodes = 16)
      : cluster(shape(nodes, 4)), band_(settings) {}

  /// The number of nodes that are not asleep after rounds in which their GPUs have these utilities.
  int after(std::initializer_list<double> utilities, double per_gpu = 1.2) {
    for (const double utility : utilities) {
      Law law(utility * 4 * awake_, per_gpu);
      law.gang = gang;
      band_.weigh(cluster, law);
      now_ += seconds(60);
      awake_ = cluster.shape().nodes - static_cast<int>(decide().asleep.size());
    }
    return awake_;
  }
  PowerDecision decide() { return band_.decide({cluster, {}, now_}); }
  PowerDecision decide_in(double later) {
    now_ += seconds(later);
    return decide();
  }
  [[nodiscard]] Instant wakes_at() { return band_.observe({cluster, {}, now_}); }
  [[nodiscard]] Instant now() const { return now_; }

  Cluster cluster;
  int gang = 1;

 private:
  UtilityBand band_;
  Instant now_{};
  int awake_ = 1;
};

UtilityBand::Settings window_of(int rounds) {
  UtilityBand::Settings settings;
  settings.window = rounds;
  return settings;
}

// The first round of a window does not count; (0.6 + 0.68 + 0.7) ÷ 3 = 0.66.
TEST(UtilityBand, ActsOnTheMeanOfAWindow) {
  Rounds above(window_of(3)), within(window_of(3));

  EXPECT_EQ(above.after({9.0, 0.6, 0.68}), 1);
  EXPECT_EQ(above.after({0.7}), 6);
  EXPECT_EQ(within.after({9.0, 0.6, 0.64, 0.7}), 1);
  EXPECT_EQ(within.after({0.62}), 6);  // (0.64 + 0.7 + 0.62) ÷ 3
}

TEST(UtilityBand, BeginsANewWindowAfterItHasActed) {
  Rounds rounds(window_of(2));
  ASSERT_EQ(rounds.after({1.0, 1.0, 1.0}), 6);

  EXPECT_EQ(rounds.after({0.1, 0.1}, 0.55), 6);
  EXPECT_EQ(rounds.after({0.1}, 0.55), 1);  // 0.55, and 0.39 for two
}

TEST(UtilityBand, HasTheThresholdsOfPolluxAsDefaults) {
  Rounds rounds({});
  for (int i = 0; i < 15; ++i) EXPECT_EQ(rounds.after({0.66}), 1);

  EXPECT_EQ(rounds.after({0.66}), 6);

  for (int i = 0; i < 40; ++i) EXPECT_EQ(rounds.after({0.36}, 0.6), 6);
}

TEST(UtilityBand, StaysWithinItsLimits) {
  UtilityBand::Settings settings = window_of(1);
  settings.least_nodes = 3;
  settings.most_nodes = 5;
  Rounds rounds(settings);

  EXPECT_EQ(rounds.after({0.1, 0.1}, 0.1), 3);
  EXPECT_EQ(rounds.after({1.0, 1.0}), 5);
  EXPECT_EQ(rounds.after({1.0, 1.0, 1.0, 1.0}), 5);
  EXPECT_EQ(rounds.after({0.1, 0.1}, 0.1), 3);
}

TEST(UtilityBand, HasNodesForGangsThatCannotShrink) {
  Rounds rounds(window_of(9));
  ASSERT_EQ(rounds.after({0.5}), 1);
  rounds.gang = 9;

  EXPECT_EQ(rounds.after({0.5}), 3);
}

// Nodes 0 to 5 are in use, of which the utility then asks for one.
TEST(UtilityBand, LetsANodeSleepOnceItsJobsHaveLeftIt) {
  Rounds rounds(window_of(1));
  ASSERT_EQ(rounds.after({1.0, 1.0}), 6);
  rounds.cluster.allocate(JobId{0}, AttemptId{0}, slots(rounds.cluster, {0, 9, 10}), {});

  (void)rounds.after({0.1, 0.1}, 0.55);
  const PowerDecision occupied = rounds.decide();
  rounds.cluster.release(AttemptId{0});
  const PowerDecision left = rounds.decide();

  EXPECT_THAT(occupied.leaving, ElementsAre(NodeId{2}));
  EXPECT_EQ(occupied.asleep.size(), 14U);
  EXPECT_THAT(left.leaving, IsEmpty());
  EXPECT_EQ(left.asleep.size(), 15U);
}

TEST(UtilityBand, NodesThatAreAddedTakeAWhileToBoot) {
  UtilityBand::Settings settings = window_of(1);
  settings.boot = seconds(90);
  Rounds rounds(settings, 4);
  (void)rounds.after({1.0, 1.0}, 0.85);  // 0.85 ÷ √3 = 0.49

  EXPECT_THAT(rounds.decide().booting, ElementsAre(NodeId{1}, NodeId{2}));
  EXPECT_EQ(rounds.wakes_at(), rounds.now() + seconds(90));
  EXPECT_THAT(rounds.decide_in(90).booting, IsEmpty());
  EXPECT_THAT(rounds.decide().asleep, ElementsAre(NodeId{3}));
  EXPECT_EQ(rounds.wakes_at(), kNever);
}

// Until the next round the node that comes back is in use beside the one that replaced it.
TEST(UtilityBand, ReplacesANodeThatGoesDown) {
  UtilityBand::Settings settings = window_of(9);
  settings.least_nodes = 2;
  Rounds rounds(settings, 4);
  ASSERT_EQ(rounds.after({0.5}), 2);

  rounds.cluster.set_node_up(NodeId{0}, false);
  EXPECT_THAT(rounds.decide().asleep, ElementsAre(NodeId{3}));
  rounds.cluster.set_node_up(NodeId{0}, true);
  EXPECT_THAT(rounds.decide().asleep, ElementsAre(NodeId{3}));
  (void)rounds.after({0.5});
  EXPECT_THAT(rounds.decide().asleep, ElementsAre(NodeId{2}, NodeId{3}));
}

TEST(UtilityBand, NeedsAPlannerThatValuesNodes) {
  const auto message = [](const std::string& yaml) -> std::string {
    try {
      (void)policy(yaml);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };

  EXPECT_EQ(message("{planner: search, power: utility_band}"), "");
  EXPECT_THAT(message("{power: utility_band}"), HasSubstr("set planner: search"));
  EXPECT_THAT(message("{planner: greedy, power: utility_band}"),
              HasSubstr("\"greedy\" cannot say"));
  EXPECT_THAT(message("{planner: search, power: {name: utility_band, low: 0.7}}"),
              HasSubstr("must be above low"));
  EXPECT_THAT(
      message("{planner: search, power: {name: utility_band, least_nodes: 3, most_nodes: 2}}"),
      HasSubstr("must not be less than least_nodes"));
}

}  // namespace
}  // namespace mimus::scheduler::test
