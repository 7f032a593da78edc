// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/decimal_text.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace mimus {
namespace {

TEST(ParseDecimal, CountsUnitsOfTheLastPlace) {
  EXPECT_EQ(parse_decimal("12", 0), 12);
  EXPECT_EQ(parse_decimal("12", 3), 12'000);
  EXPECT_EQ(parse_decimal("-3.25", 3), -3'250);
  EXPECT_EQ(parse_decimal("0.001", 3), 1);
  EXPECT_EQ(parse_decimal("-0.5", 1), -5);
}

TEST(ParseDecimal, ReachesTheLimitsOfWhatItCounts) {
  constexpr auto kLimits = std::numeric_limits<std::int64_t>();
  EXPECT_EQ(parse_decimal("9223372036.854775807", 9), kLimits.max());
  EXPECT_EQ(parse_decimal("-9223372036.854775808", 9), kLimits.min());
  EXPECT_EQ(parse_decimal("9223372036.854775808", 9), std::nullopt);
}

TEST(ParseDecimal, TakesPlainDecimalsOnly) {
  for (const char* text : {"", "-", ".5", "1.", "1e3", "+1", "01", " 1", "1 ", "0x1", "--1",
                           "1.2.3", "1.0000", "nan"}) {
    EXPECT_EQ(parse_decimal(text, 3), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace mimus
