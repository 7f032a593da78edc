// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/kernels/attention/attention_kernels.cuh"

namespace mimus::kernels::cuda {

template <class T>
struct AttentionForward {
  const T* query;
  const T* key;
  const T* value;
  T* out;
  float* statistics;  ///< log Σ exp of each row's scores
};

/// Shared memory of the forward kernel: tiles of queries, keys and values for the block; scores,
/// probabilities and outputs for each warp.
template <class T, int Features>
struct ForwardTiles {
  static constexpr int kQueries = kTile * kAttentionWarps;
  static constexpr int kKeys = 32;
  static constexpr int kScoreStride = kKeys + 4;
  static constexpr int kOutStride = Features + 4;

  T query[kQueries * kPadded<T, Features>];
  T key[kKeys * kPadded<T, Features>];
  T value[kKeys * kPadded<T, Features>];
  T probability[kAttentionWarps][kTile * kPadded<T, kKeys>];
  float score[kAttentionWarps][kTile * kScoreStride];
  float out[kAttentionWarps][kTile * kOutStride];
};

/// The softmax of one row while its keys pass, known to the two lanes that share the row.
struct OnlineSoftmax {
  float max = kMasked;
  float sum = 0.0F;

  /// Turns this lane's half of a row of scores into probabilities relative to the largest score so
  /// far. Returns the factor for earlier sums.
  template <int Columns, class T>
  __device__ float add(const float* scores, T* probabilities, float scale, std::int64_t valid) {
    float largest = kMasked;
#pragma unroll
    for (int i = 0; i < Columns; ++i) {
      if (i < valid) largest = fmaxf(largest, scores[i] * scale);
    }
    largest = fmaxf(max, fmaxf(largest, __shfl_xor_sync(0xFFFFFFFFU, largest, 1)));
    const float correction = __expf(max - largest);
    float part = 0.0F;
#pragma unroll
    for (int i = 0; i < Columns; ++i) {
      const float p = i < valid ? __expf(scores[i] * scale - largest) : 0.0F;
      probabilities[i] = from_float<T>(p);
      part += p;
    }
    part += __shfl_xor_sync(0xFFFFFFFFU, part, 1);
    sum = sum * correction + part;
    max = largest;
    return correction;
  }
};

/// Sixteen queries of a warp: their scores, softmax and output.
template <class Cores, int Features>
class QueryStrip {
 public:
  using T = typename Cores::Element;
  using Tiles = ForwardTiles<T, Features>;

  __device__ explicit QueryStrip(Tiles& tiles)
      : tiles_(tiles), warp_(static_cast<int>(threadIdx.x) / 32) {
#pragma unroll
    for (auto& tile : out_) tile.clear();
  }

  /// Adds the tile of keys that begins at row `first` of `rows`.
  __device__ void add_keys(std::int64_t first, const AttentionShape& shape) {
    compute_scores();
    __syncwarp();
    const int half = lane() % 2 * (Tiles::kKeys / 2);
    const float correction = softmax_.template add<Tiles::kKeys / 2>(
        tiles_.score[warp_] + lane() / 2 * Tiles::kScoreStride + half,
        tiles_.probability[warp_] + lane() / 2 * kPadded<T, Tiles::kKeys> + half, shape.scale,
        shape.rows - first - half);
    // Sums keep their scale unless a row has found a new largest score.
    if (first > 0 && __any_sync(0xFFFFFFFFU, correction != 1.0F ? 1 : 0) != 0) rescale(correction);
    __syncwarp();
    add_values();
  }

  /// Writes the rows from `row` on, those of this warp.
  __device__ void finish(T* out, float* statistics, const AttentionShape& shape, std::int64_t row) {
    store_out();
    __syncwarp();
    const std::int64_t own = row + warp_ * kTile + lane() / 2;
    if (own >= shape.rows) return;
    const float* const from = own_row();
    T* const to = out + own * shape.stride<Features>() + lane() % 2 * kHalf;
#pragma unroll
    for (int i = 0; i < kHalf; i += kVector<T>) {
      Pack<T> pack;
#pragma unroll
      for (int k = 0; k < kVector<T>; ++k) {
        pack.lane[k] = from_float<T>(bounded(from[i + k] / softmax_.sum));
      }
      store(to + i, pack);
    }
    if (lane() % 2 == 0) statistics[own] = softmax_.max + __logf(softmax_.sum);
  }

 private:
  static constexpr int kHalf = Features / 2;  ///< columns of the output per lane

  [[nodiscard]] __device__ static int lane() {
    return static_cast<int>(threadIdx.x) % 32;
  }
  [[nodiscard]] __device__ float* own_row() const {
    return tiles_.out[warp_] + lane() / 2 * Tiles::kOutStride + lane() % 2 * kHalf;
  }

  __device__ void compute_scores() {
    constexpr int kStride = kPadded<T, Features>;
    typename Cores::Tile scores[Tiles::kKeys / kTile];
#pragma unroll
    for (auto& tile : scores) tile.clear();
#pragma unroll
    for (int k = 0; k < Features; k += kTile) {
#pragma unroll
      for (int j = 0; j < Tiles::kKeys / kTile; ++j) {
        scores[j].template multiply<false, true>(tiles_.query + warp_ * kTile * kStride + k,
                                                 kStride, tiles_.key + j * kTile * kStride + k,
                                                 kStride);
      }
    }
#pragma unroll
    for (int j = 0; j < Tiles::kKeys / kTile; ++j) {
      scores[j].store(tiles_.score[warp_] + j * kTile, Tiles::kScoreStride);
    }
  }

  __device__ void add_values() {
    constexpr int kStride = kPadded<T, Features>;
    constexpr int kProbabilities = kPadded<T, Tiles::kKeys>;
#pragma unroll
    for (int k = 0; k < Tiles::kKeys; k += kTile) {
#pragma unroll
      for (int j = 0; j < Features / kTile; ++j) {
        out_[j].template multiply<false, false>(tiles_.probability[warp_] + k, kProbabilities,
                                                tiles_.value + k * kStride + j * kTile, kStride);
      }
    }
  }

  __device__ void store_out() {
#pragma unroll
    for (int j = 0; j < Features / kTile; ++j) {
      out_[j].store(tiles_.out[warp_] + j * kTile, Tiles::kOutStride);
    }
  }

  /// It is not specified which elements of a tile a lane holds, so rows are scaled in memory.
  __device__ void rescale(float correction) {
    store_out();
    __syncwarp();
    float* const row = own_row();
#pragma unroll 8
    for (int i = 0; i < kHalf; ++i) row[i] *= correction;
    __syncwarp();
#pragma unroll
    for (int j = 0; j < Features / kTile; ++j) {
      out_[j].load(tiles_.out[warp_] + j * kTile, Tiles::kOutStride);
    }
  }

  Tiles& tiles_;
  int warp_;
  OnlineSoftmax softmax_;
  typename Cores::Tile out_[Features / kTile];
};

/// A block passes 64 queries of one head over all of its keys.
template <class Cores, int Features>
__global__ void __launch_bounds__(kAttentionThreads)
    gemm_attention_forward(AttentionForward<typename Cores::Element> operands,
                           AttentionShape shape) {
  using T = typename Cores::Element;
  using Tiles = ForwardTiles<T, Features>;
  Tiles& tiles = *reinterpret_cast<Tiles*>(attention_shared);
  const std::int64_t blocks = (shape.rows + Tiles::kQueries - 1) / Tiles::kQueries;
  const std::int64_t head = blockIdx.x / blocks;
  const std::int64_t row = blockIdx.x % blocks * Tiles::kQueries;
  const std::int64_t first = shape.first<Features>(head);
  load_rows<Tiles::kQueries, Features>(tiles.query, operands.query + first, shape, row);
  QueryStrip<Cores, Features> strip(tiles);
  for (std::int64_t key = 0; key < shape.rows; key += Tiles::kKeys) {
    __syncthreads();
    load_rows<Tiles::kKeys, Features>(tiles.key, operands.key + first, shape, key);
    load_rows<Tiles::kKeys, Features>(tiles.value, operands.value + first, shape, key);
    __syncthreads();
    strip.add_keys(key, shape);
  }
  strip.finish(operands.out + first, operands.statistics + head * shape.rows, shape, row);
}

}  // namespace mimus::kernels::cuda
