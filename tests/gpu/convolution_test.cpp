// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "kernels/cuda/libraries/convolution_decomposition.hpp"
#include "kernels/cuda/libraries/convolutions.hpp"
#include "kernels/cuda/runtime/cuda_handles.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

// Valid for cuDNN and for products. Filters whose elements are all equal do not reveal how a filter
// is laid out, and only pixels away from the borders are compared.

using Pass = Convolution::Pass;

class ConvolutionTest : public GpuTest {
 protected:
  static Convolution place(Convolution c, Tensors& tensors) {
    c.input = tensors.add_random(input_elements(c));
    c.filter = tensors.add_random(filter_elements(c));
    c.output = tensors.add_random(output_elements(c));
    return c;
  }
  static Convolution pointwise(Arithmetic arithmetic) {
    Convolution c;
    c.batch = 2, c.in = 32, c.out = 48, c.height = 6, c.width = 10, c.arithmetic = arithmetic;
    return c;
  }
  enum class Choice { heuristic, measured };
  static void check_pointwise(Arithmetic arithmetic, Choice choice = Choice::heuristic);
  static void run(const Convolution& c, Tensors& tensors, Choice choice = Choice::heuristic) {
    Convolutions convolutions;
    tensors.upload();
    if (choice == Choice::measured) {
      convolutions.prepare_measured(c, tensors.regions(), nullptr);
    } else {
      convolutions.prepare(c);
    }
    convolutions.enqueue(c, tensors.regions(), nullptr);
    tensors.download();
  }
};

double tolerance_of(Arithmetic arithmetic) {
  return 2.0 * tolerance(arithmetic == Arithmetic::tf32 ? Arithmetic::fp16 : arithmetic);
}

/// A 1 × 1 pass as the matrix product that it is: x is P × in, w out × in, y P × out.
std::vector<double> pointwise_reference(const Convolution& c, Tensors& tensors) {
  const std::int64_t pixels = output_pixels(c);
  const auto x = [&](std::int64_t p, std::int64_t i) { return tensors.get(c.input, p * c.in + i); };
  const auto w = [&](std::int64_t o, std::int64_t i) {
    return tensors.get(c.filter, o * c.in + i);
  };
  const auto y = [&](std::int64_t p, std::int64_t o) {
    return tensors.get(c.output, p * c.out + o);
  };
  const auto table = [&](std::int64_t rows, std::int64_t columns, std::int64_t inner, auto&& term) {
    std::vector<double> result;
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t s = 0; s < columns; ++s) {
        double sum = 0.0;
        for (std::int64_t k = 0; k < inner; ++k) sum += term(r, s, k);
        result.push_back(sum / static_cast<double>(inner));
      }
    }
    return result;
  };
  using Index = std::int64_t;
  if (c.pass == Pass::forward) {
    return table(pixels, c.out, c.in, [&](Index p, Index o, Index i) { return x(p, i) * w(o, i); });
  }
  if (c.pass == Pass::input_gradient) {
    return table(pixels, c.in, c.out, [&](Index p, Index i, Index o) { return y(p, o) * w(o, i); });
  }
  return table(c.out, c.in, pixels, [&](Index o, Index i, Index p) { return y(p, o) * x(p, i); });
}

void ConvolutionTest::check_pointwise(Arithmetic arithmetic, Choice choice) {
  for (const Pass pass : {Pass::forward, Pass::input_gradient, Pass::weight_gradient}) {
    Tensors tensors(arithmetic);
    Convolution c = place(pointwise(arithmetic), tensors);
    c.pass = pass;
    const std::vector<double> expected = pointwise_reference(c, tensors);

    run(c, tensors, choice);

    const TensorRef written = pass == Pass::forward          ? c.output
                              : pass == Pass::input_gradient ? c.input
                                                             : c.filter;
    const auto count = static_cast<std::int64_t>(expected.size());
    expect_all_close(tensors.values(written, count), expected, tolerance_of(arithmetic),
                     name(arithmetic));
  }
}

TEST_F(ConvolutionTest, IsAProductWhereTheKernelIsOnePixel) {
  check_pointwise(Arithmetic::fp32);
  check_pointwise(Arithmetic::fp16);
}

TEST_F(ConvolutionTest, IsAProductInTheArithmeticOfAmpereToo) {
  if (!at_least_ampere()) GTEST_SKIP() << kNeedsAmpere;
  check_pointwise(Arithmetic::tf32);
  check_pointwise(Arithmetic::bf16);
}

TEST_F(ConvolutionTest, IsTheSameProductWithTheAlgorithmThatIsFastest) {
  if (!Convolutions::can_measure()) GTEST_SKIP() << "built without cuDNN: there is one algorithm";
  check_pointwise(Arithmetic::fp32, Choice::measured);
  check_pointwise(Arithmetic::fp16, Choice::measured);
}

TEST_F(ConvolutionTest, SumsAWindowAwayFromTheBorders) {
  constexpr double kFilter = 0.5;
  Tensors tensors(Arithmetic::fp32);
  Convolution c;
  c.batch = 2, c.in = 16, c.out = 24, c.kernel_height = c.kernel_width = 3;
  c.height = 9, c.width = 11;
  c = place(c, tensors);
  for (std::int64_t i = 0; i < filter_elements(c); ++i) tensors.set(c.filter, i, kFilter);

  run(c, tensors);

  for (std::int64_t y = 1; y < c.height - 1; ++y) {
    for (std::int64_t x = 1; x < c.width - 1; ++x) {
      double sum = 0.0;
      for (std::int64_t tap = 0; tap < 9; ++tap) {
        const std::int64_t pixel = (y + tap / 3 - 1) * c.width + x + tap % 3 - 1;
        for (std::int64_t i = 0; i < c.in; ++i) sum += tensors.get(c.input, pixel * c.in + i);
      }
      const std::int64_t element = (y * c.width + x) * c.out;  // in the first image
      expect_close(tensors.get(c.output, element), kFilter * sum / (9.0 * 16.0), 1e-4, "output");
    }
  }
}

TEST_F(ConvolutionTest, RunsEveryPassOfAStridedStem) {
  for (const Pass pass : {Pass::forward, Pass::input_gradient, Pass::weight_gradient}) {
    Tensors tensors(Arithmetic::fp16);
    Convolution c;
    c.batch = 2, c.in = 3, c.out = 64, c.kernel_height = c.kernel_width = 7;
    c.stride_height = c.stride_width = 2, c.height = c.width = 16;
    c.pass = pass, c.arithmetic = Arithmetic::fp16;
    c = place(c, tensors);

    EXPECT_NO_THROW(run(c, tensors));

    // Means of positive numbers below one stay in this range.
    const TensorRef written = pass == Pass::forward          ? c.output
                              : pass == Pass::input_gradient ? c.input
                                                             : c.filter;
    const double value = tensors.get(written, 0);
    EXPECT_GT(value, 0.0);
    EXPECT_LT(value, 1.0);
  }
}

TEST_F(ConvolutionTest, IsCapturedIntoAGraph) {
  Tensors tensors(Arithmetic::fp16);
  const Convolution c = place(pointwise(Arithmetic::fp16), tensors);
  const std::vector<double> expected = pointwise_reference(c, tensors);
  Convolutions convolutions;
  convolutions.prepare(c);
  const Stream stream;

  const Graph graph = Graph::capture(
      stream.get(), [&] { convolutions.enqueue(c, tensors.regions(), stream.get()); });
  tensors.upload();
  GraphExec(graph).launch(stream.get());
  stream.synchronize();

  tensors.download();
  expect_all_close(tensors.values(c.output, output_elements(c)), expected,
                   tolerance_of(Arithmetic::fp16), "replayed");
}

}  // namespace
}  // namespace mimus::kernels::cuda
