// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/sorted_rows.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/launch/launch.hpp"
#include "tests/unit/kernels/launch_support.hpp"

namespace mimus::kernels {
namespace {

using test::launches_of;
using test::models;
using test::plan_of;

TEST(SortedRows, HaveTheirArraysApartAndInside) {
  const SortedRows rows(32768, 100, 6040);
  EXPECT_EQ(rows.most_runs, 6040);
  EXPECT_EQ(rows.most_parts, 3277 + 6040);
  const std::int64_t all = 8 * 32768, runs = 8 * 6040;
  std::vector<std::pair<std::int64_t, std::int64_t>> arrays{
      {rows.places, all},
      {rows.positions, all},
      {rows.sorted_places, all},
      {rows.sorted_positions, all},
      {rows.run_begins, runs},
      {rows.run_parts, runs},
      {rows.first_parts, runs},
      {rows.part_begins, 8 * rows.most_parts},
      {rows.counts, 16},
      {rows.part_sums, 4 * 100 * rows.most_parts},
      {rows.workspace, rows.workspace_bytes}};
  std::sort(arrays.begin(), arrays.end());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const std::int64_t end = i + 1 < arrays.size() ? arrays[i + 1].first : rows.bytes;
    EXPECT_LE(arrays[i].first + arrays[i].second, end);
    EXPECT_EQ(arrays[i].first % 256, 0);
  }
}

TEST(SortedRows, TakeNothingWhereRowsAreAddedInTheirOrder) {
  EXPECT_EQ(SortedRows(kRowsInOrder, 64, 1000).bytes, 0);
  EXPECT_GT(SortedRows(kRowsInOrder + 1, 64, 1000).bytes, 0);
}

// Each lookup has more rows than can be added in order, so each of the four tables sorts.
TEST(SortedRows, MakeManyKernelsOfALargeLookup) {
  const auto& neumf = models().at("neumf");
  const auto launches = [&](std::int64_t batch) { return plan_of(neumf, batch, {}).launches(); };
  EXPECT_EQ(launches(8192), launches(2048) + 4 * (SortedRows::kKernels - 1));
}

// PyTorch 2.11 in bf16 autocast on an H100 (2026-11-22, torch profiler), per step. The fidelity
// harness allows 10 %.
TEST(SortedRows, MakeAsManyKernelsAsMeasured) {
  struct Counted {
    const char* model;
    std::int64_t batch;
    double measured;
  };
  for (const Counted& one : {Counted{"neumf", 8192, 164.0}, Counted{"neumf", 32768, 164.0},
                             Counted{"bert-base", 8, 1308.0}, Counted{"bert-base", 12, 1346.0}}) {
    const LaunchPlan plan =
        plan_of(models().at(one.model), one.batch, {.arithmetic = Arithmetic::bf16});
    EXPECT_NEAR(static_cast<double>(plan.launches()), one.measured, 0.1 * one.measured)
        << one.model << " " << one.batch;
  }
}

TEST(BroadcastLookup, IsDoneOnceAndItsGradientSummedOverTheSamples) {
  const LaunchPlan plan = plan_of(models().at("bert-base"), 12, {.arithmetic = Arithmetic::bf16});
  const auto lookups = launches_of<Embedding>(plan.forward);
  ASSERT_EQ(lookups.size(), 3U);
  EXPECT_EQ(lookups[0].rows, 12 * 384);
  EXPECT_EQ(lookups[1].rows, 384);
  EXPECT_EQ(lookups[2].rows, 12 * 384);

  const auto position =
      std::find_if(plan.backward.begin(), plan.backward.end(), [](const auto& one) {
        const auto* added = std::get_if<Embedding>(&one);
        return added != nullptr && added->rows == 384;
      });
  ASSERT_NE(position, plan.backward.end());
  const auto& sum = std::get<Reduction>(*(position - 2));  // before the table's zeros
  EXPECT_EQ(sum.function, Reduction::Function::column_sum);
  EXPECT_EQ(sum.rows, 12);
  EXPECT_EQ(sum.columns, 384 * 768);
  EXPECT_EQ(sum.out, std::get<Embedding>(*position).values);
}

}  // namespace
}  // namespace mimus::kernels
