// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/random.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace mimus {
namespace {

// Computed with an independent implementation of splitmix64, FNV-1a and xoshiro256**.
TEST(RandomStream, FirstValuesNeverChange) {
  RandomStream stream(0, "golden");
  EXPECT_EQ(stream.next(), 0xbb9fe3dc5bf1bab9ULL);
  EXPECT_EQ(stream.next(), 0x705eddd3270d34caULL);
  EXPECT_EQ(stream.next(), 0x4b66591da7816b03ULL);
  EXPECT_EQ(stream.next(), 0x44f1f70fd8e088beULL);
}

// Computed in the same way.
TEST(NumberedStreams, FirstValuesNeverChange) {
  EXPECT_EQ(NumberedStreams(0, "golden").at(0).next(), 0x340acf9f773c7435ULL);
  EXPECT_EQ(NumberedStreams(0, "golden").at(1).next(), 0x458d299fef0514d3ULL);
  EXPECT_EQ(NumberedStreams(42, "gangs").at(123456789).next(), 0xf20b1cee6ab218e7ULL);
}

TEST(RandomStream, UniformIsTheTop53Bits) {
  RandomStream stream(42, "arrivals");
  EXPECT_DOUBLE_EQ(stream.uniform(), 0.4311923761677192);
  EXPECT_DOUBLE_EQ(stream.uniform(), 0.43117701348539916);
}

TEST(StableHash, NeverChanges) {
  EXPECT_EQ(stable_hash(""), 0xc3817c016ba4ff30ULL);
  EXPECT_EQ(stable_hash("mimus", 7), 0x82d7f83ed69476e5ULL);
}

TEST(StableHash, DependsOnTextAndSeed) {
  EXPECT_NE(stable_hash("a"), stable_hash("b"));
  EXPECT_NE(stable_hash("a", 1), stable_hash("a", 2));
}

TEST(StableHash, TakesBytesAboveAsciiAsUnsigned) {
  EXPECT_NE(stable_hash("\xff"), stable_hash("\x7f"));
  // FNV-1a over the byte 0xff, finalised; computed as above.
  EXPECT_EQ(stable_hash("\xff"), 0x1df27c8adb0f2d1ULL);
}

TEST(RandomStream, EqualSeedAndNameGiveEqualDraws) {
  RandomStream a(7, "x");
  RandomStream b(7, "x");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
}

// The correlation of n independent uniform pairs has a standard deviation of 1/sqrt(n) = 0.01.
double correlation(RandomStream a, RandomStream b) {
  constexpr int kDraws = 10000;
  double sum = 0.0;
  for (int i = 0; i < kDraws; ++i) sum += (a.uniform() - 0.5) * (b.uniform() - 0.5);
  return sum / kDraws * 12.0;
}

TEST(RandomStream, NamesAndSeedsAreIndependent) {
  EXPECT_LT(std::abs(correlation({1, "arrivals"}, {1, "models"})), 0.04);
  EXPECT_LT(std::abs(correlation({1, "arrivals"}, {2, "arrivals"})), 0.04);
  EXPECT_LT(std::abs(correlation({1, "stream 1"}, {1, "stream 2"})), 0.04);
}

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
};

Moments moments(const std::function<double()>& draw, int count = 40000) {
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < count; ++i) {
    const double value = draw();
    sum += value;
    squares += value * value;
  }
  const double mean = sum / count;
  return {mean, squares / count - mean * mean};
}

// Means of 40,000 draws are within 4 standard errors (sigma / 200) with near certainty. The stream
// is fixed, and so is the outcome.
TEST(RandomStream, UniformHasItsMoments) {
  RandomStream stream(3, "uniform");
  const Moments m = moments([&] { return stream.uniform(); });
  EXPECT_NEAR(m.mean, 0.5, 4 * 0.2887 / 200);
  EXPECT_NEAR(m.variance, 1.0 / 12.0, 0.002);
}

TEST(RandomStream, UniformStaysInItsRange) {
  RandomStream stream(3, "range");
  for (int i = 0; i < 10000; ++i) {
    const double value = stream.uniform(-2.0, 5.0);
    EXPECT_GE(value, -2.0);
    EXPECT_LT(value, 5.0);
  }
}

TEST(RandomStream, ExponentialHasItsMoments) {
  RandomStream stream(3, "exponential");
  const Moments m = moments([&] { return stream.exponential(30.0); });
  EXPECT_NEAR(m.mean, 30.0, 4 * 30.0 / 200);
  EXPECT_NEAR(std::sqrt(m.variance), 30.0, 1.2);
}

TEST(RandomStream, NormalHasItsMoments) {
  RandomStream stream(3, "normal");
  const Moments m = moments([&] { return stream.normal(); });
  EXPECT_NEAR(m.mean, 0.0, 4.0 / 200);
  EXPECT_NEAR(m.variance, 1.0, 0.03);
}

// mean exp(mu + sigma^2 / 2), variance (exp(sigma^2) - 1) mean^2: 1.0 and 0.284 here.
TEST(RandomStream, LognormalHasItsMoments) {
  RandomStream stream(3, "lognormal");
  const Moments m = moments([&] { return stream.lognormal(-0.125, 0.5); });
  EXPECT_NEAR(m.mean, 1.0, 4 * 0.533 / 200);
  EXPECT_NEAR(m.variance, 0.284, 0.03);
}

TEST(RandomStream, BelowReachesEveryValueEqually) {
  RandomStream stream(3, "below");
  std::array<int, 7> count{};
  for (int i = 0; i < 70000; ++i) ++count.at(static_cast<std::size_t>(stream.below(7)));
  for (const int c : count) EXPECT_NEAR(c, 10000, 400);  // 4 standard deviations of 93
}

TEST(RandomStream, BelowOneIsZeroAndBelowZeroIsABug) {
  RandomStream stream(3, "below");
  EXPECT_EQ(stream.below(1), 0);
  EXPECT_THROW((void)stream.below(0), InternalError);
  EXPECT_LT(stream.below(INT64_MAX), INT64_MAX);
}

TEST(RandomStream, WeightedFollowsTheWeights) {
  RandomStream stream(3, "weighted");
  std::array<int, 4> count{};
  for (int i = 0; i < 40000; ++i) ++count.at(stream.weighted({1.0, 0.0, 2.0, 5.0}));
  EXPECT_EQ(count[1], 0);
  EXPECT_NEAR(count[0], 5000, 270);
  EXPECT_NEAR(count[2], 10000, 350);
  EXPECT_NEAR(count[3], 25000, 390);
}

TEST(RandomStream, WeightedNeverPicksATrailingZero) {
  RandomStream stream(3, "tail");
  for (int i = 0; i < 10000; ++i) EXPECT_EQ(stream.weighted({0.1, 0.0, 0.0}), 0U);
}

TEST(RandomStream, WeightedNeedsAPositiveWeight) {
  RandomStream stream(3, "none");
  EXPECT_THROW((void)stream.weighted({0.0, 0.0}), InternalError);
  EXPECT_THROW((void)stream.weighted({}), InternalError);
}

}  // namespace
}  // namespace mimus
