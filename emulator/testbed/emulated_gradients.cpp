// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/emulated_gradients.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/random.hpp"

namespace mimus::emulator {
namespace {

/// The factors 1 + ε on both norms.
void add_noise(scheduler::GradientSample& sample, const StepWindow& window, double gradients,
               JobId job, const GradientNoise& noise) {
  if (noise.relative <= 0.0) return;
  const auto at = window.end.time_since_epoch().count();
  RandomStream random(noise.seed, fmt::format("gradients of {} at {}", job.value(), at));
  const double one = noise.relative / std::sqrt(static_cast<double>(window.steps));
  sample.small_sqr *= std::max(0.0, 1.0 + one / std::sqrt(gradients) * random.normal());
  sample.large_sqr *= std::max(0.0, 1.0 + one * random.normal());
}

}  // namespace

scheduler::GradientSample emulated_gradients(const StepWindow& window, const TrainingPlace& place,
                                             const LearningTruth& learning,
                                             const GradientNoise& noise) {
  const double phi = window.noise_scale;
  if (phi <= 0.0 || std::isinf(phi) || window.steps == 0) return {};
  const auto total = static_cast<double>(window.batch.total(place.replicas));
  const auto micro = static_cast<double>(window.batch.per_gpu);
  const auto reference = static_cast<double>(place.model.batch.reference);
  // One gradient is compared with the mean of itself and the one of the step before.
  const bool alone = total <= micro;
  const double first = place.model.noise_scale.at(0.0);
  const double squared_norm = 2.0 * first / phi;
  const double variance = 2.0 * first;
  scheduler::GradientSample sample;
  sample.small_batch = micro;
  sample.large_batch = alone ? 2.0 * total : total;
  sample.small_sqr = squared_norm + variance / sample.small_batch;
  sample.large_sqr = squared_norm + variance / sample.large_batch;
  sample.loss = squared_norm / 2.0;
  const double x = learning.factor(phi, reference, total, place.samples_done);
  sample.learning_rate = x * learning.initial / (1.0 + phi / reference);
  add_noise(sample, window, sample.large_batch / sample.small_batch, place.job, noise);
  return sample;
}

}  // namespace mimus::emulator
