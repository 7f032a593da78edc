// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/data/fair_rates.hpp"

#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.hpp"

namespace mimus::emulator {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

ReadDemand demand(double rate, std::vector<std::pair<int, int>> replicas) {
  ReadDemand one{rate, {}};
  for (const auto& [node, count] : replicas) one.replicas.emplace_back(NodeId{node}, count);
  return one;
}

std::vector<double> shared(const std::vector<ReadDemand>& demands, double storage, double link) {
  return fair_rates(demands, storage, link);
}

TEST(FairRates, ThatSufficeAreGiven) {
  EXPECT_THAT(shared({demand(3, {{0, 1}}), demand(4, {{1, 1}})}, 7, 4),
              Pointwise(DoubleNear(1e-9), {3.0, 4.0}));
  EXPECT_THAT(shared({demand(3, {{0, 1}})}, kNoLimit, kNoLimit),
              Pointwise(DoubleNear(1e-9), {3.0}));
}

// The first asks for less than a third, and the others share what it leaves.
TEST(FairRates, WhatOneLeavesGoesToTheOthers) {
  EXPECT_THAT(shared({demand(1, {{0, 1}}), demand(9, {{1, 1}}), demand(9, {{2, 1}})}, 9, kNoLimit),
              Pointwise(DoubleNear(1e-9), {1.0, 4.0, 4.0}));
}

TEST(FairRates, AreSharedByReplicas) {
  EXPECT_THAT(shared({demand(9, {{0, 1}}), demand(9, {{1, 2}})}, 9, kNoLimit),
              Pointwise(DoubleNear(1e-9), {3.0, 6.0}));
}

// Node 0 carries two gangs at 2 each; the third gets what is left of the storage.
TEST(FairRates, ALinkHoldsThoseWhoCrossIt) {
  EXPECT_THAT(shared({demand(9, {{0, 1}}), demand(9, {{0, 1}}), demand(9, {{1, 1}})}, 8, 4),
              Pointwise(DoubleNear(1e-9), {2.0, 2.0, 4.0}));
}

// A gang over two nodes is as slow as its replica on the crowded one: 4 ÷ 2 for each replica there.
TEST(FairRates, AGangReadsAlikeByAllItsReplicas) {
  EXPECT_THAT(shared({demand(9, {{0, 1}, {1, 1}}), demand(9, {{0, 1}})}, kNoLimit, 4),
              Pointwise(DoubleNear(1e-9), {4.0, 2.0}));
}

// No link is overfull, and who gets less than it asks for has a full link on which no other gang
// has more per replica.
TEST(FairRates, AreMaxMinFair) {
  RandomStream random(3, "fair rates");
  for (int run = 0; run < 200; ++run) {
    std::vector<ReadDemand> demands;
    for (int i = 0; i < 12; ++i) {
      const int node = static_cast<int>(random.below(4));
      const int count = static_cast<int>(1 + random.below(3));
      demands.push_back(demand(random.uniform(0.1, 9), {{node, count}, {node + 1, 1}}));
    }
    const double storage = random.uniform(5, 60), link = random.uniform(3, 20);

    const auto rates = shared(demands, storage, link);

    std::map<NodeId, double> load, highest;
    const auto for_links = [&](std::size_t i, auto&& act) {
      double all = 0;
      for (const auto& [node, count] : demands[i].replicas) all += count;
      act(NodeId{}, rates[i], rates[i] / all);
      for (const auto& [node, count] : demands[i].replicas) {
        act(node, rates[i] / all * count, rates[i] / all);
      }
    };
    for (std::size_t i = 0; i < rates.size(); ++i) {
      for_links(i, [&](NodeId on, double rate, double level) {
        load[on] += rate;
        highest[on] = std::max(highest[on], level);
      });
    }
    for (const auto& [on, rate] : load) EXPECT_LE(rate, (on ? link : storage) * (1 + 1e-9));
    for (std::size_t i = 0; i < rates.size(); ++i) {
      if (rates[i] >= demands[i].rate * (1 - 1e-9)) continue;
      bool held = false;
      for_links(i, [&](NodeId on, double, double level) {
        const bool full = load[on] >= (on ? link : storage) * (1 - 1e-9);
        held = held || (full && level >= highest[on] * (1 - 1e-9));
      });
      EXPECT_TRUE(held) << "run " << run << " gang " << i;
    }
  }
}

}  // namespace
}  // namespace mimus::emulator
