// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "results/schema/rows.hpp"

namespace mimus::results {

/// Whether the host keeps the emulated pace, which may fail, or time itself is emulated.
enum class Pace { kept_by_host, emulated };

/// The results of StepStatistics.
struct StepFigures {
  double off_solo_median = 0, late_share = 0, useful_seconds = 0;
};

/// Collects what a summary needs of the `steps` table, so that the summary does not depend on
/// recording it.
class StepStatistics {
 public:
  explicit StepStatistics(Pace pace = Pace::kept_by_host) : pace_(pace) {}

  void add(const StepRow& row);

  [[nodiscard]] StepFigures figures() const {
    return {off_solo_median(), late_share(), useful_seconds()};
  }
  /// Median over windows without co-tenants of |step_mean ÷ step_modelled − 1|; 0 if there are
  /// none, or if the pace is emulated. It is the error of the pace where a job is also alone on its
  /// node; beside others, input pipelines slow each other.
  [[nodiscard]] double off_solo_median() const;
  /// Σ late·steps ÷ Σ step_mean·steps; 0 without steps.
  [[nodiscard]] double late_share() const;
  /// Σ steps · step_modelled · progress_samples ÷ samples: the time that the same progress takes
  /// at full statistical efficiency and the modelled speed of a job that shares nothing [s].
  [[nodiscard]] double useful_seconds() const { return useful_seconds_; }

 private:
  Pace pace_;
  std::vector<double> off_solo_;
  double late_seconds_ = 0;
  double step_seconds_ = 0;
  double useful_seconds_ = 0;
};

}  // namespace mimus::results
