// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/statistics/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mimus::workloads {

Distribution::Distribution(std::vector<double> values) : values_(std::move(values)) {
  std::sort(values_.begin(), values_.end());
  if (values_.empty()) return;
  const auto n = static_cast<double>(values_.size());
  mean_ = std::accumulate(values_.begin(), values_.end(), 0.0) / n;
  if (values_.size() < 2) return;
  double squares = 0.0;
  for (const double value : values_) squares += (value - mean_) * (value - mean_);
  deviation_ = std::sqrt(squares / (n - 1.0));
}

double Distribution::quantile(double q) const {
  if (values_.empty()) return 0.0;
  const double position = q * static_cast<double>(values_.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  if (below + 1 >= values_.size()) return values_.back();
  const double along = position - static_cast<double>(below);
  return values_[below] + along * (values_[below + 1] - values_[below]);
}

double Distribution::share_up_to(double value) const {
  if (values_.empty()) return 0.0;
  const auto above = std::upper_bound(values_.begin(), values_.end(), value);
  return static_cast<double>(above - values_.begin()) / static_cast<double>(values_.size());
}

}  // namespace mimus::workloads
