// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "emulator/engine.hpp"
#include "emulator/learning_truth.hpp"
#include "scheduler/jobs/gradient_sample.hpp"

namespace mimus::emulator {

/// How much the gradients of a cell differ from what the noise scale says of them.
struct GradientNoise {
  double relative = 0.0;  ///< standard deviation of a squared norm over its mean, in one step
  std::uint64_t seed = 0;
};

/// Whose gradients, and where its training is.
struct TrainingPlace {
  JobId job;
  const workloads::Model& model;
  std::size_t replicas = 1;
  double samples_done = 0.0;  ///< at M₀
};

/// What a job would see of its gradients in a window, in the quadratic model behind
/// workloads::learning_progress() with a curvature of 1: ‖g‖² of n samples is (G + S/n)·(1 + ε),
/// where S = φ·G is the same over a whole training, the loss is G/2 and begins at 1, and the best
/// learning rate at M₀ is 1/(1 + φ/M₀). ε is normal and `noise.relative` ÷ √(gradients averaged)
/// wide; every window has its own. Nothing is measured where gradients are noise alone.
[[nodiscard]] scheduler::GradientSample emulated_gradients(const StepWindow& window,
                                                           const TrainingPlace& place,
                                                           const LearningTruth& learning,
                                                           const GradientNoise& noise);

}  // namespace mimus::emulator
