// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/batch/cabs.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::scheduler {

Cabs::Cabs(Settings settings)
    : Agent(settings.interval,
            {MovingAverage(settings.decay, 0.0), MovingAverage(settings.decay, 1.0)}),
      settings_(settings) {}

double Cabs::batch(double learning_rate, double variance, double loss) const {
  return settings_.factor * learning_rate * variance / loss;
}

void Cabs::learn(CabsState& state, const JobSample& sample) const {
  if (!sample.gradients.measured()) return;
  state.variance.add(sample.gradients.variance(), sample.steps);
  state.loss.add(sample.gradients.loss, sample.steps);
  state.learning_rate = sample.gradients.learning_rate;
}

std::optional<std::int64_t> Cabs::total(const JobView&, const CabsState& state) const {
  if (state.learning_rate <= 0.0 || state.loss.value() <= 0.0) return std::nullopt;
  const double wanted = batch(state.learning_rate, state.variance.value(), state.loss.value());
  return std::llround(std::clamp(wanted, static_cast<double>(settings_.least),
                                 static_cast<double>(settings_.most)));
}

}  // namespace mimus::scheduler
