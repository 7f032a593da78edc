// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/batch_norm_tiling.hpp"

#include <algorithm>

#include "kernels/launch/alignment.hpp"
#include "kernels/launch/launch.hpp"
#include "kernels/launch/tiling.hpp"

namespace mimus::kernels {
namespace {

constexpr int kThreads = 512;
constexpr int kTileColumns = 32;
constexpr std::int64_t kRowsOfThread = 16;  ///< above this, more blocks share a column
constexpr std::int64_t kMostSegments = 128;
constexpr std::int64_t kFewSegments = 8;

}  // namespace

BatchNormTiling::BatchNormTiling(std::int64_t rows, std::int64_t columns)
    : wide(power_below(columns, kTileColumns)) {
  high = std::min(power_below(ceil_div(rows, kRowsOfThread), kThreads), kThreads / wide);
  wide = power_below(columns, kThreads / high);
  tiles = ceil_div(columns, wide);
  segments = std::min(ceil_div(rows, high * kRowsOfThread), kMostSegments);
  if (segments < kFewSegments) return;
  summing_segments = segments;
  done = align_up(2 * kFloat * summing_segments * columns);
  scratch_bytes = done + align_up(static_cast<std::int64_t>(sizeof(unsigned)) * tiles);
}

}  // namespace mimus::kernels
