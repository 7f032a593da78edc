// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "kernels/cuda/kernels/common/philox.cuh"
#include "kernels/cuda/kernels/elementwise/dropout_kernels.hpp"
#include "kernels/cuda/kernels/elementwise/elementwise_kernels.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

using Function = Elementwise::Function;
using ElementwiseTest = GpuTest;

/// More than the threads of 132 multiprocessors take at once, two vectors of 16 bytes each.
constexpr std::int64_t kLarge = 4'400'003;
/// One element, less than a vector, vectors with a remainder, more than one wave of a small and of
/// a large grid.
constexpr std::int64_t kSizes[] = {1, 3, 1027, 300'001, kLarge};

double reference(Function function, const std::vector<double>& x) {
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
  switch (function) {
    case Function::scale:
      return -mean;
    case Function::relu:
      return std::max(mean, 0.0);
    case Function::leaky_relu:
      return mean > 0.0 ? mean : 0.01 * mean;
    case Function::hardtanh:
      return std::clamp(mean, -1.0, 1.0);
    case Function::sigmoid:
      return 1.0 / (1.0 + std::exp(-mean));
    case Function::gelu:
      return 0.5 * mean * (1.0 + std::erf(mean * std::sqrt(0.5)));
    case Function::multiply:
      return std::accumulate(x.begin(), x.end(), 1.0, [](double a, double b) { return a * b; });
    case Function::activation_gradient:
      return x.back() > 0.0 ? mean : 0.01 * x.front();
    default:
      return mean;
  }
}

void check_map(Function function, Arithmetic element, std::int64_t elements, int reads) {
  Tensors tensors(element);
  Elementwise shape;
  shape.function = function;
  shape.elements = elements;
  shape.reads = reads;
  shape.bytes = tensors.bytes();
  for (std::size_t i = 0; i < static_cast<std::size_t>(reads); ++i) {
    shape.in[i] = tensors.add_random(elements, -2.0, 2.0);
  }
  shape.out = tensors.add(elements);
  std::vector<double> expected;
  for (std::int64_t i = 0; i < elements; ++i) {
    std::vector<double> x;
    for (std::size_t k = 0; k < static_cast<std::size_t>(reads); ++k) {
      x.push_back(tensors.get(shape.in[k], i));
    }
    expected.push_back(bounded_reference(reference(function, x)));
  }
  tensors.upload();

  enqueue(shape, tensors.regions(), nullptr, element);

  tensors.download();
  expect_all_close(tensors.values(shape.out, elements), expected, tolerance(element),
                   std::string{"function "} + std::to_string(static_cast<int>(function)));
}

TEST_F(ElementwiseTest, EveryFunctionOfEveryTypeAndNumberOfOperandsMatchesItsFormula) {
  for (const Function function :
       {Function::scale, Function::relu, Function::leaky_relu, Function::hardtanh,
        Function::sigmoid, Function::gelu, Function::add, Function::multiply,
        Function::activation_gradient}) {
    for (const Arithmetic element : kElementTypes) {
      for (int reads = 1; reads <= 3; ++reads) check_map(function, element, 1027, reads);
    }
  }
}

TEST_F(ElementwiseTest, SizesThatAreNoMultipleOfAVectorAreCoveredToTheLastElement) {
  for (const std::int64_t elements : kSizes) {
    for (const Arithmetic element : kElementTypes) check_map(Function::add, element, elements, 2);
  }
}

/// A copy into a tensor with room for one more element.
Elementwise copy_of(const TensorRef& in, std::int64_t elements, Tensors& tensors) {
  Elementwise shape;
  shape.function = Function::copy;
  shape.elements = elements;
  shape.reads = 1;
  shape.bytes = tensors.bytes();
  shape.in[0] = in;
  shape.out = tensors.add(elements + 1);
  return shape;
}

TEST_F(ElementwiseTest, ACopyKeepsValuesAndTouchesNothingBehindItsEnd) {
  for (const Arithmetic element : kElementTypes) {
    for (const std::int64_t elements : kSizes) {
      Tensors tensors(element);
      const Elementwise shape = copy_of(tensors.add_random(elements), elements, tensors);
      tensors.upload();

      enqueue(shape, tensors.regions(), nullptr, element);

      tensors.download();
      EXPECT_EQ(tensors.values(shape.in[0], elements), tensors.values(shape.out, elements));
      EXPECT_TRUE(std::isnan(tensors.get(shape.out, elements)));
    }
  }
}

/// In mixed precision an fp32 tensor is copied as twice as many elements of 2 bytes. Half of these
/// are low halves of significands, which may have any bits.
TEST_F(ElementwiseTest, HalvesOfFloatsAreCopiedToFiniteNumbers) {
  for (const Arithmetic element : {Arithmetic::fp16, Arithmetic::bf16}) {
    Tensors tensors(element);
    const TensorRef in = tensors.add(1 << 16);
    for (std::uint32_t bits = 0; bits < 1U << 16U; ++bits) {
      tensors.set_raw(in, bits, static_cast<std::uint16_t>(bits));
    }
    const Elementwise shape = copy_of(in, 1 << 16, tensors);
    tensors.upload();

    enqueue(shape, tensors.regions(), nullptr, element);

    tensors.download();
    for (const double value : tensors.values(shape.out, 1 << 16)) {
      ASSERT_GE(std::fabs(value), 0x1p-10);
      ASSERT_LE(std::fabs(value), 4.0);
    }
  }
}

TEST_F(ElementwiseTest, ACopyOfFloatsKeepsEveryBit) {
  Tensors tensors(Arithmetic::fp32);
  const TensorRef in = tensors.add(1 << 16);
  for (std::int64_t i = 0; i < 1 << 16; ++i) {
    tensors.set_raw(in, i, static_cast<std::uint32_t>(i) * 2654435769U);
  }
  const Elementwise shape = copy_of(in, 1 << 16, tensors);
  tensors.upload();

  enqueue(shape, tensors.regions(), nullptr);

  tensors.download();
  for (std::int64_t i = 0; i < 1 << 16; ++i) {
    ASSERT_EQ(tensors.raw<std::uint32_t>(shape.out, i), tensors.raw<std::uint32_t>(in, i)) << i;
  }
}

TEST_F(ElementwiseTest, AFillWritesDifferentNumbersInTheInitialRange) {
  for (const Arithmetic element : kElementTypes) {
    Tensors tensors(element);
    Elementwise shape;
    shape.function = Function::fill;
    shape.elements = 10'007;
    shape.reads = 0;
    shape.bytes = tensors.bytes();
    shape.out = tensors.add(10'008);
    tensors.upload();

    enqueue(shape, tensors.regions(), nullptr, element);

    tensors.download();
    std::vector<double> values = tensors.values(shape.out, 10'007);
    EXPECT_GE(*std::min_element(values.begin(), values.end()), 0.0996);
    EXPECT_LE(*std::max_element(values.begin(), values.end()), 1.0);
    // Uniform in [0.1, 0.999): the mean is 0.55.
    EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0) / 10'007, 0.55, 0.01);
    EXPECT_TRUE(std::isnan(tensors.get(shape.out, 10'007)));
  }
}

/// Zeros, infinities and NaN become numbers of the allowed range.
TEST_F(ElementwiseTest, WhateverLiesInMemoryComesOutFiniteAndNotZero) {
  Tensors tensors(Arithmetic::fp32);
  Elementwise shape;
  shape.function = Function::relu;
  shape.elements = 5;
  shape.reads = 1;
  shape.in[0] = tensors.add(5);
  shape.out = tensors.add(5);
  const double odd[] = {0.0, -1.0, 1e30, std::nan(""), -1e-40};
  for (std::int64_t i = 0; i < 5; ++i) tensors.set(shape.in[0], i, odd[i]);
  tensors.upload();

  enqueue(shape, tensors.regions(), nullptr);

  tensors.download();
  for (std::int64_t i = 0; i < 5; ++i) {
    const double magnitude = std::fabs(tensors.get(shape.out, i));
    EXPECT_GE(magnitude, 0x1p-10) << i;
    EXPECT_LE(magnitude, 4.0) << i;
  }
}

/// Of 32 random bits. Not a tenth of 2³²: the share is a float. Bits depend on addresses, so that a
/// difference of six would be met once in some hundred runs.
constexpr auto kLeastKept = static_cast<std::uint32_t>(static_cast<double>(kDropped) * 0x1p32);

void check_dropout(Arithmetic element, std::int64_t elements) {
  Tensors tensors(element);
  Elementwise shape;
  shape.function = Function::dropout;
  shape.elements = elements;
  shape.reads = 1;
  shape.bytes = tensors.bytes();
  shape.in[0] = tensors.add_random(elements);
  shape.out = tensors.add(elements);
  shape.mask = tensors.add(elements, 1);
  tensors.upload();

  enqueue(shape, tensors.regions(), nullptr, element);

  tensors.download();
  const auto offset = static_cast<std::uint64_t>(shape.out.offset);
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < elements; ++i) {
    const uint4 bits = philox(kDropoutSeed, offset + static_cast<std::uint64_t>(i / 4), 0);
    const std::uint32_t words[] = {bits.x, bits.y, bits.z, bits.w};
    const bool keep = words[i % 4] >= kLeastKept;
    const double expected = keep ? tensors.get(shape.in[0], i) / 0.9 : 0.0;
    ASSERT_EQ(tensors.raw<std::uint8_t>(shape.mask, i), keep ? 1 : 0) << i;
    expect_close(tensors.get(shape.out, i), bounded_reference(expected), tolerance(element), "y");
    kept += keep ? 1 : 0;
  }
  // 10 standard deviations of a binomial distribution around nine tenths.
  const double n = static_cast<double>(elements);
  EXPECT_NEAR(static_cast<double>(kept), 0.9 * n, 1.0 + 3.0 * std::sqrt(n));
}

TEST_F(ElementwiseTest, DropoutKeepsWhatPhiloxSaysAndMarksIt) {
  for (const Arithmetic element : kElementTypes) {
    for (const std::int64_t elements :
         {std::int64_t{1}, std::int64_t{7}, std::int64_t{1031}, kLarge})
      check_dropout(element, elements);
  }
}

TEST_F(ElementwiseTest, TheGradientOfDropoutFollowsTheMask) {
  Tensors tensors(Arithmetic::bf16);
  Elementwise shape;
  shape.function = Function::dropout_gradient;
  shape.elements = 1031;
  shape.bytes = 2;
  shape.in[0] = tensors.add_random(1031);
  shape.out = tensors.add(1031);
  shape.mask = tensors.add(1031, 1);
  for (std::int64_t i = 0; i < 1031; ++i) {
    tensors.set_raw<std::uint8_t>(shape.mask, i, i % 3 == 0 ? 0 : 1);
  }
  tensors.upload();

  enqueue(shape, tensors.regions(), nullptr, Arithmetic::bf16);

  tensors.download();
  for (std::int64_t i = 0; i < 1031; ++i) {
    const double expected = i % 3 == 0 ? 0.0 : tensors.get(shape.in[0], i) / 0.9;
    expect_close(tensors.get(shape.out, i), bounded_reference(expected),
                 tolerance(Arithmetic::bf16), "dx");
  }
}

/// The known answers of the authors' library Random123 (kat_vectors, philox4x32 10).
TEST(Philox, GivesTheAuthorsKnownAnswers) {
  const uint4 zero = philox(0, 0, 0);
  EXPECT_EQ(zero.x, 0x6627e8d5U);
  EXPECT_EQ(zero.y, 0xe169c58dU);
  EXPECT_EQ(zero.z, 0xbc57ac4cU);
  EXPECT_EQ(zero.w, 0x9b00dbd8U);
  const uint4 ones = philox(~0ULL, ~0ULL, ~0ULL);
  EXPECT_EQ(ones.x, 0x408f276dU);
  EXPECT_EQ(ones.y, 0x41c83b0eU);
  EXPECT_EQ(ones.z, 0xa20bc7c6U);
  EXPECT_EQ(ones.w, 0x6d5451fdU);
  const uint4 pi = philox(0x299f31d0a4093822ULL, 0x85a308d3243f6a88ULL, 0x0370734413198a2eULL);
  EXPECT_EQ(pi.x, 0xd16cfe09U);
  EXPECT_EQ(pi.y, 0x94fdccebU);
  EXPECT_EQ(pi.z, 0x5001e420U);
  EXPECT_EQ(pi.w, 0x24126ea1U);
}

}  // namespace
}  // namespace mimus::kernels::cuda
