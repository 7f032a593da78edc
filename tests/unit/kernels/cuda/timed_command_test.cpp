// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/mps/timed_command.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mimus::kernels::cuda {
namespace {

constexpr std::chrono::seconds kLong{60};

TEST(TimedCommand, GivesInputAndEnvironmentAndTakesBothOutputs) {
  const auto result = run_command({"sh", "-c", "cat; echo \"$GREETING\" >&2; exit 7"},
                                  {{"GREETING", "hello"}}, "from stdin\n", kLong);

  EXPECT_TRUE(result.was_found);
  EXPECT_TRUE(result.in_time);
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.output, "from stdin\nhello\n");
}

TEST(TimedCommand, ReplacesVariablesThatAreThere) {
  ASSERT_EQ(::setenv("MIMUS_TEST_VARIABLE", "outside", 1), 0);

  const auto result = run_command({"sh", "-c", "env | grep MIMUS_TEST_VARIABLE"},
                                  {{"MIMUS_TEST_VARIABLE", "inside"}}, "", kLong);
  ::unsetenv("MIMUS_TEST_VARIABLE");

  EXPECT_EQ(result.output, "MIMUS_TEST_VARIABLE=inside\n");
}

TEST(TimedCommand, SaysWhenThereIsNoSuchProgram) {
  EXPECT_FALSE(run_command({"mimus-no-such-program"}, {}, "", kLong).was_found);
}

TEST(TimedCommand, KillsWhatDoesNotReturnInTime) {
  const auto result =
      run_command({"sh", "-c", "echo begun; exec sleep 60"}, {}, "", std::chrono::seconds{1});

  EXPECT_FALSE(result.in_time);
  EXPECT_EQ(result.exit_code, 128 + 9);
  EXPECT_EQ(result.output, "begun\n");
}

TEST(TimedCommand, DoesNotWaitForADaemonThatKeepsItsOutputOpen) {
  const auto began = wall_now();
  const auto result = run_command({"sh", "-c", "sleep 30 & echo gone"}, {}, "", kLong);

  EXPECT_EQ(result.output, "gone\n");
  EXPECT_LT(wall_now() - began, std::chrono::seconds{30}) << "it waited for the daemon";
}

TEST(TimedCommand, TakesMoreOutputThanAPipeHolds) {
  const auto result =
      run_command({"sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x"}, {}, "", kLong);

  EXPECT_EQ(result.output, std::string(300'000, 'x'));
}

}  // namespace
}  // namespace mimus::kernels::cuda
