// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "scheduler/fit/loss_fit.hpp"

namespace mimus::scheduler {

/// How losses are fitted: which form, and what the age of a report takes from its weight.
enum class LossRule {
  none,     ///< not at all
  optimus,  ///< the reciprocal form; of three parts of the reports each weighs 16 times the last
  slaq,     ///< the better of two forms; a report weighs 0.9 times the next, or nothing below 1e-3
};

/// The losses that a job has reported. Neighbours are joined when there are too many of them, so
/// that its memory and the cost of a fit are bounded.
class LossHistory {
 public:
  void add(double samples, double loss);
  /// What fits the reports; nothing before there are three, or by no rule. Of Optimus, whose
  /// weights its code has as σ ÷ 4 per part. Of SLAQ (SoCC'17 §3), where neither form explains half
  /// of the variance, as when a loss does not fall monotonically: the line through the last ten
  /// reports.
  [[nodiscard]] std::optional<LossModel> fit(LossRule rule) const;
  /// Mean decline of this model over the reports [loss/sample].
  [[nodiscard]] double decline(const LossModel& model) const;

 private:
  struct Report {
    double number;  ///< counted from the first; the mean of those that were joined
    double samples;
    double loss;
    double reports = 1.0;  ///< that were joined
  };

  void join_neighbours();
  [[nodiscard]] std::vector<LossPoint> weighted(LossRule rule) const;

  std::vector<Report> reports_;
  double count_ = 0.0;
};

}  // namespace mimus::scheduler
