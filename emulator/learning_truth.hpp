// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/batch/learning_rate.hpp"

namespace mimus::emulator {

/// How the learning rates of a cell's jobs are set, and how good they are. Both engines and their
/// oracles compute the gain of a step from it.
struct LearningTruth {
  scheduler::LearningRate rate;  ///< what jobs do, by the cell's batch choice
  double initial = 1.0;  ///< z₀: the users' learning rates at M₀ over the best ones, (0, 1]

  /// The learning rate over the one that the user set for M₀, in a step with total batch `total`;
  /// the other arguments as below.
  [[nodiscard]] double factor(double noise_scale, double reference, double total,
                              double samples_done) const;
  /// Gain of an optimiser step with total batch `total`, in samples at M₀ (`reference`); zero if
  /// the learning rate is so large that it gains nothing. `samples_done`: progress of the training.
  /// See workloads::learning_rate_share().
  [[nodiscard]] double gain(double noise_scale, double reference, double total,
                            double samples_done) const;
};

/// Steps in a row without progress after which a training has diverged, and the reason of the
/// failure that ends it.
inline constexpr int kStepsToDiverge = 100;
inline constexpr const char* kDiverged = "model diverged";

}  // namespace mimus::emulator
