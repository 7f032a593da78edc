// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "tests/gpu/reduction_case.hpp"

namespace mimus::kernels::cuda {
namespace {

using Function = Reduction::Function;
using ColumnReductionTest = GpuTest;

Moments column_moments(ReductionCase& item, std::int64_t column) {
  const std::int64_t rows = item.shape.rows;
  return {mean_over(rows, [&](std::int64_t r) { return item.x(r, column); }),
          mean_over(rows, [&](std::int64_t r) { return item.x(r, column) * item.x(r, column); })};
}

/// fp32 sums of squares lose digits if the variance is small compared to the mean square. With two
/// rows that are 2·h apart, x̂ = h / √(h² + 1e-5). An error of 2.5e-7 in the variance (four
/// roundings of a mean square below one) has the largest effect at h² = 5e-6: it changes x̂ by
/// 0.005, and y near 0.36 by 0.0012.
constexpr double kCancellation = 6e-3;

void check_batch_norm(ReductionCase& item) {
  item.run({Function::batch_statistics, Function::batch_norm});
  for (std::int64_t c = 0; c < item.shape.columns; ++c) {
    const Moments moments = column_moments(item, c);
    item.expect_float(item.shape.statistics, c, moments.mean, 1e-5);
    item.expect_float(item.shape.statistics, item.shape.columns + c, moments.square, 1e-5);
    for (std::int64_t r = 0; r < item.shape.rows; ++r) {
      const double x_hat = (item.x(r, c) - moments.mean) * moments.inverse();
      item.expect(r, c, 0.5 + 0.25 * x_hat, 2.0, item.shape.rows < 8 ? kCancellation : 0.0);
    }
  }
}

TEST_F(ColumnReductionTest, BatchNormNormalisesColumnsAndKeepsTheirMoments) {
  for_cases(Function::batch_norm, check_batch_norm);
}

void check_batch_norm_gradient(ReductionCase& item) {
  const std::int64_t rows = item.shape.rows;
  const std::int64_t columns = item.shape.columns;
  for (std::int64_t c = 0; c < columns; ++c) {
    item.keep_statistic(c, 0.55);
    item.keep_statistic(columns + c, 0.55 * 0.55 + 0.07);
  }
  if (item.shape.image > 0) {
    item.run({Function::batch_norm_gradient});
  } else {
    item.run({Function::batch_gradient_sums, Function::batch_norm_gradient});
  }
  const double inverse = 1.0 / std::sqrt(0.07 + 1e-5);
  for (std::int64_t c = 0; c < columns; ++c) {
    const auto x_hat = [&](std::int64_t r) { return (item.x(r, c) - 0.55) * inverse; };
    const double dy = mean_over(rows, [&](std::int64_t r) { return item.dy(r, c); });
    const double dy_x = mean_over(rows, [&](std::int64_t r) { return item.dy(r, c) * x_hat(r); });
    for (std::int64_t r = 0; r < rows; ++r) {
      item.expect(r, c, 0.25 * inverse * (item.dy(r, c) - dy - x_hat(r) * dy_x), 2.0);
    }
    item.expect_float(item.shape.statistics, 2 * columns + c, dy, 1e-4);
    item.expect_float(item.shape.statistics, 3 * columns + c, dy_x, 1e-4);
  }
}

TEST_F(ColumnReductionTest, TheGradientOfBatchNormUsesTheKeptMoments) {
  for_cases(Function::batch_norm_gradient, check_batch_norm_gradient);
}

/// Pixels of an image: one, fewer than a block has threads, more, and several times as many.
TEST_F(ColumnReductionTest, BatchNormOfImagesWithTheirChannelsFirstIsTheSame) {
  struct Size {
    std::int64_t images, channels, pixels;
  };
  constexpr Size kSizes[] = {{9, 3, 1}, {5, 8, 30}, {3, 33, 500}, {2, 4, 5'000}};
  for (const Arithmetic element : kElementTypes) {
    for (const Size& size : kSizes) {
      for (const auto& check : {check_batch_norm, check_batch_norm_gradient}) {
        const MatrixSize matrix{size.images * size.pixels, size.channels};
        ReductionCase item(Function::batch_norm, element, matrix);
        item.shape.image = size.pixels;
        check(item);
        if (HasNonfatalFailure()) return;
      }
    }
  }
}

// One channel is shared by as many rows of blocks as the images need, up to the limit of a grid.
TEST_F(ColumnReductionTest, BatchNormOfOneChannelTakesAnyNumberOfImages) {
  constexpr std::int64_t kImagesOfBlock = 16, kMostLines = 65'535;
  ReductionCase item(Function::batch_norm, Arithmetic::fp32, {kImagesOfBlock * kMostLines + 1, 1});
  item.shape.image = 1;
  check_batch_norm(item);
}

TEST_F(ColumnReductionTest, ParameterGradientsAreMeansOverTheRows) {
  for_cases(Function::parameter_gradient, [](ReductionCase& item) {
    const std::int64_t rows = item.shape.rows;
    for (std::int64_t r = 0; r < rows; ++r) {
      item.keep_statistic(r, 0.5);
      item.keep_statistic(rows + r, 2.0);
    }
    item.run();
    for (std::int64_t c = 0; c < item.shape.columns; ++c) {
      const auto x_hat = [&](std::int64_t r) { return (item.x(r, c) - 0.5) * 2.0; };
      const double scale =
          mean_over(rows, [&](std::int64_t r) { return item.dy(r, c) * x_hat(r); });
      const double shift = mean_over(rows, [&](std::int64_t r) { return item.dy(r, c); });
      item.expect_float(item.shape.out, c, scale, 1e-4);
      item.expect_float(item.shape.out, item.shape.columns + c, shift, 1e-4);
    }
  });
}

TEST_F(ColumnReductionTest, ColumnSumsAreMeansOverTheRowsAndNothingIsWrittenBehindThem) {
  for (const Function function : {Function::column_sum, Function::column_sum_in_turn}) {
    for_cases(function, [](ReductionCase& item) {
      item.run();
      for (std::int64_t c = 0; c < item.shape.columns; ++c) {
        const double sum =
            mean_over(item.shape.rows, [&](std::int64_t r) { return item.dy(r, c); });
        item.expect_float(item.shape.out, c, sum, 1e-4);
      }
      EXPECT_TRUE(std::isnan(item.tensors.raw<float>(item.shape.out, item.shape.columns)));
    });
  }
}

TEST_F(ColumnReductionTest, BatchNormMayOverwriteItsInput) {
  ReductionCase item(Function::batch_norm, Arithmetic::bf16, {500, 72});
  std::vector<std::vector<double>> expected(72);
  for (std::int64_t c = 0; c < 72; ++c) {
    const Moments moments = column_moments(item, c);
    for (std::int64_t r = 0; r < 500; ++r) {
      const double x_hat = (item.x(r, c) - moments.mean) * moments.inverse();
      expected[static_cast<std::size_t>(c)].push_back(0.5 + 0.25 * x_hat);
    }
  }
  item.shape.out = item.shape.x;
  item.run({Function::batch_statistics, Function::batch_norm});
  for (std::int64_t c = 0; c < 72; ++c) {
    for (std::int64_t r = 0; r < 500; ++r) {
      item.expect(r, c, expected[static_cast<std::size_t>(c)][static_cast<std::size_t>(r)], 2.0);
    }
  }
}

}  // namespace
}  // namespace mimus::kernels::cuda
