// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/step_statistics.hpp"

#include <cmath>

#include "results/totals/percentile.hpp"

namespace mimus::results {

void StepStatistics::add(const StepRow& row) {
  const auto steps = static_cast<double>(row.steps);
  late_seconds_ += row.late * steps;
  step_seconds_ += row.step_mean * steps;
  if (row.samples > 0) {
    useful_seconds_ += steps * row.step_modelled * row.progress_samples / row.samples;
  }
  if (pace_ == Pace::emulated) return;
  if (row.co_tenants == 0 && row.step_mean > 0 && row.step_modelled > 0) {
    off_solo_.push_back(std::abs(row.step_mean / row.step_modelled - 1.0));
  }
}

double StepStatistics::off_solo_median() const {
  return percentile(off_solo_, 0.5);
}

double StepStatistics::late_share() const {
  return step_seconds_ > 0 ? late_seconds_ / step_seconds_ : 0.0;
}

}  // namespace mimus::results
