// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/measured_ratios.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "emulator/virtual/steps/gang_shape.hpp"

namespace mimus::emulator {
namespace {

TEST(MeasuredRatios, WithoutAPointTheModelStands) {
  EXPECT_EQ(MeasuredRatios().at({}), 1.0);
}

TEST(MeasuredRatios, OnePointSpeaksForAll) {
  MeasuredRatios ratios;
  ratios.add({.nodes = 2, .replicas = 8, .per_gpu_batch = 32, .accumulation = 1}, 1.7);

  EXPECT_NEAR(ratios.at({.nodes = 1, .replicas = 1, .per_gpu_batch = 4, .accumulation = 2}), 1.7,
              1e-12);
}

// Two points at the same distance: twice the nodes (2 ln 2) and a quarter of the GPUs (ln 4). The
// result is the geometric mean of 2 and 8.
TEST(MeasuredRatios, ANodeCountsAsTwoGpus) {
  MeasuredRatios ratios;
  ratios.add({.nodes = 4, .replicas = 8, .per_gpu_batch = 8, .accumulation = 1}, 2.0);
  ratios.add({.nodes = 2, .replicas = 2, .per_gpu_batch = 8, .accumulation = 1}, 8.0);

  EXPECT_NEAR(ratios.at({.nodes = 2, .replicas = 8, .per_gpu_batch = 8, .accumulation = 1}), 4.0,
              1e-12);
}

// 1.5 ln 4 = ln 8: four times the batch is as far as an eighth of the GPUs. Sixteen times the
// accumulation is twice as far.
TEST(MeasuredRatios, WeightsFallWithTheFourthPowerOfTheDistance) {
  MeasuredRatios ratios;
  ratios.add({.nodes = 1, .replicas = 8, .per_gpu_batch = 32, .accumulation = 1}, 1.0);
  ratios.add({.nodes = 1, .replicas = 1, .per_gpu_batch = 8, .accumulation = 1}, 1.0);
  ratios.add({.nodes = 1, .replicas = 8, .per_gpu_batch = 8, .accumulation = 16}, 16.0);
  const double near = std::pow(std::log(8.0) + 0.05, -4.0);
  const double far = std::pow(2.0 * std::log(8.0) + 0.05, -4.0);

  EXPECT_NEAR(ratios.at({.nodes = 1, .replicas = 8, .per_gpu_batch = 8, .accumulation = 1}),
              std::pow(16.0, far / (2.0 * near + far)), 1e-12);
}

TEST(GangShape, IsWhatResultsCallIt) {
  EXPECT_EQ(parse_shape("4")->per_node, std::vector{4});
  const auto across = parse_shape("racks:3/10+2+1");
  ASSERT_TRUE(across);
  EXPECT_EQ(across->racks, 3);
  EXPECT_EQ(across->nodes(), 3);
  EXPECT_EQ(across->replicas(), 13);
  for (const char* text :
       {"", "0", "2+", "+2", "2+-1", "2x2", "racks:2", "racks:/1", "racks:2/", "99999999999"}) {
    EXPECT_FALSE(parse_shape(text)) << text;
  }
}

}  // namespace
}  // namespace mimus::emulator
