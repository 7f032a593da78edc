// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/best_batch.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace mimus::scheduler {
namespace {

BatchQuestion with_noise(double noise_scale) {
  return {{.per_gpu_min = 10, .per_gpu_max = 80, .total_max = 640}, 20, noise_scale};
}

// Without noise in the way a step takes 0.1 s + 0.01 s per sample, so larger is better: four
// replicas of 80 and 80 more by accumulation. Every sample counts: 640 of them in 1.8 s.
TEST(BestBatch, EverySampleCountsWhereTheNoiseScaleIsInfinite) {
  ThroughputModel model{0.1, 0.01, 0.0, 0.0, 0.0, 0.0, 1.0};
  const double infinity = std::numeric_limits<double>::infinity();

  const auto infinite = best_batch(model, with_noise(infinity), 1, 4);
  const auto huge = best_batch(model, with_noise(1e300), 1, 4);

  ASSERT_TRUE(infinite);
  EXPECT_EQ(infinite->batch, (BatchPlan{80, 2}));
  EXPECT_NEAR(infinite->goodput, 640 / 1.8, 1e-6);
  EXPECT_EQ(infinite->batch, huge->batch);
  EXPECT_EQ(infinite->goodput, huge->goodput);
}

}  // namespace
}  // namespace mimus::scheduler
