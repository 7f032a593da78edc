// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/throughput_fit.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "scheduler/fit/fit_problem.hpp"

namespace mimus::scheduler {

double fit_error(const ThroughputModel& model, std::span<const StepSample> samples) {
  FitParameters slope{};
  return fit_objective(parameters_of(model), samples, slope);
}

ThroughputModel fit_throughput(std::span<const StepSample> samples) {
  ensure(!samples.empty(), "a throughput model needs at least one sample");
  const FixedParameters fixed = fixed_by(samples);
  ThroughputModel model = model_of(least_error(fixed, samples));
  if (fixed[2]) {
    model.alpha_n = std::max(model.alpha_n, 1.1 * model.alpha_r);
    model.beta_n = std::max(model.beta_n, 1.1 * model.beta_r);
  }
  return model;
}

}  // namespace mimus::scheduler
