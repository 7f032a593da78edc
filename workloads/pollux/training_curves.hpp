// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mimus::workloads {

/// What training one application was measured to take: one run per total batch size, one row per
/// epoch, in the layout of the Pollux artifact: traces/<app>/validation-<batch>.csv with progress,
/// iteration, grad_sqr, grad_var. Progress is counted in scale-invariant iterations, i.e. optimiser
/// steps at the reference batch. Epochs count from 0; between two batch sizes everything is
/// interpolated linearly, outside them the nearest run counts.
class TrainingCurves {
 public:
  /// `folder` holds `traces`. ConfigError when there is no run or a row is wrong.
  [[nodiscard]] static TrainingCurves read(const std::string& folder, std::string_view application);

  /// Epochs that every run has.
  [[nodiscard]] int epochs() const { return epochs_; }
  /// Progress at which epoch `epoch` ends, in the run that was fastest by this measure.
  [[nodiscard]] double progress_at_end(int epoch) const;
  /// Progress of the whole training.
  [[nodiscard]] double total_progress() const { return progress_at_end(epochs_ - 1); }
  /// The epoch that training with this much progress is in; epochs() when it is over.
  [[nodiscard]] int epoch_at(double progress) const;
  /// Optimiser steps at `total_batch` until epoch `epoch` has ended.
  [[nodiscard]] double steps_at_end(double total_batch, int epoch) const;
  /// Those from the end of the epoch that `progress` lies in to the end of the last one, at least
  /// 1: the oracle of Pollux' evaluation (artifact, optimus.py).
  [[nodiscard]] double steps_left(double total_batch, double progress) const;

  struct Gradient {
    double squared_norm = 0.0;  ///< |E g|^2; 0 where the gradient is noise alone
    double variance = 0.0;      ///< of the gradient at the reference batch
    /// Progress of a step with `scale` times the reference batch (AdaScale's gain); 1 where both
    /// were measured as zero, as in the artifact's GoodputFunction.
    [[nodiscard]] double gain(double scale) const {
      const double sum = variance / scale + squared_norm;
      return sum > 0.0 ? (variance + squared_norm) / sum : 1.0;
    }
    /// φ [samples], with which a step of M samples gains M/M0·(φ + M0)/(φ + M), its gain(M/M0).
    [[nodiscard]] double noise_scale(double reference_batch) const {
      return variance > 0.0 ? reference_batch * variance / squared_norm : 0.0;
    }
  };
  [[nodiscard]] Gradient gradient(double total_batch, int epoch) const;

 private:
  struct Epoch {
    double progress = 0.0;
    double steps = 0.0;
    Gradient gradient;
  };
  template <class Value>
  [[nodiscard]] double between_runs(double total_batch, int epoch, Value&& value) const;

  std::map<double, std::vector<Epoch>> runs_;  ///< by total batch
  int epochs_ = 0;
};

}  // namespace mimus::workloads
