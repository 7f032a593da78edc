// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kernels/random_fill.hpp"

#include <algorithm>
#include <numeric>

#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

using RandomFillTest = GpuTest;

std::vector<double> filled(Arithmetic element, std::int64_t elements, std::uint64_t seed) {
  Tensors tensors(element);
  const TensorRef place = tensors.add(elements + 1);
  tensors.upload();
  random_fill(tensors.regions().at(place), elements, element, seed, nullptr);
  tensors.download();
  EXPECT_TRUE(std::isnan(tensors.get(place, elements))) << "written behind the end";
  return tensors.values(place, elements);
}

TEST_F(RandomFillTest, NumbersAreUniformFromOneTenthToBelowOne) {
  for (const Arithmetic element : kElementTypes) {
    const std::vector<double> values = filled(element, 100'003, 1);
    EXPECT_GE(*std::min_element(values.begin(), values.end()), 0.1);
    EXPECT_LT(*std::max_element(values.begin(), values.end()), 1.0);
    // The standard deviation of a mean of 100 003 is 0.26 / 316 = 0.0008. bf16 is rounded down by
    // 0.001 on average.
    EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0) / 100'003, 0.55, 0.006);
    // Every tenth of the range holds a tenth of the numbers.
    for (int tenth = 0; tenth < 9; ++tenth) {
      const double low = 0.1 * (tenth + 1);
      const auto inside = std::count_if(values.begin(), values.end(),
                                        [&](double v) { return v >= low && v < low + 0.1; });
      EXPECT_NEAR(static_cast<double>(inside), 100'003.0 / 9, 1200.0) << low;
    }
  }
}

TEST_F(RandomFillTest, TheSameSeedGivesTheSameNumbersAndAnotherOneOthers) {
  EXPECT_EQ(filled(Arithmetic::fp32, 1001, 5), filled(Arithmetic::fp32, 1001, 5));
  EXPECT_NE(filled(Arithmetic::fp32, 1001, 5), filled(Arithmetic::fp32, 1001, 6));
}

TEST_F(RandomFillTest, TinySizesAreFilledToTheLastElement) {
  for (const std::int64_t elements : {1, 2, 3, 5}) {
    for (const double value : filled(Arithmetic::fp16, elements, 2)) EXPECT_GE(value, 0.1);
  }
}

TEST_F(RandomFillTest, IndicesLieBelowTheirBoundAndReachAllOfIt) {
  Tensors tensors(Arithmetic::fp32);
  const TensorRef place = tensors.add(20'000, 8);
  tensors.upload();
  random_fill_indices(tensors.regions().at<std::int64_t>(place), 20'000, 97, 3, nullptr);
  tensors.download();
  std::vector<int> seen(97, 0);
  for (std::int64_t i = 0; i < 20'000; ++i) {
    const auto index = tensors.raw<std::int64_t>(place, i);
    ASSERT_GE(index, 0);
    ASSERT_LT(index, 97);
    ++seen[static_cast<std::size_t>(index)];
  }
  // 206 each on average, standard deviation 14.
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 206 - 6 * 14);
  EXPECT_LT(*std::max_element(seen.begin(), seen.end()), 206 + 6 * 14);
}

}  // namespace
}  // namespace mimus::kernels::cuda
