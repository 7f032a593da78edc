// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/libraries/convolution_decomposition.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/cuda/libraries/product_shape.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::kernels::cuda {
namespace {

using Pass = Convolution::Pass;

constexpr Pass kPasses[] = {Pass::forward, Pass::input_gradient, Pass::weight_gradient};

/// Every convolution of every built-in model, one pass each, with tensors in separate regions.
std::vector<Convolution> built_in_convolutions() {
  std::vector<Convolution> all;
  const auto catalogue = workloads::ModelCatalogue::built_in();
  for (const std::string& model : catalogue.names()) {
    for (const auto& layer : catalogue.at(model).layers) {
      const auto& g = layer.geometry;
      if (g.op != workloads::Operator::convolution) continue;
      Convolution c;
      c.in = g.in, c.out = g.out;
      c.kernel_height = g.kernel.height, c.kernel_width = g.kernel.width;
      c.stride_height = g.stride.height, c.stride_width = g.stride.width;
      c.height = g.size.height, c.width = g.size.width;
      c.input.region = Region::working;
      c.filter.region = Region::weights;
      c.output.region = Region::temporary;
      all.push_back(c);
    }
  }
  return all;
}

std::int64_t flop(const Product& p) {
  return 2 * p.rows * p.columns * p.inner * p.count;
}

std::int64_t flop(const Convolution& c) {
  return 2 * output_pixels(c) * c.in * c.out * c.kernel_height * c.kernel_width;
}

/// Bytes of a region; the end is excluded.
struct Range {
  std::int64_t begin = 0, end = 0;
};

std::int64_t bytes_of(const Convolution& c, Region region) {
  const std::int64_t width = element_bytes(c.arithmetic);
  if (region == c.input.region) return input_elements(c) * width;
  return (region == c.filter.region ? filter_elements(c) : output_elements(c)) * width;
}

TEST(ConvolutionDecomposition, HasTheFlopOfTheConvolution) {
  ASSERT_GT(built_in_convolutions().size(), 40U);  // dozens in each of four models
  for (Convolution c : built_in_convolutions()) {
    for (const Pass pass : kPasses) {
      for (const std::int64_t batch : {1, 8}) {
        c.pass = pass;
        c.batch = batch;

        std::int64_t sum = 0;
        for (const Product& p : decompose(c)) sum += flop(p);

        EXPECT_EQ(sum, flop(c)) << c.in << " to " << c.out << ", kernel " << c.kernel_height;
      }
    }
  }
}

TEST(ConvolutionDecomposition, StaysInsideItsTensors) {
  for (Convolution c : built_in_convolutions()) {
    for (const Pass pass : kPasses) {
      c.pass = pass;
      for (const Product& p : decompose(c)) {
        const auto inside = [&](const TensorRef& tensor, std::int64_t bytes) {
          return tensor.offset >= 0 && tensor.offset + bytes <= bytes_of(c, tensor.region);
        };
        EXPECT_TRUE(inside(p.left, left_bytes(p)));
        EXPECT_TRUE(inside(p.right, right_bytes(p)));
        EXPECT_TRUE(inside(p.out, out_bytes(p)));
      }
    }
  }
}

TEST(ConvolutionDecomposition, AddsOnlyToWhatItHasWritten) {
  for (Convolution c : built_in_convolutions()) {
    for (const Pass pass : kPasses) {
      c.pass = pass;
      std::vector<Range> written;
      for (const Product& p : decompose(c)) {
        const Range range{p.out.offset, p.out.offset + out_bytes(p)};
        if (!p.accumulate) {
          written.push_back(range);
          continue;
        }
        EXPECT_TRUE(std::any_of(written.begin(), written.end(),
                                [&](const Range& other) {
                                  return other.begin <= range.begin && range.end <= other.end;
                                }))
            << "kernel " << c.kernel_height << " x " << c.kernel_width << ", pass "
            << static_cast<int>(pass);
      }
    }
  }
}

TEST(ConvolutionDecomposition, WritesTheWholeForwardResult) {
  for (Convolution c : built_in_convolutions()) {
    const std::vector<Product> products = decompose(c);

    EXPECT_FALSE(products.front().accumulate);
    EXPECT_EQ(products.front().out.offset, 0);
    EXPECT_EQ(out_bytes(products.front()), bytes_of(c, c.output.region));
  }
}

TEST(ConvolutionDecomposition, MakesAOneByOneConvolutionOneProduct) {
  Convolution c;
  c.batch = 2, c.in = 64, c.out = 256, c.height = c.width = 56;

  const std::vector<Product> products = decompose(c);

  ASSERT_EQ(products.size(), 1U);
  EXPECT_EQ(products[0].rows, 2 * 56 * 56);
  EXPECT_EQ(products[0].columns, 256);
  EXPECT_EQ(products[0].inner, 64);
}

TEST(ConvolutionDecomposition, ShiftsViewsByWholePixels) {
  Convolution c;
  c.in = 2, c.out = 3, c.kernel_height = c.kernel_width = 3, c.height = 5, c.width = 7;

  const std::vector<Product> products = decompose(c);

  // The centre comes first, then taps 0 to 8 without it. Tap 0 looks 1 row and 1 pixel back, i.e. 8
  // pixels, so output pixel 8 meets input pixel 0.
  ASSERT_EQ(products.size(), 11U);
  EXPECT_EQ(products[1].rows, 35 - 8);
  EXPECT_EQ(products[1].left.offset, 0);
  EXPECT_EQ(products[1].out.offset, 8 * 3 * 4);
  // Tap 8 looks equally far ahead.
  EXPECT_EQ(products[8].left.offset, 8 * 2 * 4);
  EXPECT_EQ(products[8].out.offset, 0);
  // Shifts of 8, 7, 6, 1, 1, 6, 7 and 8 pixels lose 44 rows: a product of 35 and one of 9.
  EXPECT_EQ(products[9].rows, 35);
  EXPECT_EQ(products[10].rows, 9);
}

TEST(ConvolutionDecomposition, ReadsEveryBlockOfAStridedImage) {
  Convolution c;
  c.in = 4, c.out = 8, c.kernel_height = c.kernel_width = 3, c.height = c.width = 4;
  c.stride_height = c.stride_width = 2;

  std::set<std::int64_t> starts;
  for (const Product& p : decompose(c)) starts.insert(p.left.offset);

  // 4 blocks of 16 pixels of 4 channels of 4 bytes.
  EXPECT_EQ(starts, (std::set<std::int64_t>{0, 256, 512, 768}));
}

TEST(ConvolutionScale, CountsTheProductsOfOneElement) {
  Convolution c;
  c.batch = 2, c.in = 3, c.out = 5, c.kernel_height = c.kernel_width = 3, c.height = c.width = 4;

  EXPECT_FLOAT_EQ(convolution_scale(c), 1.0F / 27.0F);  // 9 taps of 3 channels
  c.pass = Pass::input_gradient;
  EXPECT_FLOAT_EQ(convolution_scale(c), 1.0F / 45.0F);
  c.pass = Pass::weight_gradient;
  EXPECT_FLOAT_EQ(convolution_scale(c), 1.0F / 32.0F);  // 2 images of 16 pixels
}

}  // namespace
}  // namespace mimus::kernels::cuda
