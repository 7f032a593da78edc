// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.hpp"
#include "scheduler/planner/muri/matching.hpp"

namespace mimus::scheduler::test {
namespace {

/// The largest sum by trying all matchings of the vertices that are not in `used`.
std::int64_t best_sum(const EdgeWeights& weights, std::size_t used,
                      std::vector<std::int64_t>& memo) {
  if (memo[used] >= 0) return memo[used];
  std::size_t first = 0;
  while (first < weights.vertices() && (used >> first & 1U) != 0) ++first;
  std::int64_t best = 0;
  if (first < weights.vertices()) {
    const std::size_t without = used | std::size_t{1} << first;
    best = best_sum(weights, without, memo);
    for (std::size_t other = first + 1; other < weights.vertices(); ++other) {
      if ((used >> other & 1U) != 0 || weights.at(first, other) == 0) continue;
      best = std::max(best, weights.at(first, other) +
                                best_sum(weights, without | std::size_t{1} << other, memo));
    }
  }
  return memo[used] = best;
}

EdgeWeights random_graph(std::uint64_t seed, std::size_t vertices, std::int64_t largest) {
  RandomStream random(seed, "matching");
  EdgeWeights weights(vertices);
  for (std::size_t a = 0; a < vertices; ++a) {
    for (std::size_t b = a + 1; b < vertices; ++b) {
      if (random.below(4) > 0) weights.set(a, b, 1 + random.below(largest));
    }
  }
  return weights;
}

TEST(MatchingProperties, HasTheLargestSumOfAll) {
  EXPECT_TRUE(rc::check("as by trying all matchings", [] {
    const auto vertices = *rc::gen::inRange<std::size_t>(0, 12);
    const auto largest = *rc::gen::element<std::int64_t>(1, 3, 10, 1'000'000'000);
    const EdgeWeights weights =
        random_graph(*rc::gen::arbitrary<std::uint64_t>(), vertices, largest);

    const auto mates = maximum_weight_matching(weights);

    std::int64_t sum = 0;
    for (std::size_t i = 0; i < vertices; ++i) {
      if (!mates[i]) continue;
      RC_ASSERT(mates[*mates[i]] == i);
      RC_ASSERT(weights.at(i, *mates[i]) > 0);
      if (*mates[i] > i) sum += weights.at(i, *mates[i]);
    }
    std::vector<std::int64_t> memo(std::size_t{1} << vertices, -1);
    RC_ASSERT(sum == best_sum(weights, 0, memo));
  }));
}

/// A chain of triangles, each with an edge to the next one: in pairs, all six vertices are matched.
TEST(MatchingProperties, MatchesThroughBlossoms) {
  constexpr std::size_t kTriangles = 30;
  EdgeWeights weights(3 * kTriangles);
  for (std::size_t t = 0; t < kTriangles; ++t) {
    for (std::size_t side = 0; side < 3; ++side)
      weights.set(3 * t + side, 3 * t + (side + 1) % 3, 10);
    if (t + 1 < kTriangles) weights.set(3 * t + 2, 3 * (t + 1), 9);
  }

  const auto mates = maximum_weight_matching(weights);

  std::int64_t sum = 0;
  for (std::size_t i = 0; i < mates.size(); ++i) sum += mates[i] ? weights.at(i, *mates[i]) : 0;
  EXPECT_EQ(sum / 2, static_cast<std::int64_t>(kTriangles / 2) * (10 + 10 + 9));
}

}  // namespace
}  // namespace mimus::scheduler::test
