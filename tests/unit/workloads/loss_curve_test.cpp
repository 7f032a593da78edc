// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/loss_curve.hpp"

#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

// 1/(8.889 p + 1.111) + 0.1: from 1 to 0.2, and 1/9.111 + 0.1 after nine tenths.
TEST(LossCurve, FallsAsOptimusFitsIt) {
  const LossCurve curve;

  EXPECT_DOUBLE_EQ(curve.at(0.0), 1.0);
  EXPECT_NEAR(curve.at(0.9), 0.2098, 5e-5);
  EXPECT_DOUBLE_EQ(curve.at(1.0), 0.2);
}

// 2.303 is ln 10, the loss of ten classes that are equally likely; a half and a quarter of it.
TEST(LossCurve, HasTheLossesOfBothEnds) {
  const LossCurve curve({.initial = 2.303, .end = 0.5, .limit = 0.25});

  EXPECT_DOUBLE_EQ(curve.at(0.0), 2.303);
  EXPECT_DOUBLE_EQ(curve.at(1.0), 2.303 / 2);
  EXPECT_NEAR(curve.at(1e9), 2.303 / 4, 1e-8);
}

TEST(LossCurve, RefusesToRise) {
  EXPECT_THROW(LossCurve({.initial = 0.0}), InternalError);
  EXPECT_THROW(LossCurve({.end = 1.0}), InternalError);
  EXPECT_THROW(LossCurve({.end = 0.1, .limit = 0.1}), InternalError);
}

}  // namespace
}  // namespace mimus::workloads
