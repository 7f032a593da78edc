// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mma.h>
#include <type_traits>

#include "kernels/cuda/kernels/common/vector_access.cuh"

namespace mimus::kernels::cuda {

inline constexpr int kTile = 16;  ///< rows and columns of a tile of a product

/// A 16 × 16 tile in fp32 to which a warp adds products of tiles in shared memory, each 16 elements
/// deep. `left` and `right` have 16 rows and 16 columns; where they are stored transposed, the
/// template says so. All leading dimensions are in elements and multiples of 8.
template <class T>
class TensorTile {
 public:
  __device__ void clear() { nvcuda::wmma::fill_fragment(sum_, 0.0F); }
  __device__ void load(const float* from, int stride) {
    nvcuda::wmma::load_matrix_sync(sum_, from, static_cast<unsigned>(stride),
                                   nvcuda::wmma::mem_row_major);
  }
  __device__ void store(float* to, int stride) const {
    nvcuda::wmma::store_matrix_sync(to, sum_, static_cast<unsigned>(stride),
                                    nvcuda::wmma::mem_row_major);
  }

  template <bool LeftTransposed, bool RightTransposed>
  __device__ void multiply(const T* left, int left_stride, const T* right, int right_stride) {
    using Row = nvcuda::wmma::row_major;
    using Column = nvcuda::wmma::col_major;
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, kTile, kTile, kTile, T,
                           std::conditional_t<LeftTransposed, Column, Row>>
        a;
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, kTile, kTile, kTile, T,
                           std::conditional_t<RightTransposed, Column, Row>>
        b;
    nvcuda::wmma::load_matrix_sync(a, left, static_cast<unsigned>(left_stride));
    nvcuda::wmma::load_matrix_sync(b, right, static_cast<unsigned>(right_stride));
    nvcuda::wmma::mma_sync(sum_, a, b, sum_);
  }

 private:
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, kTile, kTile, kTile, float> sum_;
};

/// Replacement for architectures without the instructions; the host never launches it.
class AbsentTile {
 public:
  __device__ void clear() { __trap(); }
  __device__ void load(const float*, int) {}
  __device__ void store(float*, int) const {}
  template <bool LeftTransposed, bool RightTransposed, class T>
  __device__ void multiply(const T*, int, const T*, int) {}
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr bool kHasBf16Tiles = false;
using Tf32Tile = AbsentTile;
#else
inline constexpr bool kHasBf16Tiles = true;

/// Likewise with floats rounded to tf32, of which the instructions take 8 at a time.
class Tf32Tile {
 public:
  __device__ void clear() { nvcuda::wmma::fill_fragment(sum_, 0.0F); }
  __device__ void load(const float* from, int stride) {
    nvcuda::wmma::load_matrix_sync(sum_, from, static_cast<unsigned>(stride),
                                   nvcuda::wmma::mem_row_major);
  }
  __device__ void store(float* to, int stride) const {
    nvcuda::wmma::store_matrix_sync(to, sum_, static_cast<unsigned>(stride),
                                    nvcuda::wmma::mem_row_major);
  }

  template <bool LeftTransposed, bool RightTransposed>
  __device__ void multiply(const float* left, int left_stride, const float* right,
                           int right_stride) {
    using Row = nvcuda::wmma::row_major;
    using Column = nvcuda::wmma::col_major;
    using Tf32 = nvcuda::wmma::precision::tf32;
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, kTile, kTile, kDepth, Tf32,
                           std::conditional_t<LeftTransposed, Column, Row>>
        a;
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, kTile, kTile, kDepth, Tf32,
                           std::conditional_t<RightTransposed, Column, Row>>
        b;
#pragma unroll
    for (int k = 0; k < kTile; k += kDepth) {
      nvcuda::wmma::load_matrix_sync(a, left + k * (LeftTransposed ? left_stride : 1),
                                     static_cast<unsigned>(left_stride));
      nvcuda::wmma::load_matrix_sync(b, right + k * (RightTransposed ? 1 : right_stride),
                                     static_cast<unsigned>(right_stride));
#pragma unroll
      for (int i = 0; i < a.num_elements; ++i) a.x[i] = nvcuda::wmma::__float_to_tf32(a.x[i]);
#pragma unroll
      for (int i = 0; i < b.num_elements; ++i) b.x[i] = nvcuda::wmma::__float_to_tf32(b.x[i]);
      nvcuda::wmma::mma_sync(sum_, a, b, sum_);
    }
  }

 private:
  static constexpr int kDepth = 8;
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, kTile, kTile, kDepth, float> sum_;
};

#endif

/// Likewise in fp32 without tensor cores: a lane holds eight elements of one row.
class PlainTile {
 public:
  __device__ void clear() {
#pragma unroll
    for (float& value : sum_) value = 0.0F;
  }
  __device__ void load(const float* from, int stride) {
#pragma unroll
    for (int i = 0; i < kOwn; ++i) sum_[i] = from[row() * stride + column() + i];
  }
  __device__ void store(float* to, int stride) const {
#pragma unroll
    for (int i = 0; i < kOwn; ++i) to[row() * stride + column() + i] = sum_[i];
  }

  template <bool LeftTransposed, bool RightTransposed>
  __device__ void multiply(const float* left, int left_stride, const float* right,
                           int right_stride) {
#pragma unroll 4
    for (int k = 0; k < kTile; ++k) {
      const float a =
          LeftTransposed ? left[k * left_stride + row()] : left[row() * left_stride + k];
#pragma unroll
      for (int i = 0; i < kOwn; ++i) {
        sum_[i] += a * (RightTransposed ? right[(column() + i) * right_stride + k]
                                        : right[k * right_stride + column() + i]);
      }
    }
  }

 private:
  static constexpr int kOwn = 8;
  [[nodiscard]] __device__ static int row() {
    return static_cast<int>(threadIdx.x) % 32 / 2;
  }
  [[nodiscard]] __device__ static int column() {
    return static_cast<int>(threadIdx.x) % 2 * kOwn;
  }
  float sum_[kOwn];
};

/// The parts of products in one arithmetic.
template <class T>
struct TensorCores {
  using Element = T;
  static constexpr bool kPresent = std::is_same_v<T, __half> || kHasBf16Tiles;
  using Tile = std::conditional_t<kPresent, TensorTile<T>, AbsentTile>;
};
struct Tf32Cores {
  using Element = float;
  using Tile = Tf32Tile;
};
struct PlainCores {
  using Element = float;
  using Tile = PlainTile;
};

}  // namespace mimus::kernels::cuda
