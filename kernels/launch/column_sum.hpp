// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mimus::kernels {

/// How a sum over the rows of a matrix is divided among threads: as PyTorch 2.11 divides it
/// (Reduce.cuh, setReduceConfig), because how long it takes follows from little else.
struct ColumnSumTiling {
  ColumnSumTiling(std::int64_t rows, std::int64_t columns, int multiprocessors);

  int width = 1;             ///< columns of a thread: 4, 2 or 1
  int wide = 1, high = 1;    ///< threads of a block: side by side, and in lines
  bool lines_share = false;  ///< the lines of a block share its columns' rows, or have columns each
  std::int64_t tiles = 1;    ///< blocks side by side
  std::int64_t segments = 1;  ///< blocks that share the rows of a tile
};

/// Where blocks that share a tile leave their sums, as offsets [bytes] from its beginning: fp32,
/// segments × columns, and how many of a tile's blocks are done. For the most segments that there
/// are on any device.
struct ColumnSumScratch {
  ColumnSumScratch(std::int64_t rows, std::int64_t columns);

  std::int64_t done = 0;
  std::int64_t bytes = 0;
};

}  // namespace mimus::kernels
