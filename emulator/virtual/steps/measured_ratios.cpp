// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/measured_ratios.hpp"

#include <cmath>

namespace mimus::emulator {
namespace {

constexpr double kNodeWeight = 2.0;
constexpr double kBatchWeight = 1.5;
/// Limits the weight of a point at the position where it was measured.
constexpr double kNearest = 0.05;

double squared(double x) {
  return x * x;
}

}  // namespace

MeasuredRatios::Known MeasuredRatios::place_of(const Point& point) {
  return {.nodes = kNodeWeight * std::log(point.nodes),
          .replicas = std::log(point.replicas),
          .batch = kBatchWeight * std::log(static_cast<double>(point.per_gpu_batch)),
          .accumulation = kBatchWeight * std::log(point.accumulation)};
}

void MeasuredRatios::add(const Point& point, double ratio) {
  Known known = place_of(point);
  known.log_ratio = std::log(ratio);
  known_.push_back(known);
}

double MeasuredRatios::at(const Point& asked) const {
  if (known_.empty()) return 1.0;
  const Known here = place_of(asked);
  double weights = 0.0;
  double sum = 0.0;
  for (const Known& known : known_) {
    const double apart = std::sqrt(
        squared(known.nodes - here.nodes) + squared(known.replicas - here.replicas) +
        squared(known.batch - here.batch) + squared(known.accumulation - here.accumulation));
    const double weight = 1.0 / squared(squared(apart + kNearest));
    weights += weight;
    sum += weight * known.log_ratio;
  }
  return std::exp(sum / weights);
}

}  // namespace mimus::emulator
