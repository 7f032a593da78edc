// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/learning_rate.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "workloads/models/noise_scale.hpp"

namespace mimus::workloads {
namespace {

constexpr double kNoise = 1000.0;
constexpr double kReference = 128.0;

double progress(double batch, double x, double initial = 1.0) {
  return learning_progress(x, adascale_gain(kNoise, kReference, batch), initial);
}

// S = 4 with variance 1 at M0 and squared norm 1: (1 + 1)/(1/4 + 1). Likewise S = 8 with variance
// 10 and 0.1.
TEST(AdaScaleGain, IsThatOfItsAuthors) {
  EXPECT_NEAR(adascale_gain(1.0, 1.0, 4.0), 1.6, 1e-12);
  EXPECT_NEAR(adascale_gain(10.0, 1.0, 8.0), 4.889, 1e-3);
  EXPECT_NEAR(adascale_gain(0.1, 1.0, 8.0), 1.086, 1e-3);
}

TEST(AdaScaleGain, IsTheScaleWhereGradientsAreNoiseAlone) {
  EXPECT_EQ(adascale_gain(std::numeric_limits<double>::infinity(), 128.0, 512.0), 4.0);
}

struct Row {
  double batch, gain, unchanged, sqrt, adascale, linear;
};

// p = x(2 - x/r)/(2 - 1), of M0 = 128 and phi = 1000.
TEST(LearningProgress, IsThatOfTheQuadraticModel) {
  for (const Row& row : {Row{256, 1.7962, 1.4433, 1.7150, 1.7962, 1.7730},
                         Row{512, 2.9841, 1.6649, 2.6596, 2.9841, 2.6383},
                         Row{2048, 5.9213, 1.8311, 5.2979, 5.9213, -11.234}}) {
    const double r = adascale_gain(kNoise, kReference, row.batch);
    const double scale = row.batch / kReference;
    EXPECT_NEAR(r, row.gain, 1e-4) << row.batch;
    EXPECT_NEAR(progress(row.batch, 1.0), row.unchanged, 1e-4) << row.batch;
    EXPECT_NEAR(progress(row.batch, std::sqrt(scale)), row.sqrt, 1e-4) << row.batch;
    EXPECT_NEAR(progress(row.batch, r), row.adascale, 1e-4) << row.batch;
    EXPECT_NEAR(progress(row.batch, scale), row.linear, row.batch > 1000 ? 1e-3 : 1e-4);
  }
}

TEST(LearningProgress, DependsOnHowGoodTheUsersLearningRateIs) {
  const double r = adascale_gain(kNoise, kReference, 512.0);

  EXPECT_NEAR(progress(512.0, 1.0, 0.5), 1.2216, 1e-4);
  EXPECT_NEAR(progress(512.0, 2.0, 0.5), 2.2199, 1e-4);
  EXPECT_NEAR(progress(512.0, r, 0.5), 2.9841, 1e-4);
  EXPECT_NEAR(progress(512.0, 4.0, 0.5), 3.5461, 1e-4);
}

// At AdaScale's own learning rate all its gain is kept, to the bit: this is Pollux' efficiency.
TEST(LearningRateShare, IsExactlyOneAtTheGain) {
  for (const double batch : {1.0, 128.0, 129.0, 4096.0}) {
    for (const double initial : {0.1, 0.3, 0.5, 1.0}) {
      const double r = adascale_gain(37.0, 128.0, batch);
      EXPECT_EQ(learning_rate_share(r, r, initial), 1.0) << batch << " " << initial;
    }
  }
}

// A step of the best length gains most; one twice as long gains nothing.
TEST(LearningRateShare, IsGreatestAtTheBestLearningRate) {
  EXPECT_LT(learning_rate_share(0.9, 1.0, 1.0), 1.0);
  EXPECT_LT(learning_rate_share(1.1, 1.0, 1.0), 1.0);
  EXPECT_DOUBLE_EQ(learning_rate_share(2.0, 1.0, 1.0), 0.0);
  EXPECT_DOUBLE_EQ(learning_rate_share(4.0, 1.0, 0.5), 0.0);
}

}  // namespace
}  // namespace mimus::workloads
