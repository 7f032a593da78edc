// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/summary/summary.hpp"
#include "tests/unit/results/summary_cells.hpp"

namespace mimus::results {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Repetitions 0, 1, … of a cell with these mean JCTs, seeds counted from `first_seed`.
std::vector<CellSummary> repeated(const std::string& label, const std::vector<double>& jcts,
                                  int first_seed = 0) {
  std::vector<CellSummary> runs;
  for (std::size_t i = 0; i < jcts.size(); ++i) {
    runs.push_back(cell_named(label, jcts[i]));
    runs.back().repetition = static_cast<int>(i);
    runs.back().seed = std::to_string(first_seed + static_cast<int>(i));
  }
  return runs;
}

std::vector<CellSummary> both(std::vector<CellSummary> some, const std::vector<CellSummary>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

// The mean of 110, 120 and 130 is 120 and the standard deviation 10: 4.3027 · 10 ÷ √3 = 24.8. All
// other values of JCT and makespan scale with it. Queueing and shares are the same in each run.
TEST(SummaryRows, ShowsMeansOfRepetitionsWithTheirIntervals) {
  const std::string table = format_table(repeated("pack", {110, 120, 130}), 80);

  EXPECT_EQ(table,
            R"(cell runs     jobs JCT mean  JCT p99  queueing  makespan  GPUs held  GPUs busy
          done/all        s        s         s         s          %          %
pack    3    57/60  120 ±25  360 ±75      7.50  600 ±124       50.0       25.0
)");
}

TEST(SummaryRows, LeavesRunsThatAreNotCompleteOutOfMeans) {
  auto runs = repeated("pack", {110, 130, 9000});
  runs.back().status = "interrupted";

  const std::string table = format_table(runs, 120);

  EXPECT_THAT(table, HasSubstr("pack (2 of 3 complete)    2    38/40 120 ±127"));
}

TEST(SummaryRows, HasARowPerRunWhereNoneIsComplete) {
  auto runs = repeated("pack", {110, 130});
  for (auto& run : runs) run.status = "running";

  EXPECT_THAT(format_table(runs, 120), HasSubstr("pack r1 (running)"));
}

TEST(SummaryRows, TakesFilesOfOneRepetitionForRunsOfTheirOwn) {
  auto runs = repeated("pack", {110, 130});
  runs.back().repetition = 0;

  EXPECT_THAT(format_table(runs, 120), Not(HasSubstr("±")));
}

TEST(SummaryRows, MarksTheBestMeanOfCellsWithTheSameSeeds) {
  const std::string table =
      format_table(both(repeated("pack", {110, 130}), repeated("spread", {90, 110})), 120);

  EXPECT_THAT(table, HasSubstr("100 ±127* "));
  EXPECT_THAT(table, Not(HasSubstr("120 ±127*")));
}

TEST(SummaryRows, NeverComparesDifferentJobs) {
  const auto pack = repeated("pack", {110, 130});
  EXPECT_THAT(format_table(both(pack, repeated("spread", {90, 110}, 7)), 120), Not(HasSubstr("*")));

  auto other_load = repeated("load=0.9", {90, 110});
  for (auto& run : other_load) run.workload_hash = "another";
  EXPECT_THAT(format_table(both(pack, other_load), 120), Not(HasSubstr("*")));

  EXPECT_THAT(format_table(both(pack, repeated("fewer", {90})), 120), Not(HasSubstr("*")));
}

TEST(SummaryRows, MarksCellsThatCouldNotKeepThePace) {
  auto runs = repeated("pack", {110, 130});
  runs.back().set("late_share", 0.25);

  EXPECT_THAT(format_table(runs, 120), HasSubstr("pack (late) "));
  EXPECT_THAT(format_table(runs, 120, TableRows::runs), HasSubstr("pack r1 (late) "));
  EXPECT_THAT(format_table(runs, 120, TableRows::runs), Not(HasSubstr("pack r0 (late)")));
}

}  // namespace
}  // namespace mimus::results
