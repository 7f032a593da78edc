// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cooperative_groups.h>

#include "kernels/cuda/kernels/attention/attention_key_kernels.cuh"
#include "kernels/cuda/kernels/common/atomic_add_kernels.cuh"

namespace mimus::kernels::cuda {

/// log Σ exp of a tile's queries, and Σ out · out gradient, a quarter of a row per thread.
template <class T, int Features>
__device__ void load_row_sums(GradientTiles<T, Features>& tiles, const T* out,
                              const float* statistics, const AttentionShape& shape,
                              std::int64_t row) {
  constexpr int kQuarter = Features / 4;
  const int line = static_cast<int>(threadIdx.x) / 4;
  const int column = static_cast<int>(threadIdx.x) % 4 * kQuarter;
  const bool inside = row + line < shape.rows;
  float sum = 0.0F;
  if (inside) {
    const T* const from = out + (row + line) * shape.stride<Features>() + column;
    const T* const gradient = tiles.out_gradient + line * kPadded<T, Features> + column;
#pragma unroll
    for (int i = 0; i < kQuarter; i += kVector<T>) {
      const Pack<T> pack = load<kVector<T>>(from + i);
#pragma unroll
      for (int k = 0; k < kVector<T>; ++k) {
        sum += to_float(pack.lane[k]) * to_float(gradient[i + k]);
      }
    }
  }
  sum += __shfl_xor_sync(0xFFFFFFFFU, sum, 1);
  sum += __shfl_xor_sync(0xFFFFFFFFU, sum, 2);
  if (threadIdx.x % 4 != 0) return;
  tiles.expected[line] = sum;
  tiles.statistics[line] = inside ? statistics[row + line] : 0.0F;
}

/// Adds eight sums to a row by atomic operations.
template <class T>
__device__ void add_half_row(T* to, const float* from) {
#pragma unroll
  for (int i = 0; i < 8; i += kVector<T>) {
    Pack<T> pack;
#pragma unroll
    for (int k = 0; k < kVector<T>; ++k) pack.lane[k] = from_float<T>(from[i + k]);
    atomic_add(to + i, pack);
  }
}

/// dQ += dS · K: the warps take tiles of the result in turn and add them by atomic operations,
/// because other blocks hold the other keys.
template <class Cores, int Features>
__device__ void add_query_gradient(GradientTiles<typename Cores::Element, Features>& tiles,
                                   typename Cores::Element* to, const AttentionShape& shape,
                                   std::int64_t row) {
  using T = typename Cores::Element;
  using Tiles = GradientTiles<T, Features>;
  constexpr int kAcross = Features / kTile;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  float* const sums = tiles.score + warp * kTile * Tiles::kScoreStride;
#pragma unroll 1
  for (int tile = warp; tile < Tiles::kQueries / kTile * kAcross; tile += kAttentionWarps) {
    const int line = tile / kAcross * kTile;
    const int column = tile % kAcross * kTile;
    typename Cores::Tile sum;
    sum.clear();
#pragma unroll
    for (int k = 0; k < Tiles::kKeys; k += kTile) {
      sum.template multiply<true, false>(
          tiles.score_gradient + k * kPadded<T, Tiles::kQueries> + line,
          kPadded<T, Tiles::kQueries>, tiles.key + k * kPadded<T, Features> + column,
          kPadded<T, Features>);
    }
    __syncwarp();
    sum.store(sums, Tiles::kScoreStride);
    __syncwarp();
    const std::int64_t own = row + line + lane / 2;
    if (own < shape.rows) {
      add_half_row(to + own * shape.stride<Features>() + column + lane % 2 * 8,
                   sums + lane / 2 * Tiles::kScoreStride + lane % 2 * 8);
    }
    __syncwarp();  // the next product needs the whole warp
  }
}

/// Passes one tile of keys of one head over all queries.
template <class Cores, int Features>
__device__ void gradient_of_keys(const AttentionGradient<typename Cores::Element>& operands,
                                 const AttentionShape& shape, std::int64_t head, std::int64_t key) {
  using T = typename Cores::Element;
  using Tiles = GradientTiles<T, Features>;
  Tiles& tiles = *reinterpret_cast<Tiles*>(attention_shared);
  const std::int64_t first = shape.first<Features>(head);
  __syncthreads();
  load_rows<Tiles::kKeys, Features>(tiles.key, operands.key + first, shape, key);
  load_rows<Tiles::kKeys, Features>(tiles.value, operands.value + first, shape, key);
  KeyStrip<Cores, Features> strip(tiles);
  for (std::int64_t query = 0; query < shape.rows; query += Tiles::kQueries) {
    __syncthreads();
    load_rows<Tiles::kQueries, Features>(tiles.query, operands.query + first, shape, query);
    load_rows<Tiles::kQueries, Features>(tiles.out_gradient, operands.out_gradient + first, shape,
                                         query);
    __syncthreads();
    load_row_sums<T, Features>(tiles, operands.out + first, operands.statistics + head * shape.rows,
                               shape, query);
    __syncthreads();
    strip.add_queries(query, key, shape);
    __syncthreads();
    add_query_gradient<Cores, Features>(tiles, operands.query_gradient + first, shape, query);
  }
  __syncthreads();
  strip.finish(operands.key_gradient + first, operands.value_gradient + first, shape, key);
}

/// Calls body(element) for the packs of a whole tensor.
template <class T, class Body>
__device__ void for_tensor_packs(std::int64_t elements, Body body) {
  const std::int64_t stride = gridDim.x * std::int64_t{kAttentionThreads} * kVector<T>;
  for (std::int64_t i = (blockIdx.x * std::int64_t{kAttentionThreads} + threadIdx.x) * kVector<T>;
       i < elements; i += stride) {
    body(i);
  }
}

/// Blocks, all of them resident, take tiles of keys in turn. The queries' gradient is cleared
/// before, added to in its own type by all blocks, and bounded afterwards.
template <class Cores, int Features>
__global__ void __launch_bounds__(kAttentionThreads)
    gemm_attention_gradient(AttentionGradient<typename Cores::Element> operands,
                            AttentionShape shape) {
  using T = typename Cores::Element;
  constexpr int kKeys = GradientTiles<T, Features>::kKeys;
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const std::int64_t elements = shape.batch * shape.rows * shape.stride<Features>();
  for_tensor_packs<T>(elements, [&](std::int64_t i) {
    Pack<T> zeros;
#pragma unroll
    for (int k = 0; k < kVector<T>; ++k) zeros.lane[k] = from_float<T>(0.0F);
    store(operands.query_gradient + i, zeros);
  });
  grid.sync();
  const std::int64_t tiles = (shape.rows + kKeys - 1) / kKeys;
  for (std::int64_t i = blockIdx.x; i < shape.batch * shape.heads * tiles; i += gridDim.x) {
    gradient_of_keys<Cores, Features>(operands, shape, i / tiles, i % tiles * kKeys);
  }
  grid.sync();
  for_tensor_packs<T>(elements, [&](std::int64_t i) {
    const auto raw = __ldcg(reinterpret_cast<const uint4*>(operands.query_gradient + i));
    Pack<T> pack;
    memcpy(&pack, &raw, sizeof(pack));
#pragma unroll
    for (T& value : pack.lane) value = from_float<T>(bounded(to_float(value)));
    store(operands.query_gradient + i, pack);
  });
}

}  // namespace mimus::kernels::cuda
