// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "kernels/cuda/kernels/common/dynamic_shared.cuh"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/vector_access.cuh"

namespace mimus::kernels::cuda {

inline constexpr int kWarp = 32;
inline constexpr int kRowThreads = 512;  ///< of a block at most

/// How a grid divides a matrix: `threads` per row (a warp of a block's eight, or the whole block).
struct RowTiling {
  std::int64_t rows, columns;
  int threads;
  bool cached;  ///< rows are read from memory once and kept in shared memory
};

/// The threads of one row.
class RowGroup {
 public:
  __device__ explicit RowGroup(const RowTiling& tiling)
      : threads_(tiling.threads),
        index_(static_cast<int>(threadIdx.x) % tiling.threads),
        row_(static_cast<int>(threadIdx.x) / tiling.threads) {}

  [[nodiscard]] __device__ int threads() const { return threads_; }
  [[nodiscard]] __device__ int index() const { return index_; }
  [[nodiscard]] __device__ int row() const { return row_; }  ///< of the block

  [[nodiscard]] __device__ float sum(float value) const {
    return combined(value, 0.0F, [](float a, float b) { return a + b; });
  }
  [[nodiscard]] __device__ float max(float value) const {
    return combined(value, -3.4e38F, [](float a, float b) { return fmaxf(a, b); });
  }

 private:
  template <class Combine>
  [[nodiscard]] __device__ static float over_warp(float value, Combine combine) {
#pragma unroll
    for (int distance = kWarp / 2; distance > 0; distance /= 2) {
      value = combine(value, __shfl_xor_sync(0xFFFFFFFFU, value, distance));
    }
    return value;
  }

  /// All threads of a group get the result. Groups larger than a warp are blocks.
  template <class Combine>
  [[nodiscard]] __device__ float combined(float value, float neutral, Combine combine) const {
    __shared__ float warps[kWarp];
    value = over_warp(value, combine);
    if (threads_ == kWarp) return value;
    const int lane = index_ % kWarp;
    __syncthreads();  // the previous result has been read
    if (lane == 0) warps[index_ / kWarp] = value;
    __syncthreads();
    value = lane < threads_ / kWarp ? warps[lane] : neutral;
    return over_warp(value, combine);
  }

  int threads_, index_, row_;
};

/// Whether a row is read from memory, or once more.
enum class RowPass { first, again };

/// One row of a tensor. Each thread reads its own packs: from memory the first time, and afterwards
/// from the cache if there is one. One pointer decides this without a branch.
template <class T, int Width>
class RowReader {
 public:
  __device__ RowReader(const T* row, Pack<T, Width>* cache)
      : row_(row),
        cache_(cache),
        again_(cache != nullptr ? cache : reinterpret_cast<const Pack<T, Width>*>(row)) {}

  template <RowPass Which>
  [[nodiscard]] __device__ Pack<T, Width> read(std::int64_t pack) const {
    return Which == RowPass::first ? load<Width>(row_ + pack * Width) : again_[pack];
  }
  /// Puts a value of the first reading into the cache.
  __device__ void keep(std::int64_t pack, const Pack<T, Width>& value) const {
    if (cache_ != nullptr) store(cache_[pack].lane, value);
  }

 private:
  const T* row_;
  Pack<T, Width>* cache_;
  const Pack<T, Width>* again_;
};

/// The cache of tensor number `tensor` of `tensors` for a group's row; null without one. Rows begin
/// at multiples of 16 bytes, because their bytes are a multiple of the width of their packs,
/// rounded up.
template <class T, int Width>
__device__ Pack<T, Width>* row_cache_of(const RowTiling& tiling, const RowGroup& group, int tensor,
                                        int tensors) {
  if (!tiling.cached) return nullptr;
  const std::int64_t row_units = (tiling.columns * static_cast<int>(sizeof(T)) + 15) / 16;
  return reinterpret_cast<Pack<T, Width>*>(dynamic_shared +
                                           (group.row() * tensors + tensor) * row_units);
}

/// Calls body(row) for the rows of a group.
template <class Body>
__device__ void for_group_rows(const RowTiling& tiling, const RowGroup& group, Body body) {
  const std::int64_t at_once = static_cast<int>(blockDim.x) / tiling.threads;
  for (std::int64_t row = blockIdx.x * at_once + group.row(); row < tiling.rows;
       row += gridDim.x * at_once) {
    body(row);
  }
}

/// Calls body(pack, values) for the packs of a thread, with four loads under way at once.
template <RowPass Which, class T, int Width, int Inputs, class Body>
__device__ void for_row_packs(const RowTiling& tiling, const RowGroup& group,
                              const RowReader<T, Width> (&in)[Inputs], Body body) {
  constexpr int kAtOnce = 4 / Inputs;
  const std::int64_t packs = tiling.columns / Width;
  for (std::int64_t pack = group.index(); pack < packs; pack += kAtOnce * group.threads()) {
    Pack<T, Width> values[kAtOnce][Inputs];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      const std::int64_t at = pack + k * group.threads();
      if (at >= packs) continue;
#pragma unroll
      for (int i = 0; i < Inputs; ++i) values[k][i] = in[i].template read<Which>(at);
    }
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      const std::int64_t at = pack + k * group.threads();
      if (at >= packs) continue;
#pragma unroll
      for (int i = 0; i < Inputs; ++i) {
        if constexpr (Which == RowPass::first) in[i].keep(at, values[k][i]);
      }
      body(at, values[k]);
    }
  }
}

/// Threads per row such that each has up to eight packs, and rows per block such that they fit into
/// the shared memory of a block of which a multiprocessor holds several.
template <class T, int Width, class... Parameters, class... Arguments>
void launch_rows(std::string_view call, void (*kernel)(Parameters...), const Reduction& shape,
                 int tensors, cudaStream_t stream, Arguments... arguments) {
  constexpr std::int64_t kSharedBytes = 32 * 1024;
  const std::int64_t packs = shape.columns / Width;
  RowTiling tiling{.rows = shape.rows, .columns = shape.columns, .threads = kWarp, .cached = true};
  if (packs > 8 * kWarp) tiling.threads = packs > 8 * kBlockThreads ? kRowThreads : kBlockThreads;
  const std::int64_t row_bytes =
      tensors * ((shape.columns * static_cast<std::int64_t>(sizeof(T)) + 15) / 16 * 16);
  const std::int64_t rows_at_once =
      tiling.threads == kWarp
          ? std::clamp<std::int64_t>(kSharedBytes / row_bytes, 1, kBlockThreads / kWarp)
          : 1;
  LaunchShape grid{.block = static_cast<unsigned>(rows_at_once * tiling.threads)};
  grid.shared_bytes = static_cast<std::size_t>(rows_at_once * row_bytes);
  tiling.cached = allow_shared_memory(reinterpret_cast<const void*>(kernel), grid.shared_bytes);
  if (!tiling.cached) grid.shared_bytes = 0;
  grid.grid = streaming_blocks(shape.rows * tiling.threads, static_cast<int>(grid.block.x));
  launch(call, kernel, grid, stream, arguments..., tiling);
}

}  // namespace mimus::kernels::cuda
