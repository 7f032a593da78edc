// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/slurm/slurm_wait.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "emulator/slurm/slurm_command.hpp"

namespace mimus::emulator {
namespace {

using testing::HasSubstr;

TEST(SlurmQueue, IsSummedUpByStateAndReason) {
  EXPECT_EQ(queue_text(""), "");
  EXPECT_EQ(queue_text("RUNNING|None\nPENDING|Priority\nPENDING|Priority\n"),
            "2 pending (Priority), 1 running");
}

TEST(SlurmRecords, NameWhatDidNotComplete) {
  const std::string records =
      "JobId=7 JobName=x JobState=COMPLETED Reason=None ExitCode=0:0\n"
      "JobId=8 ArrayJobId=8 JobName=x JobState=FAILED Reason=NonZeroExitCode ExitCode=3:0\n"
      "JobId=9 JobName=x JobState=TIMEOUT Reason=TimeLimit ExitCode=0:15\n";
  EXPECT_EQ(bad_ends(records), "8 failed (exit code 3), 9 timeout (exit code 0)");
  EXPECT_EQ(bad_ends(""), "");
}

TEST(RunSlurm, EndsWhatTakesTooLong) {
  try {
    (void)run_slurm({"sleep", "600"}, std::chrono::milliseconds{50});
    FAIL() << "no TimeoutError";
  } catch (const TimeoutError& error) {
    EXPECT_THAT(error.what(), HasSubstr("stage \"sleep\""));
  }
}

}  // namespace
}  // namespace mimus::emulator
