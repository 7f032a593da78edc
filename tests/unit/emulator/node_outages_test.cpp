// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/node_outages.hpp"

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

using namespace std::chrono_literals;
using Kind = NodeOutages::Kind;

Instant at(Duration since_start) {
  return Instant{} + since_start;
}

ClusterConfig cluster(int nodes) {
  ClusterConfig config;
  config.shape.nodes = nodes;
  return config;
}

ClusterConfig failing(int nodes, const NodeFailures& failures) {
  ClusterConfig config = cluster(nodes);
  config.node_failures = failures;
  return config;
}

/// Mean times, in hours, for which nodes were up and down.
struct Means {
  double up = 0.0, down = 0.0;
};
Means means_of(NodeOutages& outages, int nodes, int changes) {
  std::vector<Instant> since(static_cast<std::size_t>(nodes));
  double up = 0.0, down = 0.0;
  for (int i = 0; i < changes; ++i) {
    const NodeOutages::Change change = outages.take();
    const Duration span = change.at - since[change.node.index()];
    (change.kind == Kind::goes_down ? up : down) += to_seconds(span) / 3600.0;
    since[change.node.index()] = change.at;
  }
  return {2.0 * up / changes, 2.0 * down / changes};
}

TEST(NodeOutages, AreUpAndDownForAsLongAsStatedOnAverage) {
  for (const double shape : {0.7, 1.0, 2.0}) {
    NodeOutages outages(failing(20, {.between = 100h, .shape = shape, .repair = 4h}), 3);
    const Means means = means_of(outages, 20, 40'000);
    EXPECT_NEAR(means.up / 100.0, 1.0, 0.03) << shape;
    EXPECT_NEAR(means.down / 4.0, 1.0, 1e-3) << shape;  // no spread is stated
  }
  NodeOutages spread(failing(20, {.between = 100h, .repair = 4h, .repair_sigma = 1.0}), 3);
  EXPECT_NEAR(means_of(spread, 20, 40'000).down / 4.0, 1.0, 0.05);
}

TEST(NodeOutages, OfANodeDoNotDependOnHowManyOthersThereAre) {
  const NodeFailures failures{.between = 10h, .repair = 1h};
  NodeOutages one(failing(1, failures), 7);
  NodeOutages many(failing(5, failures), 7);
  NodeOutages other(failing(1, failures), 8);
  EXPECT_NE(other.next(), one.next());
  for (int i = 0; i < 20; ++i) {
    NodeOutages::Change change = many.take();
    while (change.node != NodeId{0}) change = many.take();
    EXPECT_EQ(one.take(), change);
  }
}

TEST(NodeOutages, ThatOverlapAreOne) {
  ClusterConfig config = failing(1, {.between = 10h, .repair = 1h});
  NodeOutages drawn(config, 7);
  const Instant down = drawn.take().at;
  const Instant up = drawn.take().at;
  config.outages = {{NodeId{0}, down - 5min, up - 5min}};

  NodeOutages both(config, 7);

  EXPECT_EQ(both.first_end({NodeId{0}}), down - 5min);
  EXPECT_EQ(both.next(), down - 5min);
  EXPECT_EQ(both.take().kind, Kind::goes_down);
  EXPECT_TRUE(both.may_help());
  EXPECT_EQ(both.next(), up);
  EXPECT_EQ(both.take().kind, Kind::comes_up);
  EXPECT_FALSE(both.may_help());
  EXPECT_NE(both.next(), kNever);
}

TEST(NodeOutages, AFaultStrikesAgainUntilTheNodeIsMended) {
  NodeOutages outages(
      failing(1, {.between = 1000h, .repair = 10h, .faulty = 1.0, .between_faults = 30min}), 5);
  int strikes = 0, faults = 0;
  Instant first{}, last{};
  for (int i = 0; i < 20'000; ++i) {
    const NodeOutages::Change change = outages.take();
    EXPECT_EQ(change.kind, Kind::fault);
    if (strikes == 0 || change.at - first >= 10h) {
      first = change.at;
      ++faults;
    }
    EXPECT_GE(change.at, last);
    last = change.at;
    ++strikes;
  }
  EXPECT_NEAR(static_cast<double>(strikes) / faults, 21.0,
              0.7);  // the first one, and 10 h / 30 min
  EXPECT_FALSE(outages.may_help());
}

TEST(NodeOutages, StatedOnesEnd) {
  ClusterConfig config = cluster(2);
  config.outages = {{NodeId{0}, at(5s), at(9s)}, {NodeId{1}, at(9s), at(12s)}};
  NodeOutages outages(config, 1);
  EXPECT_EQ(outages.first_end({NodeId{1}}), at(9s));
  std::vector<std::pair<Instant, Kind>> all;
  while (outages.next() != kNever) {
    EXPECT_TRUE(outages.may_help());
    const auto change = outages.take();
    all.emplace_back(change.at, change.kind);
  }
  const std::vector<std::pair<Instant, Kind>> expected{{at(5s), Kind::goes_down},
                                                       {at(9s), Kind::goes_down},
                                                       {at(9s), Kind::comes_up},
                                                       {at(12s), Kind::comes_up}};
  EXPECT_EQ(all, expected);
  EXPECT_FALSE(outages.may_help());
}

}  // namespace
}  // namespace mimus::emulator
