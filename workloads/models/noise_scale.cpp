// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/noise_scale.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace mimus::workloads {

NoiseScaleCurve::NoiseScaleCurve(std::vector<Point> points) : points_(std::move(points)) {
  ensure(!points_.empty(), "a noise-scale curve needs at least one point");
  for (std::size_t i = 0; i < points_.size(); ++i) {
    ensure(points_[i].noise_scale > 0.0, "noise scales are positive");
    ensure(i == 0 || points_[i - 1].progress < points_[i].progress,
           "noise-scale points ascend in progress");
  }
}

double NoiseScaleCurve::at(double progress) const {
  const auto above =
      std::upper_bound(points_.begin(), points_.end(), progress,
                       [](double value, const Point& point) { return value < point.progress; });
  if (above == points_.begin()) return points_.front().noise_scale;
  if (above == points_.end()) return points_.back().noise_scale;
  const Point& low = *(above - 1);
  const double share = (progress - low.progress) / (above->progress - low.progress);
  return low.noise_scale * std::pow(above->noise_scale / low.noise_scale, share);
}

double mean_step_surplus(const NoiseScaleCurve& curve, double reference_batch, double total_batch) {
  if (total_batch == reference_batch) return 1.0;
  constexpr int kParts = 100;
  double sum = 0.0;
  for (int i = 0; i < kParts; ++i) {
    const double noise = curve.at((i + 0.5) / kParts);
    sum += 1.0 / statistical_efficiency(noise, reference_batch, total_batch);
  }
  return sum / kParts;
}

}  // namespace mimus::workloads
