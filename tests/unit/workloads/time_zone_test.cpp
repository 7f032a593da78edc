// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/csv/time_zone.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "workloads/csv/timestamp.hpp"

namespace mimus::workloads {
namespace {

using testing::HasSubstr;

std::optional<Duration> utc(const std::string& zone, const std::string& shown) {
  return TimeZone(zone).to_utc(*parse_timestamp(shown));
}

std::string refusal_of(const std::string& zone) {
  try {
    const TimeZone unused(zone);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(TimeZones, AreThoseOfTheDatabaseAtTheTime) {
  // Eastern time is five hours behind UTC, and four in summer.
  EXPECT_EQ(utc("America/New_York", "2018-01-01 12:00:00"), parse_timestamp("2018-01-01 17:00:00"));
  EXPECT_EQ(utc("America/New_York", "2018-07-01 12:00:00"), parse_timestamp("2018-07-01 16:00:00"));
  // China had summer time until 1991.
  EXPECT_EQ(utc("Asia/Shanghai", "1988-07-01 12:00:00"), parse_timestamp("1988-07-01 03:00:00"));
  EXPECT_EQ(utc("Asia/Shanghai", "2020-07-01 12:00:00"), parse_timestamp("2020-07-01 04:00:00"));
  EXPECT_EQ(utc("UTC", "2020-07-01 12:00:00"), parse_timestamp("2020-07-01 12:00:00"));
}

TEST(TimeZones, KeepFractionsOfASecond) {
  EXPECT_EQ(utc("Asia/Shanghai", "2020-07-01 12:00:00.25"),
            parse_timestamp("2020-07-01 04:00:00.25"));
}

// On 2018-11-04 clocks in New York went from 02:00 back to 01:00.
TEST(TimeZones, TakeTheFirstOfTwoTimesThatClocksShowed) {
  EXPECT_EQ(utc("America/New_York", "2018-11-04 00:59:59"), parse_timestamp("2018-11-04 04:59:59"));
  EXPECT_EQ(utc("America/New_York", "2018-11-04 01:30:00"), parse_timestamp("2018-11-04 05:30:00"));
  EXPECT_EQ(utc("America/New_York", "2018-11-04 02:00:00"), parse_timestamp("2018-11-04 07:00:00"));
}

// On 2018-03-11 they went from 02:00 to 03:00.
TEST(TimeZones, HaveNoTimeThatClocksNeverShowed) {
  EXPECT_EQ(utc("America/New_York", "2018-03-11 01:59:59"), parse_timestamp("2018-03-11 06:59:59"));
  EXPECT_EQ(utc("America/New_York", "2018-03-11 02:00:00"), std::nullopt);
  EXPECT_EQ(utc("America/New_York", "2018-03-11 02:59:59"), std::nullopt);
  EXPECT_EQ(utc("America/New_York", "2018-03-11 03:00:00"), parse_timestamp("2018-03-11 07:00:00"));
}

TEST(TimeZones, AreRefusedByNameWithTheNearest) {
  EXPECT_THAT(
      refusal_of("America/NewYork"),
      HasSubstr("unknown time zone \"America/NewYork\"; did you mean \"America/New_York\"?"));
  EXPECT_THAT(refusal_of("Middle-earth"), HasSubstr("such as America/Los_Angeles"));
  EXPECT_THAT(refusal_of(""), HasSubstr("unknown time zone \"\""));
  EXPECT_THAT(refusal_of("../../etc/passwd"), HasSubstr("unknown time zone"));
}

}  // namespace
}  // namespace mimus::workloads
