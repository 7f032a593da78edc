// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace mimus::scheduler {

/// A loss that falls with the samples that a job has trained on, in samples at M₀.
struct LossModel {
  enum class Form {
    reciprocal,   ///< floor + drop ÷ (1 + rate·x + square·x²)
    exponential,  ///< floor + drop·exp(−rate·x)
    line,         ///< drop − rate·x, never below zero
  };
  Form form = Form::reciprocal;
  double drop = 0.0;    ///< l(0) − floor
  double rate = 0.0;    ///< [1/sample], of a line [loss/sample]
  double square = 0.0;  ///< [1/sample²], of the reciprocal form
  double floor = 0.0;   ///< to which it falls, >= 0

  [[nodiscard]] double at(double samples) const;
  /// Samples after which the loss is this; nothing when it never is, 0 when it is from the start.
  [[nodiscard]] std::optional<double> samples_at(double loss) const;
};

/// What is believed of a job's loss.
struct LossBelief {
  LossModel model;
  double steepest = 0.0;  ///< largest mean decline that has been believed so far [loss/sample]
};

}  // namespace mimus::scheduler
