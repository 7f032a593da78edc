// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/run_time_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"

namespace mimus::workloads {
namespace {

/// Wider laws hardly differ from a uniform logarithm below the longest run time.
constexpr double kWidest = 8.0;
constexpr double kStep = 0.05;

}  // namespace

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

RunTimeLaw::RunTimeLaw(double median, double sigma, double longest)
    : mu_(std::log(median)),
      sigma_(sigma),
      longest_(longest),
      highest_(sigma > 0.0 ? std::log(longest / median) / sigma
                           : std::numeric_limits<double>::infinity()) {}

RunTimeLaw RunTimeLaw::fitted(Duration median, Duration mean, Duration longest) {
  const auto law = [&](double sigma) {
    return RunTimeLaw(to_seconds(median), sigma, to_seconds(longest));
  };
  const auto refuse = [&](std::string_view why) {
    throw UsageError(
        fmt::format("no lognormal run times have median {}, mean {} and at most {}: {}",
                    format_duration(median), format_duration(mean), format_duration(longest), why));
  };
  if (mean < median) refuse("their mean is never below their median");
  if (longest <= mean) refuse("the longest must lie above the mean");
  // The mean grows with sigma until most of the law lies beyond the longest run time; then it
  // falls.
  double high = kStep;
  while (law(high).mean() < to_seconds(mean)) {
    high += kStep;
    if (high > kWidest) refuse("raise the longest or the median");
  }
  double low = high - kStep;
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (low + high);
    (law(middle).mean() < to_seconds(mean) ? low : high) = middle;
  }
  return law(high);
}

RunTimeLaw::Draw RunTimeLaw::draw(RandomStream& random) const {
  double normal = random.normal();
  while (normal > highest_) normal = random.normal();
  return {std::clamp(std::exp(mu_ + sigma_ * normal), kShortestRunTime,
                     std::max(kShortestRunTime, longest_)),
          normal};
}

double RunTimeLaw::mean() const {
  const double untruncated = std::exp(mu_ + 0.5 * sigma_ * sigma_);
  return untruncated * normal_cdf(highest_ - sigma_) / normal_cdf(highest_);
}

double RunTimeLaw::time_weighted_normal() const {
  const double cut = highest_ - sigma_;
  const double density = std::exp(-0.5 * cut * cut) / std::sqrt(2.0 * std::numbers::pi);
  return sigma_ - density / normal_cdf(cut);
}

}  // namespace mimus::workloads
