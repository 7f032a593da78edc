// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "results/totals/measured_window.hpp"

namespace mimus::results {
namespace {

TEST(MeasuredWindow, SaysWhatItWasReadFrom) {
  for (const char* text : {"jobs=4000..5000", "jobs=0..7", "jobs=1000..", "from=2h,until=20h",
                           "from=90s", "until=1.5s", "from=3min,until=2d", "all"}) {
    EXPECT_EQ(parse_measured_window(text).text(), text);
  }
  EXPECT_EQ(parse_measured_window("jobs=..7").text(), "jobs=0..7");
  EXPECT_EQ(parse_measured_window("from=120 s").text(), "from=2min");
}

TEST(MeasuredWindow, RefusesWhatIsNone) {
  for (const char* text :
       {"", "jobs", "jobs=", "jobs=..", "jobs=5", "jobs=5..5", "jobs=7..5", "jobs=-1..5",
        "jobs=1.5..5", "job=1..5", "from=5", "from=-1s", "until=0s", "from=2h,until=1h",
        "jobs=1..5,from=2h", "from=2h,", "from=2 hours", "4000..5000"}) {
    EXPECT_THROW((void)parse_measured_window(text), UsageError) << text;
  }
  EXPECT_THAT([] { (void)parse_measured_window("form=2h"); },
              testing::ThrowsMessage<UsageError>(testing::HasSubstr("did you mean \"from\"?")));
}

}  // namespace
}  // namespace mimus::results
