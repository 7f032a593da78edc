// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

#include <gtest/gtest.h>

namespace mimus {
namespace {

const std::vector<std::string> kNames{"fifo", "las", "gittins"};

TEST(SourceLocation, LeavesOutWhatIsUnknown) {
  EXPECT_EQ((SourceLocation{"a.yaml", 3, 7}.str()), "a.yaml:3:7");
  EXPECT_EQ((SourceLocation{"--set", 0, 0}.str()), "--set");
}

TEST(ConfigError, SaysWhereWhichKeyAndWhat) {
  const ConfigError error({"a.yaml", 3, 7}, "policy.order", "is wrong");
  EXPECT_STREQ(error.what(), "a.yaml:3:7: policy.order: is wrong");
  EXPECT_EQ(error.exit_code(), ExitCode::configuration);
  EXPECT_EQ(error.path(), "policy.order");
  EXPECT_EQ(error.where().line, 3);
}

TEST(ConfigError, LeavesOutAnEmptyPath) {
  EXPECT_STREQ(ConfigError({"a.yaml", 1, 1}, "", "is wrong").what(), "a.yaml:1:1: is wrong");
}

TEST(Errors, CarryTheExitCodeOfTheirKind) {
  EXPECT_EQ(UsageError("x").exit_code(), ExitCode::usage);
  EXPECT_EQ(EnvironmentError("x").exit_code(), ExitCode::environment);
  EXPECT_EQ(InterruptedError("x").exit_code(), ExitCode::interrupted);
  EXPECT_EQ(IoError("f", "x").exit_code(), ExitCode::run_failed);
}

TEST(Errors, NotCompiledNamesTheOptionThatWouldHelp) {
  EXPECT_STREQ(NotCompiledError("the cuda device", "MIMUS_WITH_CUDA").what(),
               "the cuda device is not compiled into this build; reconfigure with "
               "-DMIMUS_WITH_CUDA=ON where its toolkit is installed");
}

TEST(Errors, TimeoutSaysHowLongItWaited) {
  EXPECT_STREQ(TimeoutError("gang start", std::chrono::milliseconds(2500), "rank 3").what(),
               "gave up after 2.5 s in stage \"gang start\": rank 3");
}

TEST(Errors, LibraryErrorKeepsTheCode) {
  const LibraryError error("MPI_Barrier", 17, "bad communicator");
  EXPECT_STREQ(error.what(), "MPI_Barrier failed with code 17: bad communicator");
  EXPECT_EQ(error.code(), 17);
}

TEST(Ensure, ThrowsOnlyWhenTheInvariantIsBroken) {
  EXPECT_NO_THROW(ensure(true, "fine"));
  EXPECT_THROW(ensure(false, "broken"), InternalError);
}

TEST(NearestMatch, FindsOneTypo) {
  EXPECT_EQ(nearest_match("fifi", kNames), "fifo");
  EXPECT_EQ(nearest_match("gitins", kNames), "gittins");
}

TEST(NearestMatch, DoesNotMindCase) {
  EXPECT_EQ(nearest_match("FIFO", kNames), "fifo");
  EXPECT_EQ(nearest_match("h100", {"P100", "V100", "A100", "H100"}), "H100");
}

TEST(NearestMatch, FindsNothingInWordsWithoutACommonLetter) {
  EXPECT_EQ(nearest_match("a", {"k"}), "");
  EXPECT_EQ(nearest_match("ab", {"cd"}), "");
}

TEST(NearestMatch, PrefersTheSmallerDistance) {
  EXPECT_EQ(nearest_match("batch", {"match", "batches", "batch_"}),
            "match");  // first of distance 1
  EXPECT_EQ(nearest_match("bach", {"match", "batch"}), "batch");
}

TEST(NearestMatch, GivesUpOnWordsThatAreFarAway) {
  EXPECT_EQ(nearest_match("throughput", kNames), "");
  EXPECT_EQ(nearest_match("anything", {}), "");
}

TEST(NearestMatch, AllowsAThirdOfALongWordToBeWrong) {
  EXPECT_EQ(nearest_match("mean_intararival", {"mean_interarrival"}), "mean_interarrival");
}

TEST(UnknownName, OffersTheNearestAndListsAll) {
  EXPECT_EQ(unknown_name_message("order", "fifos", kNames),
            "unknown order \"fifos\"; did you mean \"fifo\"? allowed: fifo, las, gittins");
}

TEST(UnknownName, ListsAllWhenNoneIsNear) {
  EXPECT_EQ(unknown_name_message("order", "throughput", kNames),
            "unknown order \"throughput\"; allowed: fifo, las, gittins");
}

}  // namespace
}  // namespace mimus
