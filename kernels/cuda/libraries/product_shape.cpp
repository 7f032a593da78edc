// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/libraries/product_shape.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::kernels::cuda {
namespace {

/// Regions begin at multiples of 256 bytes, which cudaMalloc() guarantees.
constexpr std::int64_t kRegionAlignment = 256;

std::int64_t alignment_at(const TensorRef& tensor) {
  if (tensor.offset == 0) return kRegionAlignment;
  return std::min(kRegionAlignment, tensor.offset & -tensor.offset);  // its lowest set bit
}

/// A row-major `rows` × `columns` matrix as a column-major one.
MatrixLayout transposed(std::int64_t rows, std::int64_t columns, const TensorRef& tensor) {
  return {columns, rows, columns, rows * columns, alignment_at(tensor)};
}

void check(const Product& product) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto sides = {product.rows, product.columns, product.inner, product.count};
  const auto [least, most] = std::minmax(sides);
  if (least >= 1 && most <= kMost) return;
  throw UsageError(fmt::format(
      "a product of {} x {} x {}, {} times: every side must be between 1 and {}; change the "
      "model's layer or the batch",
      product.rows, product.columns, product.inner, product.count, kMost));
}

}  // namespace

ProductShape product_shape(const Product& product) {
  check(product);
  const auto& p = product;
  ProductShape shape;
  shape.a = p.transpose_right ? transposed(p.columns, p.inner, p.right)
                              : transposed(p.inner, p.columns, p.right);
  shape.b =
      p.transpose_left ? transposed(p.inner, p.rows, p.left) : transposed(p.rows, p.inner, p.left);
  shape.d = transposed(p.rows, p.columns, p.out);
  shape.transpose_a = p.transpose_right;
  shape.transpose_b = p.transpose_left;
  shape.accumulate = p.accumulate;
  shape.bias = p.bias;
  shape.inner = p.inner;
  shape.count = p.count;
  shape.arithmetic = p.arithmetic;
  return shape;
}

std::size_t ProductShapeHash::operator()(const ProductShape& shape) const {
  std::size_t hash = 0;
  const auto add = [&hash](std::int64_t value) {
    // The golden ratio as in Boost's hash_combine: it spreads small values over the word.
    hash ^= std::hash<std::int64_t>{}(value) + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U);
  };
  for (const MatrixLayout* layout : {&shape.a, &shape.b, &shape.d}) {
    for (const auto value : {layout->rows, layout->columns, layout->alignment}) add(value);
  }
  const int flags = (shape.transpose_a ? 1 : 0) | (shape.transpose_b ? 2 : 0) |
                    (shape.accumulate ? 4 : 0) | (shape.bias ? 8 : 0);
  add(flags);
  add(shape.inner);
  add(shape.count);
  add(static_cast<std::int64_t>(shape.arithmetic));
  return hash;
}

std::int64_t left_bytes(const Product& product) {
  return product.count * product.rows * product.inner * element_bytes(product.arithmetic);
}

std::int64_t right_bytes(const Product& product) {
  return product.count * product.inner * product.columns * element_bytes(product.arithmetic);
}

std::int64_t out_bytes(const Product& product) {
  return product.count * product.rows * product.columns * element_bytes(product.arithmetic);
}

float product_scale(const Product& product) {
  return 1.0F / static_cast<float>(product.inner);
}

}  // namespace mimus::kernels::cuda
