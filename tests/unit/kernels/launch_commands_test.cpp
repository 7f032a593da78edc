// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/launch_commands.hpp"

#include <gtest/gtest.h>

#include "kernels/launch/sorted_rows.hpp"
#include "tests/unit/kernels/launch_support.hpp"

namespace mimus::kernels {
namespace {

/// Sums over the 32 images of 56 x 56 pixels of ResNet's first stage, which are enough for blocks
/// to synchronise.
Reduction sums(Reduction::Function function, std::int64_t bytes) {
  Reduction reduction;
  reduction.function = function;
  reduction.rows = 32 * 56 * 56;
  reduction.columns = 64;
  reduction.bytes = bytes;
  return reduction;
}

TEST(LaunchCommands, OfNormsOf16BitsHaveAKernelThatClears) {
  using enum Reduction::Function;
  for (const auto function : {batch_statistics, batch_gradient_sums}) {
    EXPECT_EQ(kernels_of(sums(function, 2)), 2);
    EXPECT_EQ(most_fills_of(sums(function, 2)), 0);
    EXPECT_EQ(kernels_of(sums(function, 4)), 1);
    EXPECT_EQ(most_fills_of(sums(function, 4)), 1);
  }
  EXPECT_EQ(kernels_of(sums(batch_norm, 2)), 1);
}

TEST(LaunchCommands, AreOneWhereNoBlocksMeet) {
  using enum Reduction::Function;
  Reduction few = sums(batch_statistics, 2);
  few.rows = 64;
  Reduction channels_first = sums(batch_statistics, 2);
  channels_first.image = 56 * 56;

  for (const Launch& launch : {Launch{few}, Launch{channels_first}, Launch{Product{}}}) {
    EXPECT_EQ(kernels_of(launch) + most_fills_of(launch), 1);
  }
}

TEST(LaunchCommands, OfColumnSumsHaveAFillInAnyWidth) {
  using enum Reduction::Function;
  for (const std::int64_t bytes : {2, 4}) {
    EXPECT_EQ(kernels_of(sums(column_sum, bytes)), 1);
    EXPECT_EQ(most_fills_of(sums(column_sum, bytes)), 1);
  }
  EXPECT_EQ(most_fills_of(sums(column_sum_in_turn, 4)), 0);
}

TEST(LaunchCommands, OfManyRowsAreThoseOfSorting) {
  Embedding added;
  added.function = Embedding::Function::scatter_add;
  added.rows = kRowsInOrder;
  EXPECT_EQ(kernels_of(added) + most_fills_of(added), 1);
  ++added.rows;
  EXPECT_EQ(kernels_of(added), SortedRows::kKernels);
  EXPECT_EQ(most_fills_of(added), SortedRows::kFills);
}

// 3 x 320 tensors of one chunk each, and one of 65,537 elements, which has two chunks.
TEST(LaunchCommands, OfAListOfTensorsAreItsTables) {
  MultiTensor update;
  update.tensors.assign(3 * kTableChunks, {0, 10});
  EXPECT_EQ(kernels_of(update), 3);
  update.tensors.push_back({0, kChunkElements + 1});
  EXPECT_EQ(kernels_of(update), 4);
}

// PyTorch's larger arguments hold seven times as many chunks as a table here. The 1785 chunks of
// bert-base in each of seven passes take six kernels either way.
TEST(LaunchCommands, OfAStepDoNotDependOnTheLengthOfLists) {
  const auto launches = [](KernelArguments arguments) {
    return test::plan_of(test::in_fp32("bert-base"), 1, {.arguments = arguments}).launches();
  };
  EXPECT_EQ(launches(KernelArguments::large), launches(KernelArguments::small));
}

// 390 + 337 + 13 launches, and each of 53 norms clears in both passes.
TEST(LaunchCommands, OfResNet50In16BitsClearForItsNorms) {
  const LaunchPlan plan =
      test::plan_of(test::models().at("resnet50"), 64, {.arithmetic = Arithmetic::bf16});
  EXPECT_EQ(plan.launches(), 740 + 2 * 53);
}

}  // namespace
}  // namespace mimus::kernels
