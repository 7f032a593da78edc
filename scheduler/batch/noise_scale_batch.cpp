// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/batch/noise_scale_batch.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::scheduler {

void NoiseScaleBatch::learn(NoiseScaleState& state, const JobSample& sample) const {
  if (!sample.gradients.measured()) return;
  state.squared_norm.add(sample.gradients.squared_norm(), sample.steps);
  state.variance.add(sample.gradients.variance(), sample.steps);
}

std::optional<std::int64_t> NoiseScaleBatch::total(const JobView& job,
                                                   const NoiseScaleState& state) const {
  const double norm = state.squared_norm.value();
  if (norm <= 0.0 || state.variance.value() <= 0.0) {
    return job.batch.total(static_cast<std::size_t>(job.gpus()));
  }
  const auto most = static_cast<double>(job.model.total_batch_max);
  return std::llround(std::clamp(state.variance.value() / norm, 1.0, most));
}

}  // namespace mimus::scheduler
