// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/process/command.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mimus {
namespace {

constexpr std::chrono::seconds kLong{60};

TEST(Command, GivesInputAndEnvironmentAndTakesBothOutputs) {
  const auto result = run_command({"sh", "-c", "cat; echo \"$GREETING\" >&2; exit 7"}, kLong,
                                  {{"GREETING", "hello"}}, "from stdin\n");

  EXPECT_TRUE(result.was_found);
  EXPECT_TRUE(result.in_time);
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.output, "from stdin\n");
  EXPECT_EQ(result.errors, "hello\n");
}

TEST(Command, ReplacesVariablesThatAreThere) {
  ASSERT_EQ(::setenv("MIMUS_TEST_VARIABLE", "outside", 1), 0);

  const auto result = run_command({"sh", "-c", "env | grep MIMUS_TEST_VARIABLE"}, kLong,
                                  {{"MIMUS_TEST_VARIABLE", "inside"}});
  ::unsetenv("MIMUS_TEST_VARIABLE");

  EXPECT_EQ(result.output, "MIMUS_TEST_VARIABLE=inside\n");
}

TEST(Command, SaysWhenThereIsNoSuchProgram) {
  const auto result = run_command({"mimus-no-such-program"}, kLong);

  EXPECT_FALSE(result.was_found);
  EXPECT_EQ(result.exit_code, 127);
  EXPECT_TRUE(has_program("sh"));
  EXPECT_FALSE(has_program("mimus-no-such-program"));
}

TEST(Command, KillsWhatDoesNotReturnInTime) {
  const auto result =
      run_command({"sh", "-c", "echo begun; exec sleep 60"}, std::chrono::seconds{1});

  EXPECT_FALSE(result.in_time);
  EXPECT_EQ(result.exit_code, 128 + 9);
  EXPECT_EQ(result.output, "begun\n");
}

TEST(Command, DoesNotWaitForADaemonThatKeepsItsOutputOpen) {
  const auto began = wall_now();
  const auto result = run_command({"sh", "-c", "sleep 30 & echo gone"}, kLong);

  EXPECT_EQ(result.output, "gone\n");
  EXPECT_LT(wall_now() - began, std::chrono::seconds{30}) << "it waited for the daemon";
}

TEST(Command, TakesMoreOfBothOutputsThanAPipeHolds) {
  const auto result =
      run_command({"sh", "-c", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"}, kLong);

  EXPECT_EQ(result.output.size(), 300'000U);
  EXPECT_EQ(result.errors.size(), 300'000U);
}

}  // namespace
}  // namespace mimus
