// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Decisions do not depend on how an inventory is written, or on GPUs that no job may use.
#include <utility>

#include <gtest/gtest.h>

#include "random_run.hpp"

namespace mimus::scheduler::test {
namespace {

constexpr int kJobs = 25;

std::vector<std::string> log_of(const Row& row, std::uint64_t seed, Inventory inventory) {
  RandomRun run = random_run(row, seed, kJobs, inventory);
  run.driver.run(20'000);
  EXPECT_EQ(run.driver.violations(), std::vector<std::string>{}) << yaml_of(row) << " " << seed;
  return run.driver.log();
}

/// Planners, estimates of speed and the choice of nodes that sleep count nodes that are alike:
/// campaigns refuse them.
std::vector<Row> rows_of_queues() {
  std::vector<Row> rows;
  for (const Row& row : covering_rows()) {
    const bool counts_nodes = has(row, "estimate", "profile") || has(row, "estimate", "fitted") ||
                              has(row, "estimate", "epochs") || has(row, "batch", "goodput");
    const bool sleeps = !has(row, "power", "never");
    if (has(row, "planner", "none") && !counts_nodes && !sleeps) rows.push_back(row);
  }
  return rows;
}

/// Reasons name types.
std::vector<std::string> with_names_exchanged(std::vector<std::string> log) {
  for (std::string& line : log) {
    const std::string before = std::exchange(line, "");
    for (std::size_t i = 0; i < before.size();) {
      const bool is_t4 = before.compare(i, 2, "T4") == 0;
      const bool is_v100 = before.compare(i, 4, "V100") == 0;
      line += is_t4 ? "V100" : is_v100 ? "T4" : before.substr(i, 1);
      i += is_t4 ? 2 : is_v100 ? 4 : 1;
    }
  }
  return log;
}

TEST(NodeGroupsProperties, EqualGroupsAreTheShortForm) {
  std::uint64_t seed = 0;
  for (const Row& row : covering_rows()) {
    ++seed;
    EXPECT_EQ(log_of(row, seed, Inventory::equal_groups), log_of(row, seed, Inventory::short_form))
        << yaml_of(row) << " seed " << seed;
  }
}

TEST(NodeGroupsProperties, GangsStayOnAnAllowedTypeAndAllJobsEnd) {
  const auto rows = rows_of_queues();
  ASSERT_GT(rows.size(), rows_cover_every_pair() ? 20U : 0U);
  std::uint64_t seed = 0;
  int on_second = 0;
  for (const Row& row : rows) {
    RandomRun run = random_run(row, ++seed, kJobs, Inventory::two_types);
    run.driver.watch([&](std::span<const Event>, Instant, const Decision& decision) {
      for (const Action& action : decision.actions) {
        const auto* start = std::get_if<StartAttempt>(&action);
        if (start == nullptr) continue;
        on_second += run.shape.type_of(start->allocation.slots.front().gpu);
      }
    });

    run.driver.run(20'000);

    EXPECT_EQ(run.driver.violations(), std::vector<std::string>{}) << yaml_of(row);
    EXPECT_EQ(run.driver.scheduler().unfinished(), 0U) << yaml_of(row) << " seed " << seed;
    EXPECT_EQ(run.driver.scheduler().cluster().idle_gpus(), run.shape.gpus());
  }
  EXPECT_GT(on_second, rows_cover_every_pair() ? 900 : 0);
}

TEST(NodeGroupsProperties, ExchangedNamesExchangeNothingElse) {
  std::uint64_t seed = 0;
  for (const Row& row : rows_of_queues()) {
    ++seed;
    if (names_gpu_types(row)) continue;
    EXPECT_EQ(with_names_exchanged(log_of(row, seed, Inventory::renamed)),
              log_of(row, seed, Inventory::two_types))
        << yaml_of(row) << " seed " << seed;
  }
}

// But for quotas that lend idle GPUs, of whatever type, which campaigns refuse, and for placements
// that draw an order of all nodes.
TEST(NodeGroupsProperties, ATypeThatNobodyMayUseChangesNothing) {
  std::uint64_t seed = 0;
  for (const Row& row : rows_of_queues()) {
    ++seed;
    const bool lends = yaml_of(row).find("borrow: true") != std::string::npos;
    if (lends || draws_ties_of_nodes(row)) continue;
    EXPECT_EQ(log_of(row, seed, Inventory::third_type), log_of(row, seed, Inventory::two_types))
        << yaml_of(row) << " seed " << seed;
  }
}

}  // namespace
}  // namespace mimus::scheduler::test
