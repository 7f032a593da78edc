// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/noise_scale.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

TEST(NoiseScale, InterpolatesGeometricallyBetweenPoints) {
  const NoiseScaleCurve curve({{0.0, 100.0}, {0.5, 400.0}, {1.0, 40000.0}});
  EXPECT_DOUBLE_EQ(curve.at(0.25), 200.0);   // sqrt(100 * 400)
  EXPECT_DOUBLE_EQ(curve.at(0.75), 4000.0);  // sqrt(400 * 40000)
}

TEST(NoiseScale, EqualsThePointsAtThePoints) {
  const NoiseScaleCurve curve({{0.0, 100.0}, {0.5, 400.0}, {1.0, 40000.0}});
  EXPECT_DOUBLE_EQ(curve.at(0.0), 100.0);
  EXPECT_DOUBLE_EQ(curve.at(0.5), 400.0);
  EXPECT_DOUBLE_EQ(curve.at(1.0), 40000.0);
}

TEST(NoiseScale, IsConstantOutsideThePoints) {
  const NoiseScaleCurve curve({{0.2, 7.0}, {0.8, 9.0}});
  EXPECT_DOUBLE_EQ(curve.at(0.0), 7.0);
  EXPECT_DOUBLE_EQ(curve.at(1.5), 9.0);
}

TEST(NoiseScale, RefusesPointsThatDoNotAscend) {
  EXPECT_THROW(NoiseScaleCurve({}), InternalError);
  EXPECT_THROW(NoiseScaleCurve({{0.5, 1.0}, {0.5, 2.0}}), InternalError);
  EXPECT_THROW(NoiseScaleCurve({{0.5, 1.0}, {0.1, 2.0}}), InternalError);
  EXPECT_THROW(NoiseScaleCurve({{0.0, 0.0}}), InternalError);
}

TEST(StatisticalEfficiency, IsTwoThirdsInTheHandCase) {
  // (1000 + 200) / (1000 + 800)
  EXPECT_DOUBLE_EQ(statistical_efficiency(1000.0, 200.0, 800.0), 2.0 / 3.0);
}

TEST(StatisticalEfficiency, IsOneAtTheReferenceBatch) {
  EXPECT_DOUBLE_EQ(statistical_efficiency(37.0, 128.0, 128.0), 1.0);
}

TEST(StatisticalEfficiency, IsOneWhereGradientsAreNoiseAlone) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(statistical_efficiency(infinity, 128.0, 4096.0), 1.0);
  EXPECT_EQ(statistical_efficiency(1e300, 128.0, 4096.0), 1.0);
}

// AdaScale gain over scale is the same quantity: S=8, variance 10, norm 1, M0=1 gives phi=10,
// gain 4.889 and efficiency 4.889/8 = 0.6111.
TEST(StatisticalEfficiency, AgreesWithAdaScaleGain) {
  EXPECT_NEAR(statistical_efficiency(10.0, 1.0, 8.0), 4.889 / 8.0, 1e-4);
}

TEST(StatisticalEfficiency, OfEveryModelGrowsOverTraining) {
  for (const std::string& name : test::catalogue().names()) {
    const Model& model = test::catalogue().at(name);
    if (model.grid.used()) continue;  // nothing is trained
    EXPECT_GE(model.noise_scale.at(1.0), 5.0 * model.noise_scale.at(0.0)) << name;
  }
}

}  // namespace
}  // namespace mimus::workloads
