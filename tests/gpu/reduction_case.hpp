// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "kernels/cuda/kernels/reduction_kernels.hpp"
#include "kernels/launch/batch_norm_tiling.hpp"
#include "kernels/launch/column_sum.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {

struct MatrixSize {
  std::int64_t rows, columns;
};
/// One element; odd; rows that are several vectors; a row longer than a block; many rows; and
/// matrices that a device of 132 multiprocessors does not take at once.
inline constexpr MatrixSize kMatrixSizes[] = {{1, 1},     {7, 3},     {300, 64},
                                              {33, 1000}, {5, 2056},  {3, 9001},
                                              {2100, 8},  {9'000, 8}, {1'200, 2'056}};
/// More tiles of columns than blocks.
inline constexpr MatrixSize kWideSizes[] = {{2, 40'001}};
/// One or two rows of fp32 take the 48 KB of shared memory that a kernel may have unasked, to which
/// come the sums of its warps.
inline constexpr MatrixSize kEdgeSizes[] = {{2, 12'288}, {2, 6'144}};

inline bool along_columns(Reduction::Function function) {
  using enum Reduction::Function;
  return function == batch_statistics || function == batch_norm ||
         function == batch_gradient_sums || function == batch_norm_gradient ||
         function == parameter_gradient || function == column_sum || function == column_sum_in_turn;
}

inline std::vector<MatrixSize> sizes_of(Reduction::Function function) {
  std::vector<MatrixSize> sizes(std::begin(kMatrixSizes), std::end(kMatrixSizes));
  const std::span<const MatrixSize> own =
      along_columns(function) ? std::span<const MatrixSize>(kWideSizes) : kEdgeSizes;
  sizes.insert(sizes.end(), own.begin(), own.end());
  return sizes;
}

/// A launch with operands and what the reference needs of them.
class ReductionCase {
 public:
  ReductionCase(Reduction::Function function, Arithmetic element, const MatrixSize& size)
      : tensors(element), element_(element) {
    shape.function = function;
    shape.rows = size.rows;
    shape.columns = size.columns;
    shape.bytes = tensors.bytes();
    shape.x = tensors.add_random(size.rows * size.columns);
    shape.dy = tensors.add_random(size.rows * size.columns, -1.0, 1.0);
    shape.out = tensors.add(size.rows * size.columns + 2 * size.columns, 4);
    shape.statistics = tensors.add(4 * std::max(size.rows, size.columns), 4);
    shape.scratch = tensors.add(std::max(ColumnSumScratch(size.rows, size.columns).bytes,
                                         BatchNormTiling(size.rows, size.columns).scratch_bytes),
                                1);
  }

  void run() { run({shape.function}); }
  /// One after the other on the same operands.
  void run(std::initializer_list<Reduction::Function> functions) {
    tensors.upload();
    for (const Reduction::Function function : functions) {
      shape.function = function;
      enqueue(shape, tensors.regions(), nullptr, element_);
    }
    tensors.download();
  }
  double x(std::int64_t row, std::int64_t column) { return tensors.get(shape.x, at(row, column)); }
  double dy(std::int64_t row, std::int64_t column) {
    return tensors.get(shape.dy, at(row, column));
  }
  /// Within `factor` roundings, and `more`.
  void expect(std::int64_t row, std::int64_t column, double expected, double factor = 1.0,
              double more = 0.0) {
    expect_close(tensors.get(shape.out, at(row, column)), bounded_reference(expected),
                 factor * tolerance(element_) + more, [&] { return where(row, column); });
  }
  void expect_float(const TensorRef& place, std::int64_t index, double expected, double relative) {
    expect_close(static_cast<double>(tensors.raw<float>(place, index)), expected, relative,
                 [&] { return where(index, 0); });
  }
  void keep_statistic(std::int64_t index, double value) {
    tensors.set_raw(shape.statistics, index, static_cast<float>(value));
  }

  Tensors tensors;
  Reduction shape;

 private:
  /// Rows are pixels, image after image.
  [[nodiscard]] std::int64_t at(std::int64_t row, std::int64_t column) const {
    if (shape.image == 0) return row * shape.columns + column;
    return (row / shape.image * shape.columns + column) * shape.image + row % shape.image;
  }
  std::string where(std::int64_t row, std::int64_t column) const {
    return "function " + std::to_string(static_cast<int>(shape.function)) + ", bytes " +
           std::to_string(shape.bytes) + ", at " + std::to_string(row) + ", " +
           std::to_string(column);
  }
  Arithmetic element_;
};

template <class Value>
double mean_over(std::int64_t count, Value&& value) {
  double sum = 0.0;
  for (std::int64_t i = 0; i < count; ++i) sum += value(i);
  return sum / static_cast<double>(count);
}

template <class Check>
void for_cases(Reduction::Function function, Check&& check) {
  for (const Arithmetic element : kElementTypes) {
    for (const MatrixSize& size : sizes_of(function)) {
      ReductionCase item(function, element, size);
      check(item);
      if (::testing::Test::HasNonfatalFailure()) return;
    }
  }
}

struct Moments {
  double mean, square;
  [[nodiscard]] double inverse() const { return 1.0 / std::sqrt(square - mean * mean + 1e-5); }
};

}  // namespace mimus::kernels::cuda
