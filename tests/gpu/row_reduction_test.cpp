// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/reduction_case.hpp"

namespace mimus::kernels::cuda {
namespace {

using Function = Reduction::Function;
using RowReductionTest = GpuTest;

Moments row_moments(ReductionCase& item, std::int64_t row) {
  const std::int64_t columns = item.shape.columns;
  return {mean_over(columns, [&](std::int64_t c) { return item.x(row, c); }),
          mean_over(columns, [&](std::int64_t c) { return item.x(row, c) * item.x(row, c); })};
}

TEST_F(RowReductionTest, LayerNormNormalisesRowsAndKeepsMeanAndInverseDeviation) {
  for_cases(Function::layer_norm, [](ReductionCase& item) {
    item.run();
    for (std::int64_t r = 0; r < item.shape.rows; ++r) {
      const Moments moments = row_moments(item, r);
      item.expect_float(item.shape.statistics, r, moments.mean, 1e-5);
      item.expect_float(item.shape.statistics, item.shape.rows + r, moments.inverse(), 1e-4);
      for (std::int64_t c = 0; c < item.shape.columns; ++c) {
        item.expect(r, c, 0.5 + 0.25 * (item.x(r, c) - moments.mean) * moments.inverse(), 2.0);
      }
    }
  });
}

void check_layer_norm_gradient(ReductionCase& item) {
  const std::int64_t rows = item.shape.rows;
  const std::int64_t columns = item.shape.columns;
  for (std::int64_t r = 0; r < rows; ++r) {
    item.keep_statistic(r, 0.5);
    item.keep_statistic(rows + r, 3.5);
  }
  item.run();
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto x_hat = [&](std::int64_t c) {
      return bounded_reference((item.x(r, c) - 0.5) * 3.5);
    };
    const double dy = mean_over(columns, [&](std::int64_t c) { return item.dy(r, c); });
    const double dy_x =
        mean_over(columns, [&](std::int64_t c) { return item.dy(r, c) * x_hat(c); });
    for (std::int64_t c = 0; c < columns; ++c) {
      item.expect(r, c, 0.25 * 3.5 * (item.dy(r, c) - dy - x_hat(c) * dy_x), 2.0);
    }
  }
}

TEST_F(RowReductionTest, TheGradientOfLayerNormUsesWhatWasKept) {
  for_cases(Function::layer_norm_gradient, check_layer_norm_gradient);
}

TEST_F(RowReductionTest, SoftmaxIsScaledByHalfTheColumns) {
  for_cases(Function::softmax, [](ReductionCase& item) {
    item.run();
    const auto columns = static_cast<double>(item.shape.columns);
    for (std::int64_t r = 0; r < item.shape.rows; ++r) {
      const double mean =
          mean_over(item.shape.columns, [&](std::int64_t c) { return std::exp(item.x(r, c)); });
      for (std::int64_t c = 0; c < item.shape.columns; ++c) {
        const double probability = std::exp(item.x(r, c)) / (mean * columns);
        item.expect(r, c, 0.5 * columns * probability);
      }
    }
  });
}

TEST_F(RowReductionTest, TheGradientOfSoftmaxSubtractsTheExpectedGradient) {
  for_cases(Function::softmax_gradient, [](ReductionCase& item) {
    item.run();
    for (std::int64_t r = 0; r < item.shape.rows; ++r) {
      // p = 2·y ÷ columns, so Σ p·dy is twice the mean of y·dy.
      const double expected = 2.0 * mean_over(item.shape.columns, [&](std::int64_t c) {
                                return item.x(r, c) * item.dy(r, c);
                              });
      for (std::int64_t c = 0; c < item.shape.columns; ++c) {
        item.expect(r, c, item.x(r, c) * (item.dy(r, c) - expected));
      }
    }
  });
}

TEST_F(RowReductionTest, RowLossIsTheCrossEntropyOfTheFirstColumn) {
  for_cases(Function::row_loss, [](ReductionCase& item) {
    item.run();
    for (std::int64_t r = 0; r < item.shape.rows; ++r) {
      const double mean =
          mean_over(item.shape.columns, [&](std::int64_t c) { return std::exp(item.x(r, c)); });
      const double sum = mean * static_cast<double>(item.shape.columns);
      item.expect_float(item.shape.out, r,
                        bounded_reference(std::fmax(std::log(sum) - item.x(r, 0), 0.0)), 1e-4);
    }
  });
}

/// 60 001 floats do not fit into the shared memory of any architecture.
TEST_F(RowReductionTest, RowsBeyondSharedMemoryAreReadAgain) {
  ReductionCase item(Function::layer_norm, Arithmetic::fp32, {2, 60'001});
  item.run();
  for (std::int64_t r = 0; r < 2; ++r) {
    const Moments moments = row_moments(item, r);
    for (std::int64_t c = 0; c < 60'001; ++c) {
      item.expect(r, c, 0.5 + 0.25 * (item.x(r, c) - moments.mean) * moments.inverse(), 2.0);
    }
  }
}

}  // namespace
}  // namespace mimus::kernels::cuda
