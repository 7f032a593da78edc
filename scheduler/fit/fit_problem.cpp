// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/fit_problem.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::scheduler {
namespace {

/// The root mean square of residuals, with its gradient.
class RootMeanSquare {
 public:
  void add(double residual, const FitParameters& slope) {
    sum_ += residual * residual;
    ++count_;
    for (std::size_t i = 0; i < kFitParameters; ++i) slope_[i] += residual * slope[i];
  }
  [[nodiscard]] double value() const { return std::sqrt(sum_ / count_); }
  void add_slope(FitParameters& out) const {
    const double root = value();
    if (root <= 0.0) return;
    for (std::size_t i = 0; i < kFitParameters; ++i) out[i] += slope_[i] / (root * count_);
  }

 private:
  double sum_ = 0.0;
  double count_ = 0.0;
  FitParameters slope_{};
};

/// d ln(step) by every parameter. `compute` and `sync` are the times of the model.
FitParameters step_slope(const ThroughputModel& m, const StepSample& sample, double compute,
                         double sync, double step) {
  const double compute_weight = std::pow(compute / step, m.gamma);
  const double sync_weight = std::pow(sync / step, m.gamma);
  const double by_compute = compute_weight / compute;
  const double by_sync = sync_weight / sync;
  const double further = std::max(sample.replicas - 2.0, kLeastTime);
  FitParameters slope{by_compute, by_compute * static_cast<double>(sample.per_gpu_batch)};
  if (sample.replicas > 1 || sample.nodes > 1) {
    const std::size_t alpha = sample.nodes > 1 ? 2 : 4;
    slope[alpha] = by_sync;
    slope[alpha + 1] = by_sync * further;
  }
  slope[kGamma] =
      (compute_weight * std::log(compute) + sync_weight * std::log(sync) - std::log(step)) /
      m.gamma;
  return slope;
}

}  // namespace

FitParameters parameters_of(const ThroughputModel& m) {
  return {m.alpha_c, m.beta_c, m.alpha_n, m.beta_n, m.alpha_r, m.beta_r, m.gamma};
}

ThroughputModel model_of(const FitParameters& p) {
  return {p[0], p[1], p[2], p[3], p[4], p[5], p[6]};
}

double fit_objective(const FitParameters& p, std::span<const StepSample> samples,
                     FitParameters& slope) {
  const ThroughputModel m = model_of(p);
  RootMeanSquare compute_error;
  RootMeanSquare step_error;
  for (const StepSample& sample : samples) {
    const auto batch = static_cast<double>(sample.per_gpu_batch);
    const double compute = m.compute_time(batch);
    const double sync = m.sync_time(sample.nodes, sample.replicas);
    const double step = m.step_time(sample.nodes, sample.replicas, {sample.per_gpu_batch, 1});
    compute_error.add(std::log(compute) - std::log(sample.compute),
                      {1.0 / compute, batch / compute});
    step_error.add(std::log(step) - std::log(sample.step),
                   step_slope(m, sample, compute, sync, step));
  }
  slope = {};
  compute_error.add_slope(slope);
  step_error.add_slope(slope);
  const double node = m.beta_n / m.alpha_n;
  const double local = m.beta_r / m.alpha_r;
  slope[2] -= 2e-2 * node * node / m.alpha_n;
  slope[3] += 2e-2 * node / m.alpha_n;
  slope[4] -= 2e-2 * local * local / m.alpha_r;
  slope[5] += 2e-2 * local / m.alpha_r;
  slope[kGamma] += 2e-3 * (m.gamma - 1.0);
  return compute_error.value() + step_error.value() + 1e-3 * (m.gamma - 1.0) * (m.gamma - 1.0) +
         1e-2 * (node * node + local * local);
}

FixedParameters fixed_by(std::span<const StepSample> samples) {
  const auto any = [&](auto&& holds) { return std::any_of(samples.begin(), samples.end(), holds); };
  FixedParameters fixed;
  const std::int64_t batch = samples.front().per_gpu_batch;
  if (!any([&](const StepSample& s) { return s.per_gpu_batch != batch; })) {
    double sum = 0.0;
    for (const StepSample& sample : samples) sum += sample.compute;
    fixed[0] = sum / static_cast<double>(samples.size()) / 2.0;
  }
  if (!any([](const StepSample& s) { return s.nodes > 1; })) fixed[2] = fixed[3] = kLeastTime;
  if (!any([](const StepSample& s) { return s.nodes == 1 && s.replicas > 1; })) {
    fixed[4] = fixed[5] = kLeastTime;
  }
  if (!any([](const StepSample& s) { return s.replicas > 2; })) fixed[3] = fixed[5] = kLeastTime;
  return fixed;
}

}  // namespace mimus::scheduler
