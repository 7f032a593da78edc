// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mimus::kernels {

/// How a sum over the rows of a matrix is divided among threads, as in PyTorch 2.11 (Reduce.cuh,
/// setReduceConfig), because its duration depends on little else.
struct ColumnSumTiling {
  ColumnSumTiling(std::int64_t rows, std::int64_t columns, int multiprocessors);

  int width = 1;              ///< columns of a thread: 4, 2 or 1
  int wide = 1, high = 1;     ///< threads of a block: side by side, and in lines
  bool lines_share = false;   ///< the lines of a block share rows, or have columns each
  std::int64_t tiles = 1;     ///< blocks side by side
  std::int64_t segments = 1;  ///< blocks that share the rows of a tile
};

/// Where blocks that share a tile leave their sums, as offsets [bytes] from its beginning: fp32,
/// segments × columns, and the number of finished blocks of a tile. For the largest number of
/// segments on any device.
struct ColumnSumScratch {
  ColumnSumScratch(std::int64_t rows, std::int64_t columns);

  std::int64_t done = 0;
  std::int64_t bytes = 0;
};

}  // namespace mimus::kernels
