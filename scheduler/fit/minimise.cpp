// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/minimise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mimus::scheduler {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Vector moved(const Vector& from, double length, const Vector& direction) {
  Vector out = from;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += length * direction[i];
  return out;
}

struct Place {
  Vector at;
  Vector slope;
  double value = 0.0;
};

class Descent {
 public:
  Descent(const Objective& objective, Vector from)
      : objective_(objective), here_(look(std::move(from))) {
    forget();
  }

  Minimum run(int most_iterations) {
    for (int i = 0; i < most_iterations; ++i) {
      if (step()) continue;
      // The curvature may have become useless: tries once more along the gradient, then stops.
      if (fresh_) break;
      forget();
    }
    return {here_.at, here_.value};
  }

 private:
  Place look(Vector at) const {
    Place place{std::move(at), {}, 0.0};
    place.slope.resize(place.at.size());
    place.value = objective_(place.at, place.slope);
    if (std::isnan(place.value)) place.value = std::numeric_limits<double>::infinity();
    return place;
  }

  void forget() {
    const std::size_t n = here_.at.size();
    inverse_.assign(n, Vector(n, 0.0));
    for (std::size_t i = 0; i < n; ++i) inverse_[i][i] = 1.0;
    fresh_ = true;
  }

  bool step() {
    Vector direction(here_.at.size());
    for (std::size_t i = 0; i < direction.size(); ++i)
      direction[i] = -dot(inverse_[i], here_.slope);
    const double decline = dot(direction, here_.slope);
    if (!(decline < 0.0)) return false;
    Place next = search(direction, decline);
    if (!(next.value < here_.value)) return false;
    learn(next);
    here_ = std::move(next);
    return true;
  }

  /// The best point found during the search for one with sufficient decrease and a flatter slope.
  Place search(const Vector& direction, double decline) const {
    constexpr double kDecrease = 1e-4;
    constexpr double kFlatter = 0.9;
    constexpr int kMostTries = 60;
    double low = 0.0;
    double high = std::numeric_limits<double>::infinity();
    double length = 1.0;
    Place best = here_;
    for (int i = 0; i < kMostTries; ++i) {
      Place place = look(moved(here_.at, length, direction));
      const bool decreased = place.value <= here_.value + kDecrease * length * decline;
      const bool flatter = dot(place.slope, direction) >= kFlatter * decline;
      if (place.value < best.value) best = place;
      if (decreased && flatter) return place;
      (decreased ? low : high) = length;
      length = std::isinf(high) ? 2.0 * low : 0.5 * (low + high);
    }
    return best;
  }

  /// The BFGS update of the inverse Hessian.
  void learn(const Place& next) {
    const Vector s = moved(next.at, -1.0, here_.at);
    const Vector y = moved(next.slope, -1.0, here_.slope);
    const double curvature = dot(s, y);
    if (!(curvature > 0.0)) return;
    const std::size_t n = s.size();
    if (fresh_) {
      const double scale = curvature / dot(y, y);
      for (std::size_t i = 0; i < n; ++i) inverse_[i][i] = scale;
    }
    Vector hy(n);
    for (std::size_t i = 0; i < n; ++i) hy[i] = dot(inverse_[i], y);
    const double factor = (1.0 + dot(y, hy) / curvature) / curvature;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        inverse_[i][j] += factor * s[i] * s[j] - (hy[i] * s[j] + s[i] * hy[j]) / curvature;
      }
    }
    fresh_ = false;
  }

  const Objective& objective_;
  Place here_;
  std::vector<Vector> inverse_;
  bool fresh_ = true;  ///< whether the inverse Hessian is still the identity
};

}  // namespace

Minimum minimise(const Objective& objective, std::vector<double> from, int most_iterations) {
  return Descent(objective, std::move(from)).run(most_iterations);
}

}  // namespace mimus::scheduler
