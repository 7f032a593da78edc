// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/virtual_training.hpp"

#include <gtest/gtest.h>

#include "model_builders.hpp"

namespace mimus::emulator::test {
namespace {

/// Steps of one second and a noise scale that was measured: nothing in the first half of the work,
/// M0 in the second.
class MeasuredNoiseSteps final : public StatedSteps {
 public:
  explicit MeasuredNoiseSteps(double reference) : reference_(reference) {}
  [[nodiscard]] std::optional<MeasuredNoise> noise_scale(const Attempt&,
                                                         double fraction) const override {
    return fraction < 0.5 ? MeasuredNoise{0.0, 0.5} : MeasuredNoise{reference_, 1.0};
  }

 private:
  double reference_;
};

// Twice M0: a step gains M0 without noise, and 2 M0·(M0 + M0) ÷ (M0 + 2 M0) = 4/3 M0 with it.
// 200 M0 of work: 100 steps to the middle, then 75.
TEST(VirtualTraining, AMeasuredNoiseScaleHoldsToTheStepAtWhichItsStretchEnds) {
  auto attempt = attempt_on(1, {0}, "resnet18", 256);
  const double reference = static_cast<double>(attempt.model->batch.reference);
  ASSERT_EQ(reference, 128.0);
  attempt.work_samples = 200.0 * reference;
  const MeasuredNoiseSteps steps(reference);
  VirtualTraining training(attempt, steps, Duration{});
  training.begin(Instant{}, steps.step(attempt, {}), 0);

  EXPECT_EQ(training.stretch_end(), Instant{std::chrono::seconds{100}});
  EXPECT_EQ(training.advance(), VirtualTraining::Outcome::goes_on);
  EXPECT_EQ(training.stretch_end(), Instant{std::chrono::seconds{175}});
  EXPECT_EQ(training.advance(), VirtualTraining::Outcome::finished);
  EXPECT_EQ(training.report(Instant{std::chrono::seconds{175}}).windows.at(0).steps, 175);
}

}  // namespace
}  // namespace mimus::emulator::test
