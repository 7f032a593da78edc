// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/import_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mimus::workloads {
namespace {

using testing::ElementsAre;

TEST(RowSet, JoinsNeighboursToRanges) {
  RowSet rows;
  for (const int row : {17, 93, 94, 95, 120}) rows.add(row);
  EXPECT_EQ(rows.count(), 5);
  EXPECT_EQ(rows.text(10), "17, 93-95, 120");
}

TEST(RowSet, ShowsThatMoreFollow) {
  RowSet rows;
  for (const int row : {1, 3, 5, 7}) rows.add(row);
  EXPECT_EQ(rows.text(2), "1, 3, ...");
}

TEST(RowSet, BoundsItsMemoryButNotItsCount) {
  RowSet rows;
  for (int row = 0; row < 10000; row += 2) rows.add(row);
  EXPECT_EQ(rows.ranges().size(), RowSet::kMaxRanges);
  EXPECT_EQ(rows.count(), 5000);
}

TEST(ImportReport, NotesOneLinePerReasonAndEffect) {
  ImportReport report;
  for (int i = 0; i < 9; ++i) report.count_row();
  report.count("zero_gpus", Effect::dropped, "no GPU was asked for", 3);
  report.count("negative_wait", Effect::kept, "early", 4);
  report.count("zero_gpus", Effect::dropped, "no GPU was asked for", 8);
  report.remark("by the way");
  EXPECT_THAT(report.notes(),
              ElementsAre("dropped 2 of 9 rows: zero_gpus: no GPU was asked for (lines 3, 8)",
                          "kept 1 of 9 rows: negative_wait: early (line 4)", "by the way"));
}

TEST(ImportReport, CountsEntriesWhereTheTraceIsAList) {
  ImportReport report("entry");
  report.count_row();
  report.count("x", Effect::changed, "y", 1);
  report.count("x", Effect::changed, "y", 2);
  EXPECT_THAT(report.notes(), ElementsAre("changed 2 of 1 rows: x: y (entries 1-2)"));
}

TEST(ImportReport, CountsMalformedRows) {
  ImportReport report;
  report.count_row();
  report.malformed(ConfigError({"f.csv", 2, 1}, "a", "is wrong"));
  EXPECT_EQ(report.malformed_count(), 1);
  EXPECT_STREQ(report.malformed_rows().front().what(), "f.csv:2:1: a: is wrong");
  EXPECT_THAT(report.notes(), ElementsAre("refused 1 of 1 rows: malformed"));
}

}  // namespace
}  // namespace mimus::workloads
