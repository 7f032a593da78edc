// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

namespace mimus::workloads {

/// Gradient noise scale φ (in samples) over a job's life: how large a batch still pays.
/// φ is interpolated geometrically between the given points, because published curves grow by
/// factors, not by steps (Pollux, OSDI'21, Fig. 2; McCandlish et al. 2018).
class NoiseScaleCurve {
 public:
  struct Point {
    double progress;     ///< fraction of the work done, 0..1
    double noise_scale;  ///< φ [samples], > 0
  };

  /// `points` ascend strictly in progress and are not empty; InternalError otherwise.
  explicit NoiseScaleCurve(std::vector<Point> points);

  /// φ at a fraction of the work; constant before the first and after the last point.
  [[nodiscard]] double at(double progress) const;
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }

 private:
  std::vector<Point> points_;
};

/// Statistical efficiency of a step with total batch M against the reference batch M₀:
/// (φ + M₀)/(φ + M) (Pollux, OSDI'21, Eq. 6). Equal to 1 at M = M₀, and for all M in the limit of
/// an infinite φ: gradients are noise alone, every sample counts. Batches in samples, > 0.
[[nodiscard]] constexpr double statistical_efficiency(double noise_scale, double reference_batch,
                                                      double total_batch) {
  if (noise_scale == std::numeric_limits<double>::infinity()) return 1.0;
  return (noise_scale + reference_batch) / (noise_scale + total_batch);
}

/// Steps with total batch M that a training takes over those that it would take if every sample of
/// them counted: the mean of 1 / statistical_efficiency() over its work, in hundredths of it.
[[nodiscard]] double mean_step_surplus(const NoiseScaleCurve& curve, double reference_batch,
                                       double total_batch);

}  // namespace mimus::workloads
