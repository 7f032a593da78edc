// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/contention/max_min.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace mimus::emulator {
namespace {

TEST(MaxMinRates, DemandsThatFitAreGranted) {
  const std::vector<SharedLink> links{{10.0, {0, 1}}};

  EXPECT_EQ(max_min_rates(std::vector{3.0, 4.0}, links), (std::vector{3.0, 4.0}));
}

// 10 among three flows: the small one keeps its 2, and the others share the other 8.
TEST(MaxMinRates, WhatAModestFlowLeavesIsSharedByTheOthers) {
  const std::vector<SharedLink> links{{10.0, {0, 1, 2}}};

  EXPECT_EQ(max_min_rates(std::vector{2.0, 9.0, 9.0}, links), (std::vector{2.0, 4.0, 4.0}));
}

// The line network of Bertsekas and Gallager: flow 0 over both links, 1 and 2 on the first, 3 on
// the second. The first link gives 1/3 each. The second has 1 − 1/3 left for flow 3.
TEST(MaxMinRates, AFlowIsHeldBackByItsNarrowestLinkOnly) {
  const std::vector<SharedLink> links{{1.0, {0, 1, 2}}, {1.0, {0, 3}}};

  const auto rates = max_min_rates(std::vector{1.0, 1.0, 1.0, 1.0}, links);

  EXPECT_NEAR(rates[0], 1.0 / 3, 1e-15);
  EXPECT_NEAR(rates[2], 1.0 / 3, 1e-15);
  EXPECT_NEAR(rates[3], 2.0 / 3, 1e-15);
}

struct Net {
  std::vector<double> demands;
  std::vector<SharedLink> links;
};

Net any_net() {
  Net net;
  const auto flows = static_cast<std::size_t>(*rc::gen::inRange(1, 9));
  for (std::size_t i = 0; i < flows; ++i) net.demands.push_back(*rc::gen::inRange(1, 100) / 7.0);
  for (int i = *rc::gen::inRange(1, 7); i > 0; --i) {
    SharedLink link{*rc::gen::inRange(1, 100) / 3.0, {}};
    for (std::size_t flow = 0; flow < flows; ++flow) {
      if (*rc::gen::arbitrary<bool>()) link.flows.push_back(flow);
    }
    net.links.push_back(link);
  }
  return net;
}

double load_of(const SharedLink& link, const std::vector<double>& rates) {
  return std::accumulate(link.flows.begin(), link.flows.end(), 0.0,
                         [&](double sum, std::size_t flow) { return sum + rates[flow]; });
}

TEST(MaxMinRates, NoFlowCanGetMoreWithoutTakingFromAPoorerOne) {
  EXPECT_TRUE(rc::check([] {
    const Net net = any_net();
    const auto rates = max_min_rates(net.demands, net.links);
    for (const auto& link : net.links) RC_ASSERT(load_of(link, rates) <= link.capacity + 1e-9);
    for (std::size_t flow = 0; flow < rates.size(); ++flow) {
      RC_ASSERT(rates[flow] > 0.0);
      RC_ASSERT(rates[flow] <= net.demands[flow]);
      if (rates[flow] >= net.demands[flow] - 1e-9) continue;
      // It has a bottleneck: a full link on which no flow has more.
      const bool held = std::any_of(net.links.begin(), net.links.end(), [&](const auto& link) {
        const auto& on = link.flows;
        return std::find(on.begin(), on.end(), flow) != on.end() &&
               load_of(link, rates) >= link.capacity - 1e-9 &&
               std::all_of(on.begin(), on.end(),
                           [&](std::size_t other) { return rates[other] <= rates[flow] + 1e-9; });
      });
      RC_ASSERT(held);
    }
  }));
}

TEST(MaxMinRates, FlowsThatAreNotConnectedDoNotChangeEachOther) {
  EXPECT_TRUE(rc::check([] {
    const Net one = any_net();
    const Net two = any_net();
    Net both = one;
    both.demands.insert(both.demands.end(), two.demands.begin(), two.demands.end());
    for (SharedLink link : two.links) {
      for (std::size_t& flow : link.flows) flow += one.demands.size();
      both.links.push_back(link);
    }
    auto apart = max_min_rates(one.demands, one.links);
    const auto other = max_min_rates(two.demands, two.links);
    apart.insert(apart.end(), other.begin(), other.end());
    RC_ASSERT(max_min_rates(both.demands, both.links) == apart);
  }));
}

}  // namespace
}  // namespace mimus::emulator
