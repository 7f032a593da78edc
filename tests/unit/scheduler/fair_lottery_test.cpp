// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/fair_lottery.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/cache/view_sets.hpp"

namespace mimus::scheduler {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

constexpr double kChance = 1e-6;

std::vector<double> lottery(const Worth& worth, std::vector<double> weights) {
  return fair_lottery(worth, weights);
}

// Each tenant gets its own set with probability w ÷ Σw, as log x1 + log x2 is largest at 1/2.
TEST(FairLottery, TwoTenantsOfDisjointDataShareOneSlotEqually) {
  EXPECT_THAT(lottery({{1, 0}, {0, 1}}, {1, 1}), Pointwise(DoubleNear(kChance), {0.5, 0.5}));
}

TEST(FairLottery, WeightsDivideTheSlot) {
  EXPECT_THAT(lottery({{1, 0}, {0, 1}}, {2, 1}),
              Pointwise(DoubleNear(kChance), {2.0 / 3, 1.0 / 3}));
}

// Two of three share A: the sum is 2·log x + log (1 − x). The set that is worth most to all
// together would be A with certainty.
TEST(FairLottery, TenantsThatShareADataSetPoolTheirChances) {
  EXPECT_THAT(lottery({{1, 1, 0}, {0, 0, 1}}, {1, 1, 1}),
              Pointwise(DoubleNear(kChance), {2.0 / 3, 1.0 / 3}));
}

// Three unit views, two slots, a tenant for each: every pair a third, and each has two thirds.
TEST(FairLottery, ThreeViewsInTwoSlotsAreDrawnInPairs) {
  const std::vector<View> views{{1, {1, 0, 0}}, {1, {0, 1, 0}}, {1, {0, 0, 1}}};
  const auto sets = view_sets(views, 2.0, 45, RandomStream(1, "views"));
  Worth worth;
  for (const ViewSet& set : sets) {
    std::vector<double> of(3, 0.0);
    for (const std::size_t view : set) of[view] = 1.0;
    worth.push_back(of);
  }

  const auto chances = lottery(worth, {1, 1, 1});

  EXPECT_THAT(sets, ElementsAre(ElementsAre(0, 1), ElementsAre(0, 2), ElementsAre(1, 2)));
  EXPECT_THAT(chances, Pointwise(DoubleNear(kChance), {1.0 / 3, 1.0 / 3, 1.0 / 3}));
  for (std::size_t i = 0; i < 3; ++i) {
    double value = 0.0;
    for (std::size_t s = 0; s < sets.size(); ++s) value += chances[s] * worth[s][i];
    EXPECT_NEAR(value, 2.0 / 3, kChance);
  }
}

// A compromise that is worth 0.8 to both beats the lottery between the extremes, 0.5 to both.
TEST(FairLottery, PrefersACompromiseThatBothValue) {
  EXPECT_THAT(lottery({{1, 0}, {0, 1}, {0.8, 0.8}}, {1, 1}),
              Pointwise(DoubleNear(1e-4), {0.0, 0.0, 1.0}));
}

/// Twenty views of sizes 1..5 for four tenants, at random.
std::vector<View> random_views(std::uint64_t seed) {
  RandomStream random(seed, "views of a test");
  std::vector<View> views(20);
  for (View& view : views) {
    view.size = random.uniform(1.0, 5.0);
    view.benefits.assign(4, 0.0);
    view.benefits[static_cast<std::size_t>(random.below(4))] = random.uniform(0.5, 2.0);
    view.benefits[static_cast<std::size_t>(random.below(4))] += random.uniform(0.0, 1.0);
  }
  for (std::size_t i = 0; i < 4; ++i) views[i].benefits[i] += 1.0;
  return views;
}

Worth worth_of(const std::vector<View>& views, const std::vector<ViewSet>& sets) {
  Worth worth(sets.size(), std::vector<double>(4, 0.0));
  std::array<double, 4> best{};
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (const std::size_t view : sets[s]) worth[s][i] += views[view].benefits[i];
      best[i] = std::max(best[i], worth[s][i]);
    }
  }
  for (auto& of : worth) {
    for (std::size_t i = 0; i < 4; ++i) of[i] /= best[i];
  }
  return worth;
}

// The optimum has Σ wᵢ·Vᵢ(S) ÷ Vᵢ(x) <= Σw for every S. Summed over the tenants alone in turn this
// is the sharing incentive: each has at least its weight's share of what it could have.
TEST(FairLottery, IsOptimalAndSharesFairlyWhereSetsWerePruned) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto views = random_views(seed);
    const auto sets = view_sets(views, 12.0, 80, RandomStream(seed, "robus"));
    const Worth worth = worth_of(views, sets);
    const std::vector<double> weights{1, 2, 1, 3};

    const auto chances = fair_lottery(worth, weights);

    EXPECT_NEAR(std::accumulate(chances.begin(), chances.end(), 0.0), 1.0, 1e-9);
    std::vector<double> values(4, 0.0);
    for (std::size_t s = 0; s < sets.size(); ++s) {
      for (std::size_t i = 0; i < 4; ++i) values[i] += chances[s] * worth[s][i];
    }
    for (const auto& of : worth) {
      double factor = 0.0;
      for (std::size_t i = 0; i < 4; ++i) factor += weights[i] * of[i] / values[i];
      EXPECT_LE(factor, 7.0 * (1 + 1e-3)) << "seed " << seed;
    }
    for (std::size_t i = 0; i < 4; ++i) EXPECT_GE(values[i], 0.999 * weights[i] / 7.0);
  }
}

TEST(ViewSets, AllFitAndNothingFitsBeside) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto views = random_views(seed);
    for (const ViewSet& set : view_sets(views, 12.0, 80, RandomStream(seed, "robus"))) {
      std::vector<bool> in(views.size(), false);
      double size = 0.0;
      for (const std::size_t view : set) {
        size += views[view].size;
        in[view] = true;
      }
      EXPECT_LE(size, 12.0 + 1e-6);
      for (std::size_t v = 0; v < views.size(); ++v) {
        if (in[v]) continue;
        EXPECT_GT(size + views[v].size, 12.0) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace mimus::scheduler
