// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/summary/estimate.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "base/error.hpp"

namespace mimus::results {

namespace {

constexpr double kConfidence = 0.95;
// Values that differ by less than this fraction of the mean differ only by the order of summation.
constexpr double kRounding = 1e-12;

double standard_deviation(const std::vector<double>& values, double mean) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

}  // namespace

Estimate estimate(const std::vector<double>& values) {
  ensure(!values.empty(), "an estimate needs a value");
  const auto count = static_cast<double>(values.size());
  Estimate out{std::accumulate(values.begin(), values.end(), 0.0) / count, std::nullopt};
  if (values.size() < 2) return out;
  const double spread = standard_deviation(values, out.mean);
  if (spread <= kRounding * std::abs(out.mean)) return out;
  const boost::math::students_t student(count - 1);
  out.half_width =
      boost::math::quantile(student, 0.5 + kConfidence / 2) * spread / std::sqrt(count);
  return out;
}

}  // namespace mimus::results
