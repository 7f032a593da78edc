// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Runs as one process and under mpiexec with several ranks, from the same source.
#include "emulator/live/mpi/all_or_none.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace mimus::emulator {
namespace {

struct AllOrNoneTest : testing::Test {
  int rank = 0;
  int size = 1;

  void SetUp() override {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  /// What this rank throws if the parts of the ranks from `first` on fail, or "".
  [[nodiscard]] std::string thrown_when_failing_from(int first, const std::string& why) const {
    try {
      all_or_none(MPI_COMM_WORLD, [&] {
        if (rank >= first) throw EnvironmentError("rank " + std::to_string(rank) + " " + why);
      });
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), ExitCode::environment);
      return error.what();
    }
    return "";
  }
};

TEST_F(AllOrNoneTest, NothingIsThrownWhenAllPartsSucceed) {
  EXPECT_EQ(thrown_when_failing_from(size, "has a fault"), "");
}

TEST_F(AllOrNoneTest, EveryRankThrowsTheFaultOfTheLowestThatHasOne) {
  const int first = size / 2;
  const std::string what = thrown_when_failing_from(first, "has no memory");

  EXPECT_NE(what.find("rank " + std::to_string(first) + " has no memory"), std::string::npos)
      << what;
  EXPECT_EQ(what.rfind("host ", 0), 0U) << what;
}

TEST_F(AllOrNoneTest, ALongFaultIsCut) {
  const std::string what = thrown_when_failing_from(0, std::string(5'000, 'x'));

  EXPECT_GT(what.size(), 900U);
  EXPECT_LT(what.size(), 1'100U);
}

TEST_F(AllOrNoneTest, TheRanksAreInStepAfterAFault) {
  (void)thrown_when_failing_from(size - 1, "has a fault");
  EXPECT_EQ(thrown_when_failing_from(size, ""), "");
}

}  // namespace
}  // namespace mimus::emulator
