// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies that change the type or the place of elements, and sums of two types.
#include <algorithm>

#include "kernels/cuda/kernels/elementwise/elementwise_kernels.hpp"
#include "kernels/cuda/kernels/elementwise/rearrange_kernels.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

using Function = Elementwise::Function;
using ChangedLayoutTest = GpuTest;

/// One element, less than a pack, packs with a remainder, more than one wave of blocks.
constexpr std::int64_t kCastSizes[] = {1, 3, 1027, 300'001, 4'400'003};

TEST_F(ChangedLayoutTest, CastsTo16BitsRound) {
  for (const Arithmetic halves : {Arithmetic::fp16, Arithmetic::bf16}) {
    Tensors wide(Arithmetic::fp32);
    Tensors narrow(halves);
    Elementwise shape;
    shape.elements = 300'001;
    shape.bytes = 2;
    shape.first_bytes = 4;
    shape.in[0] = wide.add_random(shape.elements);
    shape.out = narrow.add(shape.elements + 1);
    wide.upload();
    narrow.upload();

    enqueue(shape, wide.regions(), nullptr, halves);

    narrow.download();
    expect_all_close(narrow.values(shape.out, shape.elements),
                     wide.values(shape.in[0], shape.elements), tolerance(halves), "cast");
    EXPECT_TRUE(std::isnan(narrow.get(shape.out, shape.elements)));
  }
}

TEST_F(ChangedLayoutTest, CastsAndMixedSumsReadOneWidthAndWriteAnother) {
  for (const Arithmetic halves : {Arithmetic::fp16, Arithmetic::bf16}) {
    for (const std::int64_t elements : kCastSizes) {
      Tensors narrow(halves);
      Tensors wide(Arithmetic::fp32);
      Elementwise shape;
      shape.elements = elements;
      shape.bytes = 4;
      shape.first_bytes = 2;
      shape.in[0] = narrow.add_random(elements);
      shape.out = wide.add(elements + 1);
      shape.in[1] = wide.add_random(elements);
      narrow.upload();
      wide.upload();

      enqueue(shape, wide.regions(), nullptr, halves);

      wide.download();
      EXPECT_EQ(wide.values(shape.out, elements), narrow.values(shape.in[0], elements));
      EXPECT_TRUE(std::isnan(wide.get(shape.out, elements)));

      shape.function = Function::add;
      shape.reads = 2;
      enqueue(shape, wide.regions(), nullptr, halves);

      wide.download();
      const auto expect_sums = [&](std::int64_t period) {
        for (std::int64_t i = 0; i < elements; ++i) {
          const double sum = (narrow.get(shape.in[0], i) + wide.get(shape.in[1], i % period)) / 2.0;
          ASSERT_TRUE(expect_close(wide.get(shape.out, i), bounded_reference(sum), 1e-6, "sum"));
        }
      };
      expect_sums(elements);

      shape.second_elements = std::min<std::int64_t>(elements, 384);  // the others are not read
      enqueue(shape, wide.regions(), nullptr, halves);

      wide.download();
      expect_sums(shape.second_elements);
    }
  }
}

TEST_F(ChangedLayoutTest, ARearrangementTransposesWholeBlocksAndKeepsTheRest) {
  constexpr std::int64_t kRest = 77;
  constexpr std::int64_t kSide = kRearrangedRuns;
  constexpr std::int64_t kWhole = 3 * kSide * kSide * kRunElements;
  for (const Arithmetic element : kElementTypes) {
    Tensors tensors(element);
    Elementwise shape;
    shape.function = Function::rearrange;
    shape.elements = kWhole + kRest;
    shape.bytes = tensors.bytes();
    shape.in[0] = tensors.add_random(kWhole + kRest);
    shape.out = tensors.add(kWhole + kRest + 1);
    tensors.upload();

    enqueue(shape, tensors.regions(), nullptr, element);

    tensors.download();
    for (std::int64_t i = 0; i < kWhole + kRest; ++i) {
      const std::int64_t run = i / kRunElements;
      const std::int64_t block = run / (kSide * kSide) * kSide * kSide;
      const std::int64_t from = block + run % kSide * kSide + run / kSide % kSide;
      const std::int64_t source = i < kWhole ? from * kRunElements + i % kRunElements : i;
      ASSERT_EQ(tensors.get(shape.out, i), tensors.get(shape.in[0], source)) << i;
    }
    EXPECT_TRUE(std::isnan(tensors.get(shape.out, kWhole + kRest)));
  }
}

}  // namespace
}  // namespace mimus::kernels::cuda
