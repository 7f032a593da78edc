// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// A packed column-major matrix as described to cuBLASLt.
struct MatrixLayout {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t leading = 0;    ///< elements from one column to the next
  std::int64_t batch = 0;      ///< elements from one matrix to the next
  std::int64_t alignment = 0;  ///< of the first element [bytes]; a power of two, at most 256
  auto operator<=>(const MatrixLayout&) const = default;
  [[nodiscard]] std::int64_t elements() const { return rows * columns; }
};

/// A product as cuBLASLt computes it: D(m × n) = op(A) · op(B), all column-major. It is the key
/// under which an algorithm is kept.
///
/// Mimus's matrices are row-major. A row-major matrix is its own transpose in column-major order,
/// and outᵀ = rightᵀ · leftᵀ. So A is `right`, B is `left`, m counts columns of `out` and n its
/// rows, and nothing is moved. (Row-major order in cuBLASLt would leave the bias on the wrong side,
/// because it adds one number per row of D.)
struct ProductShape {
  MatrixLayout a, b, d;
  bool transpose_a = false;
  bool transpose_b = false;
  bool accumulate = false;
  bool bias = false;
  std::int64_t inner = 0;
  std::int64_t count = 1;
  Arithmetic arithmetic = Arithmetic::fp32;
  auto operator<=>(const ProductShape&) const = default;
};

/// Throws UsageError for empty matrices and for sides beyond the 2³¹ − 1 that cuBLASLt supports.
[[nodiscard]] ProductShape product_shape(const Product& product);

struct ProductShapeHash {
  [[nodiscard]] std::size_t operator()(const ProductShape& shape) const;
};

/// Bytes from the beginning of an operand to its end, over all `count` matrices.
[[nodiscard]] std::int64_t left_bytes(const Product& product);
[[nodiscard]] std::int64_t right_bytes(const Product& product);
[[nodiscard]] std::int64_t out_bytes(const Product& product);

/// The factor of a product, 1 ÷ inner. The largest magnitude in `out` is then at most the product
/// of those in `left` and `right`, however often a step is repeated.
[[nodiscard]] float product_scale(const Product& product);

}  // namespace mimus::kernels::cuda
