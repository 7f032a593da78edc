// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/csv/timestamp.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace mimus::workloads {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

TEST(Timestamp, CountsFrom1970) {
  EXPECT_EQ(parse_timestamp("1970-01-01 00:00:00"), Duration{});
  // date -u -d "2017-10-09 07:01:55" +%s
  EXPECT_EQ(parse_timestamp("2017-10-09 07:01:55"), seconds(1507532515));
  EXPECT_EQ(parse_timestamp("2020-02-29T23:59:59"), seconds(1583020799));
}

TEST(Timestamp, SubtractsTheOffset) {
  EXPECT_EQ(parse_timestamp("1970-01-01 08:00:25+08:00"), seconds(25));
  EXPECT_EQ(parse_timestamp("1970-01-01 00:00:00-00:30"), seconds(1800));
  EXPECT_EQ(parse_timestamp("1970-01-01T00:00:07Z"), seconds(7));
  EXPECT_EQ(parse_timestamp("1970-01-01 08:00:25 +0800"), seconds(25));
  EXPECT_EQ(parse_timestamp("1970-01-01 00:00:07 UTC"), seconds(7));
}

TEST(Timestamp, KeepsFractionsOfSeconds) {
  EXPECT_EQ(parse_timestamp("1970-01-01 00:00:01.25"), Duration{1'250'000'000});
  EXPECT_EQ(parse_timestamp("1970-01-01 00:00:00.123456789+00:00"), Duration{123'456'789});
}

TEST(Timestamp, RefusesEverythingElse) {
  for (const char* text :
       {"", "1970-01-01", "1970-1-01 00:00:00", "1970-13-01 00:00:00", "2019-02-29 00:00:00",
        "1970-01-01 24:00:00", "1970-01-01 00:60:00", "1970-01-01 00:00:60", "1969-12-31 23:59:59",
        "2100-01-01 00:00:00", "1970-01-01 00:00:00 ", "1970-01-01 00:00:00.",
        "1970-01-01_00:00:00", "1970-01-01 00:00:00+8", "1970-01-01 00:00:00+15:00", "None",
        "1970-01-01 00:00", "1970-01-01 00:00:00.1234567890"}) {
    EXPECT_EQ(parse_timestamp(text), std::nullopt) << text;
  }
}

TEST(Seconds, AreExactDownToNanoseconds) {
  EXPECT_EQ(parse_seconds("0"), Duration{});
  EXPECT_EQ(parse_seconds("0.1"), Duration{100'000'000});
  EXPECT_EQ(parse_seconds("-3.000000001"), Duration{-3'000'000'001});
  EXPECT_EQ(parse_seconds("9199999999.999999999"), Duration{9'199'999'999'999'999'999});
}

TEST(Seconds, RefuseWhatIsNotPlainDecimal) {
  for (const char* text : {"", "-", ".5", "1.", "1e3", "+1", "01", " 1", "1 ", "0x1",
                           "1.0000000001", "9200000000", "99999999999", "nan", "--1", "1.2.3"}) {
    EXPECT_EQ(parse_seconds(text), std::nullopt) << text;
  }
}

TEST(Seconds, AreWrittenWithoutSpareDigits) {
  EXPECT_EQ(format_seconds(Duration{}), "0");
  EXPECT_EQ(format_seconds(seconds(1000)), "1000");
  EXPECT_EQ(format_seconds(Duration{-1'050'000'000}), "-1.05");
  EXPECT_EQ(format_seconds(Duration{1}), "0.000000001");
}

RC_GTEST_PROP(Seconds, ReadBackAsWritten, ()) {
  const Duration d{
      *rc::gen::inRange<std::int64_t>(-9'000'000'000'000'000'000, 9'000'000'000'000'000'000)};
  RC_ASSERT(parse_seconds(format_seconds(d)) == d);
}

}  // namespace
}  // namespace mimus::workloads
