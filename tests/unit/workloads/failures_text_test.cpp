// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "workloads/traces/native/native_row.hpp"

namespace mimus::workloads {
namespace {

TEST(Failures, ReadBackAsWritten) {
  const FailurePlan plan{{{0.5, "a;b:c\\d"}, {1.0, ""}}};
  const std::string text = failures_text(plan);
  EXPECT_EQ(text, "0.5:a\\;b\\:c\\\\d;1:");
  const auto read = parse_failures(text);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->failures.size(), 2U);
  EXPECT_EQ(read->failures[0].reason, "a;b:c\\d");
  EXPECT_EQ(read->failures[1].at_progress, 1.0);
}

TEST(Failures, StrikeAfterATimeOrAgainAndAgain) {
  const std::string text = "0.5:a;807s:b;*0.25:c;*3600.5s:d";
  const auto plan = parse_failures(text);

  ASSERT_TRUE(plan);
  EXPECT_EQ(failures_text(*plan), text);
  EXPECT_EQ(plan->failures[1].after, std::chrono::seconds(807));
  EXPECT_EQ(plan->strikes(0)->reason, "a");
  EXPECT_EQ(plan->strikes(1)->reason, "b");
  EXPECT_EQ(plan->strikes(2)->reason, "c");
  EXPECT_EQ(plan->strikes(99)->reason, "c");
  EXPECT_EQ(parse_failures("0.5:a")->strikes(1), nullptr);
  EXPECT_EQ(FailurePlan{}.strikes(0), nullptr);
  for (const char* wrong : {"-1s:", "0s:", "1.5:", "*:", "s:", "**0.5:", "0.5*:"}) {
    EXPECT_FALSE(parse_failures(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace mimus::workloads
