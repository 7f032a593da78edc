// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/step_profile.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::scheduler {
namespace {

/// A mean that has moved less does not justify a new fit, which takes far longer than a sample.
constexpr double kMoved = 0.01;

bool same_row(const StepSample& a, const StepSample& b) {
  return a.nodes == b.nodes && a.replicas == b.replicas && a.per_gpu_batch == b.per_gpu_batch;
}

}  // namespace

void StepProfile::add(const StepSample& sample, double steps) {
  const auto found = std::find_if(means_.begin(), means_.end(),
                                  [&](const StepSample& mean) { return same_row(mean, sample); });
  const auto row = static_cast<std::size_t>(found - means_.begin());
  if (found == means_.end()) {
    means_.push_back(sample);
    steps_.push_back(steps);
    fitted_step_.push_back(0.0);
  } else {
    steps_[row] += steps;
    const double weight = steps / steps_[row];
    found->compute += weight * (sample.compute - found->compute);
    found->step += weight * (sample.step - found->step);
  }
  const double moved = std::abs(means_[row].step - fitted_step_[row]);
  news_ = news_ || moved > kMoved * means_[row].step;
}

ThroughputModel StepProfile::fit() {
  const ThroughputModel model = fit_throughput(means_);
  std::transform(means_.begin(), means_.end(), fitted_step_.begin(),
                 [](const StepSample& mean) { return mean.step; });
  news_ = false;
  return model;
}

}  // namespace mimus::scheduler
