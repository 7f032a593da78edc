// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "scheduler/fit/fit_problem.hpp"
#include "scheduler/fit/minimise.hpp"

namespace mimus::scheduler {
namespace {

/// Maps the free parameters to unbounded variables, so that a minimum at a bound needs no special
/// treatment. α and β become either logarithms above 1e-8, where orders of magnitude are equally
/// far apart, or squares, with which the bound itself can be reached. γ − 1 is a square that
/// saturates at 9.
class Unbounded {
 public:
  enum class Scale { logarithm, square };
  Unbounded(const FixedParameters& fixed, Scale scale) : fixed_(fixed), scale_(scale) {}

  [[nodiscard]] std::vector<double> from(const FitParameters& p) const {
    std::vector<double> free;
    for (std::size_t i = 0; i < kFitParameters; ++i) {
      if (fixed_[i]) continue;
      const double above = std::max(0.0, p[i] - (i == kGamma ? 1.0 : kLeastTime));
      if (i == kGamma) {
        free.push_back(std::sqrt(9.0 * above / (9.0 - above)));
      } else {
        free.push_back(scale_ == Scale::square ? std::sqrt(above) : std::log(above));
      }
    }
    return free;
  }

  /// Returns the parameters, and in `slope` d parameter / d free variable.
  [[nodiscard]] FitParameters to(std::span<const double> free, FitParameters& slope) const {
    FitParameters p{};
    std::size_t next = 0;
    for (std::size_t i = 0; i < kFitParameters; ++i) {
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
        p[i] = kLeastTime + x * x;
        slope[i] = 2.0 * x;
      } else {
        slope[i] = std::exp(std::clamp(x, -40.0, 50.0));
        p[i] = kLeastTime + slope[i];
      }
    }
    return p;
  }

  [[nodiscard]] double value(std::span<const double> free, std::span<const StepSample> samples,
                             std::span<double> slope) const {
    FitParameters by_free{};
    FitParameters by_parameter{};
    const double error = fit_objective(to(free, by_free), samples, by_parameter);
    std::size_t next = 0;
    for (std::size_t i = 0; i < kFitParameters; ++i) {
      if (!fixed_[i]) slope[next++] = by_parameter[i] * by_free[i];
    }
    return error;
  }

 private:
  const FixedParameters& fixed_;
  Scale scale_;
};

struct Fit {
  FitParameters parameters{};
  double error = std::numeric_limits<double>::infinity();
};

/// Descends from `from` alternately on both scales until neither improves the fit.
Fit descend(const FixedParameters& fixed, std::span<const StepSample> samples,
            const FitParameters& from) {
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
      FitParameters unused{};
      fit = {unbounded.to(found.at, unused), found.value};
    }
    if (!(fit.error < before * (1.0 - 1e-9))) break;
  }
  return fit;
}

}  // namespace

const char* fit_method() {
  return "own descent";
}

FitParameters least_error(const FixedParameters& fixed, std::span<const StepSample> samples) {
  Fit best;
  // The artifact's starting point comes first. The others guard against its local minima.
  for (const double gamma : {1.001, 3.0}) {
    for (const double size : {1.0, 0.05}) {
      const Fit fit = descend(
          fixed, samples,
          {0.1 * size, 0.01 * size, 0.1 * size, 0.01 * size, 0.1 * size, 0.01 * size, gamma});
      if (fit.error < best.error) best = fit;
    }
  }
  return best.parameters;
}

}  // namespace mimus::scheduler
