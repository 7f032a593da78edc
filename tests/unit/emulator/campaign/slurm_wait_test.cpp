// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/slurm/slurm_wait.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "emulator/slurm/program_run.hpp"

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

TEST(RunProgram, ReturnsBothStreamsAndTheExitCode) {
  const ProgramOutput said =
      run_program({"sh", "-c", "echo out; echo err >&2; exit 3"}, std::chrono::seconds{60});

  EXPECT_EQ(said.exit_code, 3);
  EXPECT_EQ(said.output, "out\n");
  EXPECT_EQ(said.errors, "err\n");
}

// More than a pipe holds, on both streams: neither may block the other.
TEST(RunProgram, TakesLongOutput) {
  const ProgramOutput said =
      run_program({"sh", "-c", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"},
                  std::chrono::seconds{60});

  EXPECT_EQ(said.output.size(), 300000U);
  EXPECT_EQ(said.errors.size(), 300000U);
}

TEST(RunProgram, EndsWhatTakesTooLong) {
  try {
    (void)run_program({"sleep", "600"}, std::chrono::milliseconds{50});
    FAIL() << "no TimeoutError";
  } catch (const TimeoutError& error) {
    EXPECT_THAT(error.what(), HasSubstr("stage \"sleep\""));
  }
}

TEST(RunProgram, KnowsWhatIsThere) {
  EXPECT_TRUE(has_program("sh"));
  EXPECT_FALSE(has_program("no-such-program-of-mimus"));
  EXPECT_EQ(run_program({"no-such-program-of-mimus"}, std::chrono::seconds{60}).exit_code, 127);
}

}  // namespace
}  // namespace mimus::emulator
