// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0

// Files of the first releases: no totals, and jobs that do not say what they waited for.

#include <algorithm>

#include <gtest/gtest.h>

#include "results/file/h5_table.hpp"
#include "results/summary/summary.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

/// The table without the columns that were added later.
TableInfo without(const TableInfo& table, const std::vector<std::string>& later) {
  TableInfo old{table.name, "", "", table.least, {}, 0};
  for (ColumnInfo column : table.columns) {
    if (std::find(later.begin(), later.end(), column.name) != later.end()) continue;
    column.offset = old.record_bytes;
    old.record_bytes += column.width;
    old.columns.push_back(column);
  }
  return old;
}

template <class Row>
void write(const H5File& file, const std::vector<Row>& rows,
           const std::vector<std::string>& later = {}) {
  const auto& now = table_of<Row>();
  const TableInfo old = without(now.info(), later);
  H5TableWriter writer(file, old);
  std::vector<std::byte> record(now.info().record_bytes);
  std::vector<std::byte> records;
  for (const auto& row : rows) {
    now.encode(row, record.data());
    for (const auto& column : now.info().columns) {
      if (std::find(later.begin(), later.end(), column.name) != later.end()) continue;
      const auto begin = record.begin() + static_cast<std::ptrdiff_t>(column.offset);
      records.insert(records.end(), begin, begin + static_cast<std::ptrdiff_t>(column.width));
    }
  }
  writer.append(records.data(), rows.size());
  writer.commit(0);
}

JobRow job(std::int64_t id, double arrival, double end, double queueing) {
  JobRow row;
  row.job = id;
  row.outcome = "finished";
  row.arrival = arrival;
  row.end = end;
  row.jct = end - arrival;
  row.queueing = queueing;
  row.preemptions = 1;
  return row;
}

TEST(OldFile, StillHasItsSummary) {
  const TemporaryFolder folder;
  const std::string path = folder.file("old.h5");
  {
    H5File file = H5File::create(path);
    file.set_attribute("schema", std::string(kSchemaName));
    file.set_attribute("schema_version", kSchemaVersion);
    file.set_fixed_text("status", "complete", 16);
    write<JobRow>(file, {job(0, 0, 20, 6), job(1, 10, 50, 0)},
                  {"group", "gpu_share", "wait_capacity", "wait_fragmentation", "wait_order",
                   "wait_quota", "wait_backoff", "wait_restart"});
    write<QueueDelayRow>(file, {{0, "capacity", 0, 4}, {0, "order", 4, 6}});
    write<UtilisationRow>(file, {{0, 50, 2, 1, 1, 0, 1}});
  }

  const CellSummary cell = summarise(path);

  EXPECT_EQ(cell.count("jobs"), 2);
  EXPECT_EQ(cell.count("preemptions"), 2);
  EXPECT_DOUBLE_EQ(cell.value("jct_p50"), 30);
  EXPECT_DOUBLE_EQ(cell.value("queueing_mean"), 3);
  EXPECT_DOUBLE_EQ(cell.value("queueing_capacity_mean"), 2);
  EXPECT_DOUBLE_EQ(cell.value("queueing_order_mean"), 1);
  EXPECT_EQ(cell.value("queueing_backoff_mean"), 0);
  EXPECT_DOUBLE_EQ(cell.value("gpu_allocated"), 0.5);
}

}  // namespace
}  // namespace mimus::results
