// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cuda/kernels/reduction_kernels.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

using Function = Reduction::Function;
using ReductionTest = GpuTest;

/// One element; odd; rows that are several vectors; a row longer than a block; many columns.
struct Size {
  std::int64_t rows, columns;
};
constexpr Size kSizes[] = {{1, 1}, {7, 3}, {300, 64}, {33, 1000}, {5, 2056}, {3, 9001}, {2100, 8}};

/// A launch with operands and what the reference needs of them.
class Case {
 public:
  Case(Function function, Arithmetic element, const Size& size)
      : tensors(static_cast<std::size_t>((size.rows + 4) * (size.columns + 4)) * 16 + 65536,
                element),
        element_(element) {
    shape.function = function;
    shape.rows = size.rows;
    shape.columns = size.columns;
    shape.bytes = tensors.bytes();
    shape.x = tensors.add_random(size.rows * size.columns);
    shape.dy = tensors.add_random(size.rows * size.columns, -1.0, 1.0);
    shape.out = tensors.add(size.rows * size.columns + 2 * size.columns, 4);
    shape.statistics = tensors.add(2 * std::max(size.rows, size.columns), 4);
  }

  void run() {
    tensors.upload();
    enqueue(shape, tensors.regions(), nullptr, element_);
    tensors.download();
  }
  double x(std::int64_t row, std::int64_t column) {
    return tensors.get(shape.x, row * shape.columns + column);
  }
  double dy(std::int64_t row, std::int64_t column) {
    return tensors.get(shape.dy, row * shape.columns + column);
  }
  void expect(std::int64_t row, std::int64_t column, double expected, double factor = 1.0) {
    expect_close(tensors.get(shape.out, row * shape.columns + column), bounded_reference(expected),
                 factor * tolerance(element_), where(row, column));
  }
  void expect_float(const TensorRef& place, std::int64_t index, double expected, double relative) {
    expect_close(static_cast<double>(tensors.raw<float>(place, index)), expected, relative,
                 where(index, 0));
  }
  void keep_statistic(std::int64_t index, double value) {
    tensors.set_raw(shape.statistics, index, static_cast<float>(value));
  }

  Tensors tensors;
  Reduction shape;

 private:
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
void for_cases(Function function, Check&& check) {
  for (const Arithmetic element : kElementTypes) {
    for (const Size& size : kSizes) {
      Case item(function, element, size);
      check(item);
      if (::testing::Test::HasNonfatalFailure()) return;
    }
  }
}

struct Moments {
  double mean, square;
  [[nodiscard]] double inverse() const { return 1.0 / std::sqrt(square - mean * mean + 1e-5); }
};

Moments column_moments(Case& item, std::int64_t column) {
  const std::int64_t rows = item.shape.rows;
  return {mean_over(rows, [&](std::int64_t r) { return item.x(r, column); }),
          mean_over(rows, [&](std::int64_t r) { return item.x(r, column) * item.x(r, column); })};
}

Moments row_moments(Case& item, std::int64_t row) {
  const std::int64_t columns = item.shape.columns;
  return {mean_over(columns, [&](std::int64_t c) { return item.x(row, c); }),
          mean_over(columns, [&](std::int64_t c) { return item.x(row, c) * item.x(row, c); })};
}

/// fp32 sums of squares lose digits when the variance is small against the mean square: what is
/// left of a variance near 1e-5 is wrong by some parts in a thousand.
constexpr double kCancellation = 200.0;

TEST_F(ReductionTest, BatchNormNormalisesColumnsAndKeepsTheirMoments) {
  for_cases(Function::batch_norm, [](Case& item) {
    item.run();
    for (std::int64_t c = 0; c < item.shape.columns; ++c) {
      const Moments moments = column_moments(item, c);
      item.expect_float(item.shape.statistics, c, moments.mean, 1e-5);
      item.expect_float(item.shape.statistics, item.shape.columns + c, moments.square, 1e-5);
      for (std::int64_t r = 0; r < item.shape.rows; ++r) {
        const double x_hat = (item.x(r, c) - moments.mean) * moments.inverse();
        item.expect(r, c, 0.5 + 0.25 * x_hat, item.shape.rows < 8 ? kCancellation : 2.0);
      }
    }
  });
}

void check_batch_norm_gradient(Case& item) {
  const std::int64_t rows = item.shape.rows;
  const std::int64_t columns = item.shape.columns;
  for (std::int64_t c = 0; c < columns; ++c) {
    item.keep_statistic(c, 0.55);
    item.keep_statistic(columns + c, 0.55 * 0.55 + 0.07);
  }
  item.run();
  const double inverse = 1.0 / std::sqrt(0.07 + 1e-5);
  for (std::int64_t c = 0; c < columns; ++c) {
    const auto x_hat = [&](std::int64_t r) { return (item.x(r, c) - 0.55) * inverse; };
    const double dy = mean_over(rows, [&](std::int64_t r) { return item.dy(r, c); });
    const double dy_x = mean_over(rows, [&](std::int64_t r) { return item.dy(r, c) * x_hat(r); });
    for (std::int64_t r = 0; r < rows; ++r) {
      item.expect(r, c, 0.25 * inverse * (item.dy(r, c) - dy - x_hat(r) * dy_x), 2.0);
    }
    EXPECT_EQ(item.tensors.raw<float>(item.shape.statistics, c), 0.55F) << "not put back";
  }
}

TEST_F(ReductionTest, TheGradientOfBatchNormUsesTheKeptMomentsAndPutsThemBack) {
  for_cases(Function::batch_norm_gradient, check_batch_norm_gradient);
}

TEST_F(ReductionTest, LayerNormNormalisesRowsAndKeepsMeanAndInverseDeviation) {
  for_cases(Function::layer_norm, [](Case& item) {
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

void check_layer_norm_gradient(Case& item) {
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

TEST_F(ReductionTest, TheGradientOfLayerNormUsesWhatWasKept) {
  for_cases(Function::layer_norm_gradient, check_layer_norm_gradient);
}

TEST_F(ReductionTest, ParameterGradientsAreMeansOverTheRows) {
  for_cases(Function::parameter_gradient, [](Case& item) {
    const std::int64_t rows = item.shape.rows;
    for (std::int64_t r = 0; r < rows; ++r) {
      item.keep_statistic(r, 0.5);
      item.keep_statistic(rows + r, 2.0);
    }
    item.run();
    for (std::int64_t c = 0; c < item.shape.columns; ++c) {
      const auto x_hat = [&](std::int64_t r) {
        return bounded_reference((item.x(r, c) - 0.5) * 2.0);
      };
      const double scale =
          mean_over(rows, [&](std::int64_t r) { return item.dy(r, c) * x_hat(r); });
      const double shift = mean_over(rows, [&](std::int64_t r) { return item.dy(r, c); });
      item.expect_float(item.shape.out, c, scale, 1e-4);
      item.expect_float(item.shape.out, item.shape.columns + c, shift, 1e-4);
    }
  });
}

TEST_F(ReductionTest, ColumnSumsAreMeansOverTheRowsAndNothingIsWrittenBehindThem) {
  for_cases(Function::column_sum, [](Case& item) {
    item.run();
    for (std::int64_t c = 0; c < item.shape.columns; ++c) {
      const double sum = mean_over(item.shape.rows, [&](std::int64_t r) { return item.dy(r, c); });
      item.expect_float(item.shape.out, c, sum, 1e-4);
    }
    EXPECT_TRUE(std::isnan(item.tensors.raw<float>(item.shape.out, item.shape.columns)));
  });
}

TEST_F(ReductionTest, SoftmaxIsScaledByHalfTheColumns) {
  for_cases(Function::softmax, [](Case& item) {
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

TEST_F(ReductionTest, TheGradientOfSoftmaxSubtractsTheExpectedGradient) {
  for_cases(Function::softmax_gradient, [](Case& item) {
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

TEST_F(ReductionTest, RowLossIsTheCrossEntropyOfTheFirstColumn) {
  for_cases(Function::row_loss, [](Case& item) {
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
TEST_F(ReductionTest, RowsBeyondSharedMemoryAreReadAgain) {
  Case item(Function::layer_norm, Arithmetic::fp32, {2, 60'001});
  item.run();
  for (std::int64_t r = 0; r < 2; ++r) {
    const Moments moments = row_moments(item, r);
    for (std::int64_t c = 0; c < 60'001; ++c) {
      item.expect(r, c, 0.5 + 0.25 * (item.x(r, c) - moments.mean) * moments.inverse(), 2.0);
    }
  }
}

TEST_F(ReductionTest, BatchNormMayOverwriteItsInput) {
  Case item(Function::batch_norm, Arithmetic::bf16, {500, 72});
  std::vector<std::vector<double>> expected(72);
  for (std::int64_t c = 0; c < 72; ++c) {
    const Moments moments = column_moments(item, c);
    for (std::int64_t r = 0; r < 500; ++r) {
      const double x_hat = (item.x(r, c) - moments.mean) * moments.inverse();
      expected[static_cast<std::size_t>(c)].push_back(0.5 + 0.25 * x_hat);
    }
  }
  item.shape.out = item.shape.x;
  item.run();
  for (std::int64_t c = 0; c < 72; ++c) {
    for (std::int64_t r = 0; r < 500; ++r) {
      item.expect(r, c, expected[static_cast<std::size_t>(c)][static_cast<std::size_t>(r)], 2.0);
    }
  }
}

}  // namespace
}  // namespace mimus::kernels::cuda
