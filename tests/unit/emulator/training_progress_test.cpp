// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/training_progress.hpp"

#include <gtest/gtest.h>

#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {
namespace {

TEST(TrainingProgressTest, GainsWhatStatisticalEfficiencyLeaves) {
  const auto models = workloads::ModelCatalogue::built_in();
  const auto& model = models.at("resnet18");
  TrainingProgress progress(model, 0.0, 1e6);
  const double phi = model.noise_scale.at(0.0);

  // Twice the reference batch gains 2·M₀·(φ + M₀)/(φ + 2·M₀).
  const double reference = 128.0;
  EXPECT_DOUBLE_EQ(progress.gain(256.0), 256.0 * (phi + reference) / (phi + 256.0));
  EXPECT_EQ(progress.steps_to(1280.0, 128.0), 10);
  EXPECT_DOUBLE_EQ(progress.advance(10, 128.0), 1280.0);
  EXPECT_FALSE(progress.finished());
}

/// As the virtual engine goes, one step at a time.
std::int64_t single_steps(TrainingProgress progress, double batch) {
  std::int64_t steps = 0;
  for (; !progress.finished(); ++steps) {
    progress.hold_noise_scale(batch);
    progress.advance(1, batch);
  }
  return steps;
}

// φ of a ResNet-18 grows from 80 to 38,000 samples. A small batch gains most at the beginning, a
// large one at the end.
TEST(TrainingProgressTest, ManyStepsAtOnceGainWhatTheyGainOneByOne) {
  const auto models = workloads::ModelCatalogue::built_in();
  const auto& model = models.at("resnet18");
  for (const double batch : {16.0, 64.0, 128.0, 512.0, 2048.0}) {
    for (const double work : {1.0, 6400.0, 1e6}) {
      const TrainingProgress begun(model, 0.0, work);
      const std::int64_t steps = begun.all_steps_to(work, batch);
      EXPECT_EQ(steps, single_steps(begun, batch)) << batch << " of " << work;
      TrainingProgress progress = begun;
      progress.advance_all(steps - 1, batch);
      EXPECT_FALSE(progress.finished());
      EXPECT_EQ(progress.all_steps_to(work, batch), 1);
      progress.advance_all(1, batch);
      EXPECT_TRUE(progress.finished());
    }
  }
}

// φ of a solver is so large that every sample counts, but for rounding.
TEST(TrainingProgressTest, RoundingCostsNoStep) {
  const auto models = workloads::ModelCatalogue::built_in();
  const TrainingProgress begun(models.at("claire"), 0.0, 1500.0);

  EXPECT_EQ(begun.all_steps_to(1500.0, 4.0), 375);
  EXPECT_EQ(single_steps(begun, 4.0), 375);
}

LearningTruth learning(scheduler::LearningRate::Rule rule, double initial = 1.0) {
  return {.rate = {.rule = rule}, .initial = initial};
}

class LearningRates : public testing::Test {
 protected:
  [[nodiscard]] TrainingProgress training(const LearningTruth& truth = {}) const {
    return {models_.at("resnet18"), 0.0, 1e6, truth};
  }
  const workloads::ModelCatalogue models_ = workloads::ModelCatalogue::built_in();
  using Rule = scheduler::LearningRate::Rule;
};

// With M0 = 128 and phi = 1000 (docs: quadratic truth) a step with 512 samples is worth 2.9841 of
// the user's, 1.6649 with his learning rate, 2.6596 with twice that.
TEST_F(LearningRates, SayWhatAStepGains) {
  const auto gain = [&](Rule rule, double initial, double batch) {
    TrainingProgress progress = training(learning(rule, initial));
    progress.measure_noise_scale(1000.0);
    return progress.gain(batch) / 128.0;
  };
  EXPECT_NEAR(gain(Rule::adascale, 1.0, 512), 2.9841, 1e-4);
  EXPECT_NEAR(gain(Rule::unchanged, 1.0, 512), 1.6649, 1e-4);
  EXPECT_NEAR(gain(Rule::sqrt, 1.0, 512), 2.6596, 1e-4);
  EXPECT_NEAR(gain(Rule::linear, 0.5, 512), 3.5461, 1e-4);
  EXPECT_EQ(gain(Rule::linear, 1.0, 2048), 0.0);
}

// To the bit, or the results of all cells before would change.
TEST_F(LearningRates, OfAdaScaleGainWhatEfficiencyLeaves) {
  const auto& curve = models_.at("resnet18").noise_scale;
  for (const double initial : {0.25, 1.0}) {
    TrainingProgress progress = training(learning(Rule::adascale, initial));
    for (double batch = 7; batch < 5000; batch = batch * 1.3 + 1) {
      EXPECT_EQ(progress.gain(batch),
                batch * workloads::statistical_efficiency(curve.at(0.0), 128.0, batch));
    }
  }
}

TEST_F(LearningRates, ThatGainNothingDivergeAfterAHundredSteps) {
  TrainingProgress progress = training(learning(Rule::linear));
  progress.measure_noise_scale(1000.0);

  EXPECT_EQ(progress.steps_to(1e5, 2048), 100);
  EXPECT_EQ(progress.advance(99, 2048), 0.0);
  EXPECT_FALSE(progress.diverged());
  EXPECT_EQ(progress.steps_to(1e5, 2048), 1);
  EXPECT_GT(progress.advance(1, 512), 0.0);  // of a smaller batch in between
  EXPECT_EQ(progress.steps_to(1e5, 2048), 100);
  EXPECT_EQ(progress.all_steps_to(1e5, 2048), 100);
  EXPECT_EQ(progress.advance(100, 2048), 0.0);
  EXPECT_TRUE(progress.diverged());
}

}  // namespace
}  // namespace mimus::emulator
