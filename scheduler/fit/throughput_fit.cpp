// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/throughput_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "scheduler/fit/minimise.hpp"

namespace mimus::scheduler {
namespace {

constexpr double kLeast = 1e-8;
constexpr std::size_t kParameters = 7;
constexpr std::size_t kGamma = 6;
using Parameters = std::array<double, kParameters>;  ///< in the order of ThroughputModel

Parameters parameters_of(const ThroughputModel& m) {
  return {m.alpha_c, m.beta_c, m.alpha_n, m.beta_n, m.alpha_r, m.beta_r, m.gamma};
}

ThroughputModel model_of(const Parameters& p) {
  return {p[0], p[1], p[2], p[3], p[4], p[5], p[6]};
}

/// Root mean square of residuals, with its gradient.
class RootMeanSquare {
 public:
  void add(double residual, const Parameters& slope) {
    sum_ += residual * residual;
    ++count_;
    for (std::size_t i = 0; i < kParameters; ++i) slope_[i] += residual * slope[i];
  }
  [[nodiscard]] double value() const { return std::sqrt(sum_ / count_); }
  void add_slope(Parameters& out) const {
    const double root = value();
    if (root <= 0.0) return;
    for (std::size_t i = 0; i < kParameters; ++i) out[i] += slope_[i] / (root * count_);
  }

 private:
  double sum_ = 0.0;
  double count_ = 0.0;
  Parameters slope_{};
};

/// d ln(step) by every parameter; `compute` and `sync` are the model's.
Parameters step_slope(const ThroughputModel& m, const StepSample& sample, double compute,
                      double sync, double step) {
  const double compute_weight = std::pow(compute / step, m.gamma);
  const double sync_weight = std::pow(sync / step, m.gamma);
  const double by_compute = compute_weight / compute;
  const double by_sync = sync_weight / sync;
  const double further = std::max(sample.replicas - 2.0, kLeast);
  Parameters slope{by_compute, by_compute * static_cast<double>(sample.per_gpu_batch)};
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

/// Value and gradient of the objective.
double objective(const Parameters& p, std::span<const StepSample> samples, Parameters& slope) {
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

/// Parameters that the samples cannot tell, with the values they take.
using Fixed = std::array<std::optional<double>, kParameters>;

Fixed fixed_by(std::span<const StepSample> samples) {
  const auto any = [&](auto&& holds) { return std::any_of(samples.begin(), samples.end(), holds); };
  Fixed fixed;
  const std::int64_t batch = samples.front().per_gpu_batch;
  if (!any([&](const StepSample& s) { return s.per_gpu_batch != batch; })) {
    double sum = 0.0;
    for (const StepSample& sample : samples) sum += sample.compute;
    fixed[0] = sum / static_cast<double>(samples.size()) / 2.0;
  }
  if (!any([](const StepSample& s) { return s.nodes > 1; })) fixed[2] = fixed[3] = kLeast;
  if (!any([](const StepSample& s) { return s.nodes == 1 && s.replicas > 1; })) {
    fixed[4] = fixed[5] = kLeast;
  }
  if (!any([](const StepSample& s) { return s.replicas > 2; })) fixed[3] = fixed[5] = kLeast;
  return fixed;
}

/// The free parameters without bounds, so that a bound is an ordinary place for a minimum. α and β
/// become logarithms above 1e-8, in which their orders of magnitude are equally far apart, or
/// squares, in which the bound itself can be reached. γ − 1 is a square that saturates at 9.
class Unbounded {
 public:
  enum class Scale { logarithm, square };
  Unbounded(const Fixed& fixed, Scale scale) : fixed_(fixed), scale_(scale) {}

  [[nodiscard]] std::vector<double> from(const Parameters& p) const {
    std::vector<double> free;
    for (std::size_t i = 0; i < kParameters; ++i) {
      if (fixed_[i]) continue;
      const double above = std::max(0.0, p[i] - (i == kGamma ? 1.0 : kLeast));
      if (i == kGamma) {
        free.push_back(std::sqrt(9.0 * above / (9.0 - above)));
      } else {
        free.push_back(scale_ == Scale::square ? std::sqrt(above) : std::log(above));
      }
    }
    return free;
  }

  /// Parameters, and d parameter / d free variable.
  [[nodiscard]] Parameters to(std::span<const double> free, Parameters& slope) const {
    Parameters p{};
    std::size_t next = 0;
    for (std::size_t i = 0; i < kParameters; ++i) {
      if (fixed_[i]) {
        p[i] = *fixed_[i];
        slope[i] = 0.0;
        continue;
      }
      const double x = free[next++];
      if (i == kGamma) {
        const double saturated = 9.0 + x * x;
        p[i] = 1.0 + 9.0 * x * x / saturated;
        slope[i] = 162.0 * x / (saturated * saturated);
      } else if (scale_ == Scale::square) {
        p[i] = kLeast + x * x;
        slope[i] = 2.0 * x;
      } else {
        slope[i] = std::exp(std::clamp(x, -40.0, 50.0));
        p[i] = kLeast + slope[i];
      }
    }
    return p;
  }

  [[nodiscard]] double value(std::span<const double> free, std::span<const StepSample> samples,
                             std::span<double> slope) const {
    Parameters by_free{};
    Parameters by_parameter{};
    const double error = objective(to(free, by_free), samples, by_parameter);
    std::size_t next = 0;
    for (std::size_t i = 0; i < kParameters; ++i) {
      if (!fixed_[i]) slope[next++] = by_parameter[i] * by_free[i];
    }
    return error;
  }

 private:
  const Fixed& fixed_;
  Scale scale_;
};

struct Fit {
  Parameters parameters{};
  double error = std::numeric_limits<double>::infinity();
};

/// Descends from `from` in turn on both scales until neither makes it better.
Fit descend(const Fixed& fixed, std::span<const StepSample> samples, const Parameters& from) {
  constexpr int kMostIterations = 400;
  constexpr int kMostTurns = 6;
  Fit fit{from, std::numeric_limits<double>::infinity()};
  for (int turn = 0; turn < kMostTurns; ++turn) {
    const double before = fit.error;
    for (const auto scale : {Unbounded::Scale::logarithm, Unbounded::Scale::square}) {
      const Unbounded unbounded(fixed, scale);
      const Objective error = [&](std::span<const double> at, std::span<double> slope) {
        return unbounded.value(at, samples, slope);
      };
      const Minimum found = minimise(error, unbounded.from(fit.parameters), kMostIterations);
      if (!(found.value < fit.error)) continue;
      Parameters unused{};
      fit = {unbounded.to(found.at, unused), found.value};
    }
    if (!(fit.error < before * (1.0 - 1e-9))) break;
  }
  return fit;
}

}  // namespace

double fit_error(const ThroughputModel& model, std::span<const StepSample> samples) {
  Parameters slope{};
  return objective(parameters_of(model), samples, slope);
}

ThroughputModel fit_throughput(std::span<const StepSample> samples) {
  ensure(!samples.empty(), "a throughput model needs at least one sample");
  const Fixed fixed = fixed_by(samples);
  Fit best;
  // The artifact's starting point first; the others guard against its local minima.
  for (const double gamma : {1.001, 3.0}) {
    for (const double size : {1.0, 0.05}) {
      const Fit fit = descend(
          fixed, samples,
          {0.1 * size, 0.01 * size, 0.1 * size, 0.01 * size, 0.1 * size, 0.01 * size, gamma});
      if (fit.error < best.error) best = fit;
    }
  }
  ThroughputModel model = model_of(best.parameters);
  if (fixed[2]) {
    model.alpha_n = std::max(model.alpha_n, 1.1 * model.alpha_r);
    model.beta_n = std::max(model.beta_n, 1.1 * model.beta_r);
  }
  return model;
}

}  // namespace mimus::scheduler
