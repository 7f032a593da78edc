// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gtest/gtest.h>

#include "kernels/launch/batch_norm_tiling.hpp"
#include "kernels/launch/column_sum.hpp"

namespace mimus::kernels {
namespace {

constexpr int kMultiprocessors = 132;  // of an H100

/// Grid and block that PyTorch 2.11 launched there, from its profiler.
struct SumLaunch {
  std::int64_t rows, columns;
  std::int64_t tiles, segments;
  int wide, high;
};
constexpr SumLaunch kSums[] = {
    {4608, 3072, 24, 72, 32, 4}, {4608, 768, 6, 72, 32, 4},    // BERT-base, 12 samples
    {1536, 3072, 24, 24, 32, 4}, {1536, 768, 6, 24, 32, 4},    // 4 samples
    {8192, 4096, 32, 66, 32, 4}, {8192, 3072, 24, 88, 32, 4},  // a GPT layer, 8 samples
    {8192, 1024, 8, 128, 32, 4}, {1024, 3072, 24, 16, 32, 4},  // and 1 sample
    {32768, 128, 1, 512, 32, 4}, {32768, 64, 1, 256, 16, 8},   // NeuMF, 32,768 pairs
    {32768, 32, 1, 128, 8, 16},  {2048, 128, 1, 32, 32, 4},    // and 2,048
    {256, 128, 1, 1, 32, 4},     {256, 32, 1, 1, 8, 16},       // and 256
    {1352, 255, 8, 1, 32, 16},   {12, 2, 1, 1, 1, 8},
};

TEST(ColumnSumTilingTest, DividesAsPyTorchDoes) {
  for (const SumLaunch& expected : kSums) {
    const ColumnSumTiling tiling(expected.rows, expected.columns, kMultiprocessors);
    SCOPED_TRACE(expected.rows * 1'000'000 + expected.columns);
    EXPECT_EQ(tiling.tiles, expected.tiles);
    EXPECT_EQ(tiling.segments, expected.segments);
    EXPECT_EQ(tiling.wide, expected.wide);
    EXPECT_EQ(tiling.high, expected.high);
  }
}

TEST(ColumnSumTilingTest, ScratchIsEnoughOnEveryDevice) {
  for (const std::int64_t rows : {1, 300, 5000, 1'000'000}) {
    for (const std::int64_t columns : {2, 31, 64, 4096, 100'000}) {
      const ColumnSumScratch scratch(rows, columns);
      for (const int multiprocessors : {1, 40, 132, 1000}) {
        const ColumnSumTiling tiling(rows, columns, multiprocessors);
        if (tiling.segments == 1) continue;
        EXPECT_LE(4 * tiling.segments * columns, scratch.done);
        EXPECT_LE(scratch.done + 4 * tiling.tiles, scratch.bytes);
      }
    }
  }
}

TEST(BatchNormTilingTest, DividesAsPyTorchDoes) {
  // Rows are batch x height x width; ResNet-50 with 200 images and with 32.
  const BatchNormTiling wide(200 * 14 * 14, 64);
  EXPECT_EQ((std::vector<std::int64_t>{wide.wide, wide.high, wide.tiles, wide.segments}),
            (std::vector<std::int64_t>{32, 16, 2, 128}));
  const BatchNormTiling deep(200 * 7 * 7, 512);
  EXPECT_EQ((std::vector<std::int64_t>{deep.wide, deep.high, deep.tiles, deep.segments}),
            (std::vector<std::int64_t>{32, 16, 16, 39}));
  EXPECT_EQ(deep.summing_segments, 39);
}

TEST(BatchNormTilingTest, FewBlocksDoNotMeet) {
  const BatchNormTiling few(7 * 16 * 16, 64);  // would be 7 blocks
  EXPECT_EQ(few.segments, 7);
  EXPECT_EQ(few.summing_segments, 1);
  EXPECT_EQ(few.scratch_bytes, 0);
  const BatchNormTiling enough(8 * 16 * 16, 64);
  EXPECT_EQ(enough.summing_segments, 8);
  EXPECT_GE(enough.scratch_bytes, 8 * 2 * 64 * 4 + 2 * 4);
}

}  // namespace
}  // namespace mimus::kernels
