// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/libraries/convolution_decomposition.hpp"

#include <algorithm>
#include <cstdlib>

namespace mimus::kernels::cuda {
namespace {

using Pass = Convolution::Pass;

/// One product of a pass. It covers `pixels` rows, which begin at these pixels of image and output.
struct Tap {
  std::int64_t index = 0;  ///< index in the filter
  std::int64_t pixels = 0;
  std::int64_t input_first = 0;
  std::int64_t output_first = 0;
  bool accumulate = false;
};

std::int64_t taps(const Convolution& c) {
  return c.kernel_height * c.kernel_width;
}

TensorRef displaced(const TensorRef& tensor, std::int64_t elements, Arithmetic arithmetic) {
  return {tensor.region, tensor.offset + elements * element_bytes(arithmetic)};
}

Product product_of(const Convolution& c, const Tap& tap) {
  const TensorRef input = displaced(c.input, tap.input_first * c.in, c.arithmetic);
  const TensorRef output = displaced(c.output, tap.output_first * c.out, c.arithmetic);
  const TensorRef filter = displaced(c.filter, tap.index * c.out * c.in, c.arithmetic);
  Product product;
  product.arithmetic = c.arithmetic;
  product.accumulate = tap.accumulate;
  switch (c.pass) {
    case Pass::forward:  // y(P × out) += x(P × in) · w(out × in)ᵀ
      product.rows = tap.pixels, product.columns = c.out, product.inner = c.in;
      product.left = input, product.right = filter, product.out = output;
      product.transpose_right = true;
      break;
    case Pass::input_gradient:  // dx(P × in) += dy(P × out) · w(out × in)
      product.rows = tap.pixels, product.columns = c.in, product.inner = c.out;
      product.left = output, product.right = filter, product.out = input;
      break;
    case Pass::weight_gradient:  // dw(out × in) = dy(P × out)ᵀ · x(P × in)
      product.rows = c.out, product.columns = c.in, product.inner = tap.pixels;
      product.left = output, product.right = input, product.out = filter;
      product.transpose_left = true;
      break;
  }
  return product;
}

/// Puts the tap without a shift first. It covers every pixel and thus initialises the whole sum.
std::vector<std::int64_t> centre_first(const Convolution& c) {
  const std::int64_t centre = (c.kernel_height - 1) / 2 * c.kernel_width + (c.kernel_width - 1) / 2;
  std::vector<std::int64_t> order{centre};
  for (std::int64_t tap = 0; tap < taps(c); ++tap) {
    if (tap != centre) order.push_back(tap);
  }
  return order;
}

/// Pixels by which a tap's view of the input is behind the output.
std::int64_t shift_of(const Convolution& c, std::int64_t tap) {
  const std::int64_t down = tap / c.kernel_width - (c.kernel_height - 1) / 2;
  const std::int64_t right = tap % c.kernel_width - (c.kernel_width - 1) / 2;
  return down * c.width + right;
}

std::vector<Tap> shifted_taps(const Convolution& c) {
  const std::int64_t pixels = output_pixels(c);
  const bool sums_over_taps = c.pass != Pass::weight_gradient;
  std::vector<Tap> all;
  std::int64_t missing = 0;
  for (const std::int64_t index : centre_first(c)) {
    const std::int64_t shift = shift_of(c, index);
    const std::int64_t lost = std::min(pixels, std::abs(shift));
    missing += lost;
    if (lost == pixels) continue;  // the image is smaller than the filter's reach
    all.push_back({index, pixels - lost, std::max<std::int64_t>(shift, 0),
                   std::max<std::int64_t>(-shift, 0), sums_over_taps && !all.empty()});
  }
  const std::int64_t last = all.back().index;
  for (; missing > 0; missing -= std::min(missing, pixels)) {
    all.push_back({last, std::min(missing, pixels), 0, 0, true});
  }
  return all;
}

std::vector<Tap> strided_taps(const Convolution& c) {
  const std::int64_t pixels = output_pixels(c);
  const std::int64_t blocks = c.stride_height * c.stride_width;
  std::vector<Tap> all;
  for (std::int64_t index = 0; index < taps(c); ++index) {
    const bool first_of_sum = c.pass == Pass::forward          ? index == 0
                              : c.pass == Pass::input_gradient ? index < blocks
                                                               : true;
    all.push_back({index, pixels, index % blocks * pixels, 0, !first_of_sum});
  }
  return all;
}

}  // namespace

std::vector<Product> decompose(const Convolution& convolution) {
  const bool strided = convolution.stride_height * convolution.stride_width > 1;
  std::vector<Product> products;
  for (const Tap& tap : strided ? strided_taps(convolution) : shifted_taps(convolution)) {
    products.push_back(product_of(convolution, tap));
  }
  return products;
}

std::int64_t output_pixels(const Convolution& c) {
  return c.batch * c.height * c.width;
}

std::int64_t input_elements(const Convolution& c) {
  return output_pixels(c) * c.stride_height * c.stride_width * c.in;
}

std::int64_t filter_elements(const Convolution& c) {
  return taps(c) * c.out * c.in;
}

std::int64_t output_elements(const Convolution& c) {
  return output_pixels(c) * c.out;
}

float convolution_scale(const Convolution& c) {
  switch (c.pass) {
    case Pass::forward:
      return 1.0F / static_cast<float>(taps(c) * c.in);
    case Pass::input_gradient:
      return 1.0F / static_cast<float>(taps(c) * c.out);
    default:
      return 1.0F / static_cast<float>(output_pixels(c));
  }
}

}  // namespace mimus::kernels::cuda
