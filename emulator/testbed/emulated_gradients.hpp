// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "emulator/engine.hpp"
#include "emulator/learning_truth.hpp"
#include "scheduler/jobs/gradient_sample.hpp"

namespace mimus::emulator {

/// How much a cell's emulated gradients vary around the values that the noise scale gives.
struct GradientNoise {
  double relative = 0.0;  ///< standard deviation of a squared norm over its mean, in one step
  std::uint64_t seed = 0;
};

/// The job whose gradients are emulated, and its progress.
struct TrainingPlace {
  JobId job;
  const workloads::Model& model;
  std::size_t replicas = 1;
  double samples_done = 0.0;  ///< at M₀
};

/// What a job would measure of its gradients in a window, in the quadratic model behind
/// workloads::learning_progress() with a curvature of 1. The squared norm ‖g‖² of n samples is (G +
/// S/n)·(1 + ε), where S = φ·G is constant over a whole training, the loss is G/2 and begins at 1,
/// and the best learning rate at M₀ is 1/(1 + φ/M₀). ε is normal with standard deviation
/// `noise.relative` ÷ √(gradients averaged), drawn for each window. If gradients are only noise,
/// nothing is measured.
[[nodiscard]] scheduler::GradientSample emulated_gradients(const StepWindow& window,
                                                           const TrainingPlace& place,
                                                           const LearningTruth& learning,
                                                           const GradientNoise& noise);

}  // namespace mimus::emulator
