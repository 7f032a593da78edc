// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_interval.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace mimus::emulator {
namespace {

constexpr std::size_t kMostBatches = 20;

/// The 0.975 quantile of Student's t distribution for 1 to 19 degrees of freedom.
double student_t(std::size_t degrees) {
  constexpr std::array kQuantiles{12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646,
                                  2.3060,  2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448,
                                  2.1314,  2.1199, 2.1098, 2.1009, 2.0930};
  static_assert(kQuantiles.size() == kMostBatches - 1);
  ensure(degrees >= 1 && degrees <= kQuantiles.size(), "no quantile for as many batches");
  return kQuantiles.at(degrees - 1);
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation_of(std::span<const double> values) {
  if (values.size() < 2) return 0.0;
  const double mean = mean_of(values);
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

}  // namespace

Interval batch_means(std::span<const double> samples) {
  if (samples.empty()) return {.half_width = std::numeric_limits<double>::infinity()};
  const std::size_t length = (samples.size() + kMostBatches - 1) / kMostBatches;
  const std::size_t batches = samples.size() / length;
  const auto used = samples.last(batches * length);
  std::vector<double> means;
  for (std::size_t b = 0; b < batches; ++b)
    means.push_back(mean_of(used.subspan(b * length, length)));
  Interval out;
  out.mean = mean_of(used);
  out.sd = deviation_of(used);
  out.samples = static_cast<std::int64_t>(used.size());
  out.half_width = batches < 2 ? std::numeric_limits<double>::infinity()
                               : student_t(batches - 1) * deviation_of(means) /
                                     std::sqrt(static_cast<double>(batches));
  return out;
}

RatioInterval slowdown_interval(const Interval& shared, const Interval& solo) {
  const double value = shared.mean / solo.mean;
  const double relative = std::hypot(shared.relative(), solo.relative());
  return {value, value * (1.0 - relative), value * (1.0 + relative)};
}

StoppingRule::StoppingRule(const StoppingLimits& limits)
    : limits_(limits),
      warm_up_left_(limits.warm_up),
      next_look_(std::min(limits.min_steps, limits.max_steps)) {}

void StoppingRule::add(double step_time) {
  if (done_) return;
  if (warm_up_left_ > 0) {
    --warm_up_left_;
    return;
  }
  samples_.push_back(step_time);
  if (measured() >= next_look_) look();
}

void StoppingRule::look() {
  converged_ = interval().relative() <= limits_.interval;
  done_ = converged_ || measured() >= limits_.max_steps;
  next_look_ = std::min(limits_.max_steps, measured() + std::max<std::int64_t>(1, measured() / 4));
}

}  // namespace mimus::emulator
