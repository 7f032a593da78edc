// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/kernels/attention/attention_tile_kernels.cuh"
#include "kernels/cuda/kernels/common/vector_access.cuh"

namespace mimus::kernels::cuda {

inline constexpr int kAttentionWarps = 4;
inline constexpr int kAttentionThreads = 32 * kAttentionWarps;
inline constexpr float kMasked = -1e30F;  ///< the score of a key beyond the sequence

/// Shared memory of a block, divided by each kernel itself. Tiles begin at multiples of 32 bytes,
/// as tensor cores load them; so do all parts of the structures that are placed over it.
extern __shared__ __align__(128) uint4 attention_shared[];

/// Rows of a head lie heads · features elements behind one another.
struct AttentionShape {
  std::int64_t batch, heads, rows;
  float scale;  ///< of scores: 1 ÷ √features

  template <int Features>
  [[nodiscard]] __host__ __device__ std::int64_t stride() const {
    return heads * Features;
  }
  /// First element of head `head`, counted over the whole batch.
  template <int Features>
  [[nodiscard]] __device__ std::int64_t first(std::int64_t head) const {
    return head / heads * rows * stride<Features>() + head % heads * Features;
  }
};

/// Padding rows in shared memory by 16 bytes lets the rows of a tile begin in different banks.
template <class T, int Columns>
inline constexpr int kPadded = Columns + kVector<T>;

/// Copies `Rows` rows of a head from row `row` on into shared memory, zeros beyond the sequence.
template <int Rows, int Features, class T>
__device__ void load_rows(T* to, const T* head, const AttentionShape& shape, std::int64_t row) {
  constexpr int kWidth = kVector<T>;
  constexpr int kPacks = Features / kWidth;
  for (int i = static_cast<int>(threadIdx.x); i < Rows * kPacks; i += kAttentionThreads) {
    const int line = i / kPacks;
    const int column = i % kPacks * kWidth;
    Pack<T> pack;
    if (row + line < shape.rows) {
      pack = load<kWidth>(head + (row + line) * shape.stride<Features>() + column);
    } else {
#pragma unroll
      for (int k = 0; k < kWidth; ++k) pack.lane[k] = from_float<T>(0.0F);
    }
    store(to + line * kPadded<T, Features> + column, pack);
  }
}

}  // namespace mimus::kernels::cuda
