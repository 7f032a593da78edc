// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/column_sum.hpp"

#include <algorithm>

#include "kernels/launch/alignment.hpp"
#include "kernels/launch/launch.hpp"
#include "kernels/launch/tiling.hpp"

namespace mimus::kernels {
namespace {

constexpr int kMostThreads = 512;  ///< of a block, including columns that a thread takes together
constexpr int kWarp = 32;
constexpr std::int64_t kFewRows = 16;  ///< per thread
constexpr std::int64_t kManyRows = 256;
constexpr int kThreadsOfMultiprocessor = 2048;  ///< that PyTorch keeps busy, on an H100

}  // namespace

ColumnSumTiling::ColumnSumTiling(std::int64_t rows, std::int64_t columns, int multiprocessors)
    : width(columns % 4 == 0   ? 4
            : columns % 2 == 0 ? 2
                               : 1) {
  const int threads = kMostThreads / width;
  const std::int64_t packs = columns / width;
  const int packs_at_once = power_below(packs, threads);
  high = std::min(power_below(rows, threads), threads / std::min(packs_at_once, kWarp));
  wide = std::min(packs_at_once, threads / high);
  lines_share = rows >= std::min(high * kFewRows, kManyRows);
  tiles = ceil_div(packs, wide * (lines_share ? 1 : high));
  const std::int64_t rows_of_thread = ceil_div(rows, high);
  const std::int64_t blocks =
      std::int64_t{kThreadsOfMultiprocessor} / (wide * high) * multiprocessors;
  if (!lines_share || rows_of_thread < kManyRows || tiles > blocks) return;
  segments = std::max(std::min(ceil_div(blocks, tiles), ceil_div(rows_of_thread, kFewRows)),
                      ceil_div(rows_of_thread, kManyRows));
}

ColumnSumScratch::ColumnSumScratch(std::int64_t rows, std::int64_t columns) {
  const ColumnSumTiling tiling(rows, columns, 1);
  const std::int64_t rows_of_thread = ceil_div(rows, tiling.high);
  if (!tiling.lines_share || rows_of_thread < kManyRows) return;
  done = align_up(kFloat * ceil_div(rows_of_thread, kFewRows) * columns);
  bytes = done + align_up(static_cast<std::int64_t>(sizeof(unsigned)) * tiling.tiles);
}

}  // namespace mimus::kernels
