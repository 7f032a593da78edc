// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/solve/best_choices.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.hpp"

namespace mimus::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

constexpr double kExactly = 0.0;

TEST(BestChoices, OfNothingAreNone) {
  const std::vector<int> amounts{4};
  EXPECT_THAT(best_choices({}, 2, amounts, kExactly).of_each,
              ElementsAre(std::nullopt, std::nullopt));
}

// All that gains nothing, and what no resource has enough of, is left out.
TEST(BestChoices, AreWhatGainsAndFits) {
  const std::vector<Choosable> all{{0, 0, 1, 0}, {0, 0, 1, -5}, {1, 0, 3, 9}, {1, 0, 2, 1}};
  const auto found = best_choices(all, 2, std::vector<int>{2}, kExactly);
  EXPECT_THAT(found.of_each, ElementsAre(std::nullopt, Optional(std::size_t{3})));
  EXPECT_EQ(found.gain, 1);
}

// By gain per unit: 8 for 3 and one more of 2 do not fit into 4; two of 2 gain 10.
TEST(BestChoices, AreNotThoseWithTheMostGainPerUnit) {
  const std::vector<Choosable> all{{0, 0, 3, 8}, {1, 0, 2, 5}, {2, 0, 2, 5}};
  const auto found = best_choices(all, 3, std::vector<int>{4}, kExactly);
  EXPECT_THAT(found.of_each,
              ElementsAre(std::nullopt, Optional(std::size_t{1}), Optional(std::size_t{2})));
  EXPECT_EQ(found.gain, 10);
  EXPECT_GE(found.most, 10);
}

/// The largest gain of people from `person` on.
std::int64_t largest(const std::vector<Choosable>& all, std::size_t people, std::size_t person,
                     std::vector<int>& left) {
  if (person == people) return 0;
  std::int64_t best = largest(all, people, person + 1, left);
  for (const Choosable& one : all) {
    if (one.someone != person || one.takes > left[one.resource]) continue;
    left[one.resource] -= one.takes;
    best = std::max(best, one.gain + largest(all, people, person + 1, left));
    left[one.resource] += one.takes;
  }
  return best;
}

TEST(BestChoices, GainAsMuchAsAllCombinationsThatWereTried) {
  RandomStream random(1, "best choices");
  for (int round = 0; round < 300; ++round) {
    const auto people = static_cast<std::size_t>(1 + random.below(6));
    std::vector<int> amounts;
    for (std::int64_t r = random.below(3); r >= 0; --r) {
      amounts.push_back(static_cast<int>(random.below(9)));
    }
    std::vector<Choosable> all;
    for (std::size_t person = 0; person < people; ++person) {
      for (std::int64_t k = random.below(6); k > 0; --k) {
        const auto resource =
            static_cast<std::size_t>(random.below(static_cast<std::int64_t>(amounts.size())));
        all.push_back(
            {person, resource, static_cast<int>(1 + random.below(6)), random.below(110) - 10});
      }
    }
    const Choices found = best_choices(all, people, amounts, kExactly);
    std::vector<int> left = amounts;
    std::int64_t gain = 0;
    for (std::size_t person = 0; person < people; ++person) {
      if (!found.of_each[person]) continue;
      const Choosable& one = all[*found.of_each[person]];
      EXPECT_EQ(one.someone, person);
      left[one.resource] -= one.takes;
      gain += one.gain;
    }
    EXPECT_GE(*std::ranges::min_element(left), 0) << "round " << round;
    EXPECT_EQ(found.gain, gain);
    left = amounts;
    EXPECT_EQ(gain, largest(all, people, 0, left)) << "round " << round;
    EXPECT_GE(found.most, gain);
  }
}

/// As many jobs choose 1, 2, 4, 8, 16, 24 or 32 GPUs of one of four types, for costs as Sia's.
TEST(BestChoices, OfManyAreWithinTheGap) {
  RandomStream random(3, "best choices");
  for (int round = 0; round < 5; ++round) {
    const std::vector<int> amounts(4, 256);
    std::vector<Choosable> all;
    for (std::size_t person = 0; person < 400; ++person) {
      const double scaling = random.uniform(0.02, 0.2);
      for (std::size_t type = 0; type < amounts.size(); ++type) {
        const double speed = random.uniform(1.0, 2.0) * static_cast<double>(1 + type);
        for (const int gpus : {1, 2, 4, 8, 16, 24, 32}) {
          const double value = speed * gpus / (1.0 + scaling * gpus);
          all.push_back({person, type, gpus, 110 - std::llround(100.0 / std::sqrt(value))});
        }
      }
    }
    const Choices found = best_choices(all, 400, amounts, 1e-4);
    EXPECT_LE(static_cast<double>(found.most - found.gain), 1e-4 * static_cast<double>(found.gain));
  }
}

}  // namespace
}  // namespace mimus::scheduler
