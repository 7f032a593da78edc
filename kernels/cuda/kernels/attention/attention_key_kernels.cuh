// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/kernels/attention/attention_kernels.cuh"

namespace mimus::kernels::cuda {

template <class T>
struct AttentionGradient {
  const T *query, *key, *value, *out, *out_gradient;
  const float* statistics;
  T *query_gradient, *key_gradient, *value_gradient;
};

/// Shared memory of the gradient: a tile of keys stays while tiles of queries pass. Scores and
/// their gradients are transposed, one strip of 16 keys per warp.
template <class T, int Features>
struct GradientTiles {
  static constexpr int kKeys = kTile * kAttentionWarps;
  static constexpr int kQueries = 32;
  static constexpr int kScoreStride = kQueries + 4;

  T key[kKeys * kPadded<T, Features>];
  T value[kKeys * kPadded<T, Features>];
  T query[kQueries * kPadded<T, Features>];
  T out_gradient[kQueries * kPadded<T, Features>];
  T probability[kKeys * kPadded<T, kQueries>];
  T score_gradient[kKeys * kPadded<T, kQueries>];
  float score[kKeys * kScoreStride];
  float probability_gradient[kKeys * kScoreStride];
  float statistics[kQueries];
  float expected[kQueries];  ///< Σ out · out gradient: what softmax's gradient subtracts
};

/// Sixteen keys of a warp and the sums of their gradients.
template <class Cores, int Features>
class KeyStrip {
 public:
  using T = typename Cores::Element;
  using Tiles = GradientTiles<T, Features>;

  __device__ explicit KeyStrip(Tiles& tiles) : tiles_(tiles) {
#pragma unroll
    for (auto& tile : key_gradient_) tile.clear();
#pragma unroll
    for (auto& tile : value_gradient_) tile.clear();
  }

  /// Adds a tile of queries; leaves score_gradient for the queries' own gradient.
  __device__ void add_queries(std::int64_t first_query, std::int64_t first_key,
                              const AttentionShape& shape) {
    product_of_rows(tiles_.key, tiles_.query, tiles_.score);
    product_of_rows(tiles_.value, tiles_.out_gradient, tiles_.probability_gradient);
    __syncwarp();
    differentiate(shape.rows - first_query, shape.rows - first_key, shape.scale);
    __syncwarp();
    add_product(value_gradient_, tiles_.probability, tiles_.out_gradient);
    add_product(key_gradient_, tiles_.score_gradient, tiles_.query);
  }

  /// Writes the gradients of the rows from `row` on, those of this warp, through the scores'
  /// memory.
  __device__ void finish(T* key_gradient, T* value_gradient, const AttentionShape& shape,
                         std::int64_t row) {
    write(key_gradient_, key_gradient, shape, row);
    write(value_gradient_, value_gradient, shape, row);
  }

 private:
  using Sums = typename Cores::Tile[Features / kTile];
  static constexpr int kStride = kPadded<T, Features>;
  static constexpr int kWide = kPadded<T, Tiles::kQueries>;

  [[nodiscard]] __device__ static int lane() {
    return static_cast<int>(threadIdx.x) % 32;
  }
  [[nodiscard]] __device__ static int first_row() {
    return static_cast<int>(threadIdx.x) / 32 * kTile;
  }

  /// This warp's rows of `left` times all rows of `right`.
  __device__ void product_of_rows(const T* left, const T* right, float* to) {
    typename Cores::Tile sums[Tiles::kQueries / kTile];
#pragma unroll
    for (auto& tile : sums) tile.clear();
#pragma unroll 2
    for (int k = 0; k < Features; k += kTile) {
#pragma unroll
      for (int j = 0; j < Tiles::kQueries / kTile; ++j) {
        sums[j].template multiply<false, true>(left + first_row() * kStride + k, kStride,
                                               right + j * kTile * kStride + k, kStride);
      }
    }
#pragma unroll
    for (int j = 0; j < Tiles::kQueries / kTile; ++j) {
      sums[j].store(to + first_row() * Tiles::kScoreStride + j * kTile, Tiles::kScoreStride);
    }
  }

  /// P = exp(scale · S − log Σ exp), dS = scale · P ∘ (dP − expected); zero beyond the sequence.
  __device__ void differentiate(std::int64_t queries, std::int64_t keys, float scale) {
    const int row = first_row() + lane() / 2;
    constexpr int kHalf = Tiles::kQueries / 2;
#pragma unroll 4
    for (int i = 0; i < kHalf; ++i) {
      const int query = lane() % 2 * kHalf + i;
      const int at = row * Tiles::kScoreStride + query;
      const bool inside = row < keys && query < queries;
      const float p = inside ? __expf(scale * tiles_.score[at] - tiles_.statistics[query]) : 0.0F;
      const float gradient = tiles_.probability_gradient[at] - tiles_.expected[query];
      tiles_.probability[row * kWide + query] = from_float<T>(p);
      tiles_.score_gradient[row * kWide + query] = from_float<T>(scale * p * gradient);
    }
  }

  __device__ void add_product(Sums& sums, const T* left, const T* right) {
#pragma unroll 1
    for (int k = 0; k < Tiles::kQueries; k += kTile) {
#pragma unroll
      for (int j = 0; j < Features / kTile; ++j) {
        sums[j].template multiply<false, false>(left + first_row() * kWide + k, kWide,
                                                right + k * kStride + j * kTile, kStride);
      }
    }
  }

  __device__ void write(const Sums& sums, T* to, const AttentionShape& shape, std::int64_t row) {
    float* const tile = tiles_.score + first_row() * Tiles::kScoreStride;
    const std::int64_t own = row + first_row() + lane() / 2;
    const int column = lane() % 2 * 8;
#pragma unroll
    for (int j = 0; j < Features / kTile; ++j) {
      __syncwarp();
      sums[j].store(tile, Tiles::kScoreStride);
      __syncwarp();
      if (own < shape.rows) {
        write_half_row(to + own * shape.stride<Features>() + j * kTile + column,
                       tile + lane() / 2 * Tiles::kScoreStride + column);
      }
    }
  }

  __device__ static void write_half_row(T* to, const float* from) {
#pragma unroll
    for (int i = 0; i < 8; i += kVector<T>) {
      Pack<T> pack;
#pragma unroll
      for (int k = 0; k < kVector<T>; ++k) pack.lane[k] = from_float<T>(bounded(from[i + k]));
      store(to + i, pack);
    }
  }

  Tiles& tiles_;
  Sums key_gradient_;
  Sums value_gradient_;
};

}  // namespace mimus::kernels::cuda
