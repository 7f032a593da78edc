// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/emulated_gradients.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator::test {
namespace {

struct EmulatedGradients : ::testing::Test {
  EmulatedGradients() {
    window.end = Instant{std::chrono::seconds{20}};
    window.steps = 100;
    window.batch = {64, 2};
    window.noise_scale = 1000.0;
  }
  [[nodiscard]] scheduler::GradientSample sample(std::size_t replicas = 4, double noise = 0.0,
                                                 int job = 0) const {
    return emulated_gradients(window, {JobId{job}, model, replicas, 0.0}, learning, {noise, 9});
  }

  workloads::ModelCatalogue models = workloads::ModelCatalogue::built_in();
  const workloads::Model& model = models.at("resnet18");  // M0 = 128
  LearningTruth learning;
  StepWindow window;
};

// 4 replicas of 2 micro-batches of 64: 8 gradients of 64 samples and their mean, of 512.
TEST_F(EmulatedGradients, AreOfAMicroBatchAndOfTheWholeStep) {
  const auto made = sample();

  EXPECT_EQ(made.small_batch, 64);
  EXPECT_EQ(made.large_batch, 512);
  EXPECT_NEAR(made.variance() / made.squared_norm(), 1000.0, 1e-6);
  EXPECT_NEAR(made.small_sqr / made.squared_norm(), 1.0 + 1000.0 / 64.0, 1e-9);
  EXPECT_NEAR(made.large_sqr / made.squared_norm(), 1.0 + 1000.0 / 512.0, 1e-9);
}

// AdaScale's mu^2 = (n |g|^2 - mean |g_i|^2)/(n - 1) and sigma^2 = (mean |g_i|^2 - |g|^2) S/(n -
// 1), with n = 8 gradients and S = 512/128; its gain is the true one.
TEST_F(EmulatedGradients, GiveAdaScaleItsGain) {
  const auto made = sample();
  const double n = 8, scale = 4;
  const double mu2 = (n * made.large_sqr - made.small_sqr) / (n - 1);
  const double sigma2 = (made.small_sqr - made.large_sqr) * scale / (n - 1);

  EXPECT_NEAR(mu2, made.squared_norm(), 1e-9);
  EXPECT_NEAR(sigma2, made.variance() / 128.0, 1e-9);
  EXPECT_NEAR((sigma2 + mu2) / (sigma2 / scale + mu2), 2.9841, 1e-4);
}

TEST_F(EmulatedGradients, OfASingleMicroBatchAreComparedWithThoseBefore) {
  window.batch = {64, 1};
  const auto made = sample(1);

  EXPECT_EQ(made.small_batch, 64);
  EXPECT_EQ(made.large_batch, 128);
  EXPECT_NEAR(made.variance() / made.squared_norm(), 1000.0, 1e-6);
}

// The best learning rate at M0 is 1/(1 + 1000/128), and the loss, half the squared norm, falls as
// the noise scale grows while the variance stays.
TEST_F(EmulatedGradients, ComeWithALossAndALearningRate) {
  learning.initial = 0.5;
  const auto made = sample();
  window.noise_scale = 4000.0;
  const auto later = sample();

  EXPECT_NEAR(made.learning_rate, 0.5 * 2.9841 / (1.0 + 1000.0 / 128.0), 1e-5);  // AdaScale's
  EXPECT_NEAR(made.loss, model.noise_scale.at(0.0) / 1000.0, 1e-12);
  EXPECT_NEAR(later.loss, made.loss / 4.0, 1e-12);
  EXPECT_NEAR(later.variance(), made.variance(), 1e-6);
}

TEST_F(EmulatedGradients, AreNotMeasuredWhereTheyAreNoiseAlone) {
  window.noise_scale = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(sample().measured());
}

// Over many jobs: without bias, and as wide as one step's deviation over the root of the steps.
TEST_F(EmulatedGradients, DeviateByTheirNoise) {
  const auto exact = sample();
  constexpr int kJobs = 4000;
  double sum = 0, squares = 0;
  for (int job = 0; job < kJobs; ++job) {
    const double error = sample(4, 0.5, job).large_sqr / exact.large_sqr - 1.0;
    sum += error;
    squares += error * error;
  }
  EXPECT_NEAR(sum / kJobs, 0.0, 0.003);  // 0.05/sqrt(4000) = 0.0008
  EXPECT_NEAR(std::sqrt(squares / kJobs), 0.5 / 10.0, 0.002);
  EXPECT_EQ(sample(4, 0.5, 7).small_sqr, sample(4, 0.5, 7).small_sqr);
}

}  // namespace
}  // namespace mimus::emulator::test
