// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/schema/schema.hpp"

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/metrics/schema_markdown.hpp"

namespace mimus::results {
namespace {

// Rows consist of 8-byte numbers and strings without padding. The sizes of their columns therefore
// add up to the size of the row exactly if every member has a column.
template <class Row>
std::size_t bytes_of_bound_members() {
  std::size_t bytes = 0;
  for (const auto& column : table_of<Row>().info().columns) {
    bytes += column.type == ColumnType::text ? sizeof(std::string) : sizeof(double);
  }
  return bytes;
}

template <class Row>
class EveryTable : public testing::Test {};
using AllRows =
    testing::Types<JobRow, AttemptRow, PlacementRow, SuspensionRow, LimitRow, StepRow, EventRow,
                   DecisionRow, UtilisationRow, GpuRow, NodeStateRow, NodeRow, TenantRow,
                   ApplicationRow, TrialRow, BaselineRow, PairRow, QueueDelayRow, RankRow,
                   DeviceSampleRow, EnergyRow, CollectiveRow, KernelTimeRow, TotalRow, QuantileRow,
                   ProfileRow, ProfilePairRow, ProfileLinkRow>;
TYPED_TEST_SUITE(EveryTable, AllRows);

TYPED_TEST(EveryTable, StoresEveryMemberOfItsRow) {
  EXPECT_EQ(bytes_of_bound_members<TypeParam>(), sizeof(TypeParam));
}

TYPED_TEST(EveryTable, IsListed) {
  std::vector<const TableInfo*> all = tables();
  all.insert(all.end(), profile_tables().begin(), profile_tables().end());
  EXPECT_THAT(all, testing::Contains(&table_of<TypeParam>().info()));
}

TYPED_TEST(EveryTable, NamesEachColumnOnceAndExplainsIt) {
  std::set<std::string> names;
  for (const auto& column : table_of<TypeParam>().info().columns) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_FALSE(column.description.empty()) << column.name;
  }
}

TYPED_TEST(EveryTable, PacksItsColumnsWithoutGaps) {
  std::size_t offset = 0;
  for (const auto& column : table_of<TypeParam>().info().columns) {
    EXPECT_EQ(column.offset, offset) << column.name;
    offset += column.width;
  }
  EXPECT_EQ(table_of<TypeParam>().info().record_bytes, offset);
}

TEST(Schema, NamesItsTables) {
  std::vector<std::string> names;
  for (const auto* table : tables()) names.push_back(table->name);
  EXPECT_THAT(names, testing::ElementsAre(
                         "jobs", "attempts", "placements", "suspensions", "limits", "steps",
                         "events", "decisions", "utilisation", "gpus", "node_states", "nodes",
                         "allocation", "tenants", "applications", "trials", "baselines", "pairs",
                         "queue_delay", "ranks", "device_samples", "energy", "collectives",
                         "kernel_times", "fairness", "figures", "totals", "quantiles"));
}

std::set<std::string> tables_at(RecordLevel level) {
  std::set<std::string> names;
  for (const auto* table : tables()) {
    if (is_recorded(*table, level)) names.insert(table->name);
  }
  return names;
}

TEST(Schema, RecordsEveryTableInFull) {
  EXPECT_EQ(tables_at(RecordLevel::full).size(), tables().size());
}

TEST(Schema, LeavesOutStepsEventsAndSingleWaitsAtLevelJobs) {
  EXPECT_THAT(tables_at(RecordLevel::jobs),
              testing::ElementsAre(
                  "allocation", "applications", "attempts", "baselines", "collectives", "decisions",
                  "device_samples", "energy", "fairness", "figures", "gpus", "jobs", "kernel_times",
                  "limits", "node_states", "nodes", "pairs", "placements", "quantiles", "ranks",
                  "suspensions", "tenants", "totals", "trials", "utilisation"));
}

TEST(Schema, KeepsNothingThatGrowsWithTheJobsAtLevelSummary) {
  EXPECT_THAT(tables_at(RecordLevel::summary),
              testing::ElementsAre("allocation", "baselines", "energy", "figures", "gpus", "nodes",
                                   "quantiles", "ranks", "tenants", "totals"));
}

TEST(Schema, IsWhatTheReferenceInDocsSays) {
  const char* source = std::getenv("MIMUS_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "skipped: MIMUS_SOURCE_DIR is not set";
  std::ifstream file(std::string(source) + "/docs/results.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str().find(schema_markdown()) != std::string::npos)
      << "docs/results.md is out of date: replace its part from \"Schema\" on by this:\n"
      << schema_markdown();
}

}  // namespace
}  // namespace mimus::results
