// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mimus::kernels {

/// How a batch norm divides its matrix among threads, as in PyTorch 2.11 (Normalization.cuh,
/// flexible_launch_configs). A thread has rows of one column.
struct BatchNormTiling {
  BatchNormTiling(std::int64_t rows, std::int64_t columns);

  int wide = 1, high = 1;             ///< threads of a block: side by side, and in lines
  std::int64_t tiles = 1;             ///< blocks side by side
  std::int64_t segments = 1;          ///< blocks that share the rows of a tile
  std::int64_t summing_segments = 1;  ///< the same if they have to synchronise
  /// Where such blocks leave two sums per column, in bytes from its beginning: fp32,
  /// summing_segments × 2 × columns, and the number of finished blocks of a tile. 0 if none
  /// synchronise.
  std::int64_t done = 0, scratch_bytes = 0;
};

}  // namespace mimus::kernels
