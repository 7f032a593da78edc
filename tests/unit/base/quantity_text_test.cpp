// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/quantity_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace mimus {
namespace {

TEST(ParseInteger, ReadsPlainDecimals) {
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("-17"), -17);
  EXPECT_EQ(parse_integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(parse_integer("-9223372036854775808"), INT64_MIN);
}

class NotIntegers : public testing::TestWithParam<const char*> {};

TEST_P(NotIntegers, AreRefused) {
  EXPECT_EQ(parse_integer(GetParam()), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(All, NotIntegers,
                         testing::Values("", " ", "010", "-010", "00", "0x10", "0o17", "0b1",
                                         "1_000", "1,000", "+1", "1.0", "1e3", "1 ", " 1", "1s",
                                         "-", "--1", "yes", "true", "nan", "inf",
                                         "9223372036854775808", "\u0661"));

TEST(ParseNumber, ReadsDecimalsAndExponents) {
  EXPECT_EQ(parse_number("0.5"), 0.5);
  EXPECT_EQ(parse_number("-2"), -2.0);
  EXPECT_EQ(parse_number("1e3"), 1000.0);
  EXPECT_EQ(parse_number("2.5E-3"), 0.0025);
  EXPECT_EQ(parse_number("1e+2"), 100.0);
}

class NotNumbers : public testing::TestWithParam<const char*> {};

TEST_P(NotNumbers, AreRefused) {
  EXPECT_EQ(parse_number(GetParam()), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(All, NotNumbers,
                         testing::Values("", ".", ".5", "5.", "nan", "NaN", ".nan", "-.inf", "inf",
                                         "Infinity", "1e", "1e400", "-1e400", "0x1p3", "1,5",
                                         "01.5", "1.5x", "1 2", "+1.5", "1e3.5", "yes", "off", "~",
                                         "null"));

TEST(ParseDuration, KnowsAllUnits) {
  EXPECT_EQ(parse_duration("3 ns"), std::chrono::nanoseconds(3));
  EXPECT_EQ(parse_duration("3 us"), std::chrono::microseconds(3));
  EXPECT_EQ(parse_duration("3 ms"), std::chrono::milliseconds(3));
  EXPECT_EQ(parse_duration("1.5 s"), std::chrono::milliseconds(1500));
  EXPECT_EQ(parse_duration("2 min"), std::chrono::minutes(2));
  EXPECT_EQ(parse_duration("8 h"), std::chrono::hours(8));
  EXPECT_EQ(parse_duration("1 d"), std::chrono::hours(24));
}

// A double has 53 bits, which is enough for 104 days in nanoseconds.
TEST(ParseDuration, IsExactForDecimalsOfPowersOfTen) {
  EXPECT_EQ(parse_duration("2272283607978041 ns"), Duration{2'272'283'607'978'041});
  EXPECT_EQ(parse_duration("2272283607978.041 us"), Duration{2'272'283'607'978'041});
  EXPECT_EQ(parse_duration("2272283607.978041 ms"), Duration{2'272'283'607'978'041});
  EXPECT_EQ(parse_duration("2272283.607978041s"), Duration{2'272'283'607'978'041});
  EXPECT_EQ(parse_duration("-8999999999.999999999 s"), Duration{-8'999'999'999'999'999'999});
}

TEST(ParseDuration, RoundsOtherTextsToTheNearestNanosecond) {
  EXPECT_EQ(parse_duration("1.6 ns"), Duration{2});
  EXPECT_EQ(parse_duration("0.0000000014 s"), Duration{1});
  EXPECT_EQ(parse_duration("1e3 s"), std::chrono::seconds(1000));
}

TEST(ParseDuration, AllowsOneBlankOrNone) {
  EXPECT_EQ(parse_duration("90s"), std::chrono::seconds(90));
  EXPECT_EQ(parse_duration("90  s"), std::nullopt);
}

class NotDurations : public testing::TestWithParam<const char*> {};

TEST_P(NotDurations, AreRefused) {
  EXPECT_EQ(parse_duration(GetParam()), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(All, NotDurations,
                         testing::Values("90", "0", "90 sec", "90 S", "1 m", "1 hour", "1 s ", "s",
                                         "1:30", "1 h 30 min", "nan s", "inf s", "1e30 s", "010 s",
                                         "0x10 s", "1 sx", "1\ts"));

TEST(ParseBytes, TellsDecimalFromBinaryUnits) {
  EXPECT_EQ(parse_bytes("1 kB"), Bytes{1000.0});
  EXPECT_EQ(parse_bytes("1 KiB"), Bytes{1024.0});
  EXPECT_EQ(parse_bytes("16 GB"), Bytes{16e9});
  EXPECT_EQ(parse_bytes("2 TiB"), Bytes{2199023255552.0});
  EXPECT_EQ(parse_bytes("12 B"), Bytes{12.0});
}

TEST(ParseBytes, RefusesWhatCouldMeanTwoThings) {
  for (const char* text : {"1 KB", "1 kb", "1 k", "1 G", "1", "1 MiBit", "1 gb"}) {
    EXPECT_EQ(parse_bytes(text), std::nullopt) << text;
  }
}

TEST(ParseByteRate, ConvertsBits) {
  EXPECT_EQ(parse_byte_rate("25 Gbit/s"), BytesPerSecond{3.125e9});
  EXPECT_EQ(parse_byte_rate("100 Mbit/s"), BytesPerSecond{12.5e6});
  EXPECT_EQ(parse_byte_rate("320 GB/s"), BytesPerSecond{320e9});
  EXPECT_EQ(parse_byte_rate("1 GiB/s"), BytesPerSecond{1073741824.0});
}

TEST(ParseByteRate, RefusesAmountsAndBareBits) {
  for (const char* text : {"25 GB", "25 Gbps", "25 Gbit", "25 Gb/s", "25"}) {
    EXPECT_EQ(parse_byte_rate(text), std::nullopt) << text;
  }
}

TEST(ParseFlopRate, KnowsItsUnits) {
  EXPECT_EQ(parse_flop_rate("8.1 TFLOP/s"), FlopPerSecond{8.1e12});
  EXPECT_EQ(parse_flop_rate("1 PFLOP/s"), FlopPerSecond{1e15});
  EXPECT_EQ(parse_flop_rate("8.1 TFLOPS"), std::nullopt);
  EXPECT_EQ(parse_flop_rate("8.1 tflop/s"), std::nullopt);
}

TEST(FormatDuration, TakesAFittingUnit) {
  EXPECT_EQ(format_duration(std::chrono::nanoseconds(312)), "312 ns");
  EXPECT_EQ(format_duration(std::chrono::microseconds(1500)), "1.5 ms");
  EXPECT_EQ(format_duration(std::chrono::milliseconds(1500)), "1.5 s");
  EXPECT_EQ(format_duration(std::chrono::seconds(119)), "119 s");
  EXPECT_EQ(format_duration(std::chrono::seconds(120)), "2 min");
  EXPECT_EQ(format_duration(std::chrono::minutes(150)), "2.5 h");
  EXPECT_EQ(format_duration(std::chrono::hours(72)), "3 d");
  EXPECT_EQ(format_duration(Duration{}), "0 s");
  EXPECT_EQ(format_duration(std::chrono::seconds(-3)), "-3 s");
}

TEST(FormatBytes, UsesDecimalUnits) {
  EXPECT_EQ(format_bytes(Bytes{25.6e6}), "25.6 MB");
  EXPECT_EQ(format_bytes(Bytes{999.0}), "999 B");
  EXPECT_EQ(format_bytes(Bytes{1.5e12}), "1.5 TB");
}

RC_GTEST_PROP(QuantityTextProperty, IntegersReadBackAsWritten, (std::int64_t value)) {
  RC_ASSERT(parse_integer(std::to_string(value)) == value);
}

RC_GTEST_PROP(QuantityTextProperty, NeitherCrashesNorAcceptsTrailingText, (std::string text)) {
  if (const auto number = parse_number(text)) RC_ASSERT(!parse_number(text + "x"));
  (void)parse_duration(text);
  (void)parse_bytes(text);
  (void)parse_byte_rate(text);
  (void)parse_flop_rate(text);
}

}  // namespace
}  // namespace mimus
