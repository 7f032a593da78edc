// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/slice.hpp"

#include <cstdlib>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace mimus::emulator {
namespace {

using testing::ElementsAre;

TEST(Slice, IsReadAsPartOfParts) {
  EXPECT_EQ(parse_slice("2/8"), (Slice{1, 8}));
  for (const char* wrong : {"0/8", "9/8", "2", "2/", "/8", "2/8x", "-1/2"}) {
    EXPECT_THROW((void)parse_slice(wrong), UsageError) << wrong;
  }
}

// Cells 0 to 9 in three parts: 0 3 6 9, 1 4 7, 2 5 8.
TEST(Slice, TakesEveryNthCell) {
  std::vector<int> cells(10);
  std::iota(cells.begin(), cells.end(), 0);
  EXPECT_THAT((Slice{1, 3}).share_of(cells), ElementsAre(1, 4, 7));
}

// Part 2 of 2 holds 1 3 5 7 9. Its three parts are 1 7, 3 9 and 5: all cells, each once.
TEST(Slice, PartsOfAPartStayInside) {
  std::vector<int> cells(10);
  std::iota(cells.begin(), cells.end(), 0);
  const Slice outer{1, 2};

  std::multiset<int> all;
  for (int rank = 0; rank < 3; ++rank) {
    for (const int cell : Slice{rank, 3}.of(outer).share_of(cells)) all.insert(cell);
  }

  EXPECT_THAT(all, ElementsAre(1, 3, 5, 7, 9));
}

TEST(Slice, ABatchScriptIsNoRank) {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_STEP_NUM_TASKS"}) {
    ::unsetenv(name);
  }
  ::setenv("SLURM_PROCID", "0", 1);
  ::setenv("SLURM_NTASKS", "4", 1);
  EXPECT_EQ(launched_rank(), Slice{});

  ::setenv("SLURM_STEP_NUM_TASKS", "4", 1);
  EXPECT_EQ(launched_rank(), (Slice{0, 4}));
  for (const char* name : {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_NUM_TASKS"}) {
    ::unsetenv(name);
  }
}

}  // namespace
}  // namespace mimus::emulator
