// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {
namespace {

template <class Action>
std::string usage_error(const Action& action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Overrides, OnlyTheFirstEqualsSignSeparates) {
  const CampaignArguments arguments{
      .path = "", .settings = {"policy.order={name: las, a: b=c}"}, .time_scale = ""};

  const auto overrides = arguments.overrides();

  ASSERT_EQ(overrides.size(), 1U);
  EXPECT_EQ(overrides[0].path, "policy.order");
  EXPECT_EQ(overrides[0].value, "{name: las, a: b=c}");
}

TEST(Overrides, TimeScaleIsShortForItsKey) {
  const CampaignArguments arguments{.path = "", .settings = {}, .time_scale = "30"};

  const auto overrides = arguments.overrides();

  ASSERT_EQ(overrides.size(), 1U);
  EXPECT_EQ(overrides[0].path, "engine.time_scale");
  EXPECT_EQ(overrides[0].value, "30");
}

TEST(Overrides, SettingWithoutPathOrEqualsSignIsRefused) {
  for (const std::string setting : {"cluster.nodes", "=4", ""}) {
    const CampaignArguments arguments{.path = "", .settings = {setting}, .time_scale = ""};

    EXPECT_EQ(usage_error([&] { (void)arguments.overrides(); }),
              "--set \"" + setting + "\": expected PATH=VALUE, e.g. --set engine.time_scale=30");
  }
}

TEST(FindCell, UniqueBeginningIsEnough) {
  EXPECT_EQ(find_cell({"001-pack-aa", "002-spread-bb"}, "002"), 1U);
}

TEST(FindCell, WholeIdWinsOverALongerOneThatBeginsWithIt) {
  EXPECT_EQ(find_cell({"001-pack-r10", "001-pack-r1"}, "001-pack-r1"), 1U);
}

TEST(FindCell, AmbiguousBeginningNamesTwoCandidates) {
  EXPECT_EQ(usage_error([] {
              (void)find_cell({"001-a", "002-b", "003-c"}, "00");
            }),
            "cell \"00\" could be \"001-a\" or \"002-b\"; give more of the id");
}

TEST(FindCell, UnknownIdListsTheCells) {
  EXPECT_EQ(usage_error([] {
              (void)find_cell({"001-a", "002-b"}, "7");
            }),
            "unknown cell \"7\"; allowed: 001-a, 002-b");
}

}  // namespace
}  // namespace mimus::emulator::cli
