// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "base/units.hpp"

namespace mimus {
namespace {

static_assert(!std::is_convertible_v<JobId, NodeId>);
static_assert(!std::is_constructible_v<JobId, NodeId>);
static_assert(!std::is_convertible_v<Bytes, Flop>);
static_assert(!std::is_convertible_v<double, Bytes>);

TEST(Ids, DefaultIsNone) {
  EXPECT_FALSE(JobId{});
  EXPECT_TRUE(JobId{0});
  EXPECT_EQ(JobId{5}.index(), 5U);
}

TEST(Ids, CompareAndHashByValue) {
  EXPECT_LT(NodeId{1}, NodeId{2});
  const std::unordered_set<GpuId> set{GpuId{1}, GpuId{1}, GpuId{2}};
  EXPECT_EQ(set.size(), 2U);
}

TEST(Time, SecondsRoundToTheNearestNanosecond) {
  EXPECT_EQ(from_seconds(1.5e-9), Duration{2});
  EXPECT_EQ(from_seconds(-0.25), std::chrono::milliseconds(-250));
  EXPECT_DOUBLE_EQ(to_seconds(std::chrono::milliseconds(1500)), 1.5);
}

TEST(Time, SaturatesInsteadOfOverflowing) {
  EXPECT_EQ(from_seconds(1e300), Duration::max());
  EXPECT_EQ(from_seconds(-1e300), Duration::min());
  EXPECT_EQ(scale(std::chrono::hours(24 * 365), 1e6), Duration::max());
}

TEST(Time, ScaleMultiplies) {
  EXPECT_EQ(scale(std::chrono::seconds(10), 0.25), std::chrono::milliseconds(2500));
}

TEST(Units, MixOnlyWithTheirOwnKind) {
  EXPECT_EQ(Bytes{3.0} + Bytes{4.0}, Bytes{7.0});
  EXPECT_EQ(2.0 * Bytes{3.0}, Bytes{6.0});
  EXPECT_DOUBLE_EQ(Bytes{6.0} / Bytes{4.0}, 1.5);
  EXPECT_LT(Flop{1.0}, Flop{2.0});
}

TEST(Units, AmountOverRateIsADuration) {
  EXPECT_EQ(Bytes{1e9} / BytesPerSecond{4e9}, std::chrono::milliseconds(250));
  EXPECT_EQ(Flop{1e12} / FlopPerSecond{1e12}, std::chrono::seconds(1));
}

}  // namespace
}  // namespace mimus
