// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mimus::workloads {

/// Values in ascending order, with what is said of them. Exact: all values are held.
class Distribution {
 public:
  Distribution() = default;
  explicit Distribution(std::vector<double> values);

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(values_.size()); }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  /// All of these are 0 without values.
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double deviation() const { return deviation_; }  ///< of the sample, n - 1
  [[nodiscard]] double min() const { return empty() ? 0.0 : values_.front(); }
  [[nodiscard]] double max() const { return empty() ? 0.0 : values_.back(); }
  /// Deviation over mean; 1 for exponential gaps.
  [[nodiscard]] double variation() const { return mean_ == 0.0 ? 0.0 : deviation_ / mean_; }
  /// The quantile q in [0, 1], interpolated linearly between order statistics: type 7 of Hyndman &
  /// Fan (1996), the default of NumPy, pandas and R.
  [[nodiscard]] double quantile(double q) const;
  /// Share of the values that are not above `value`.
  [[nodiscard]] double share_up_to(double value) const;
  [[nodiscard]] std::span<const double> values() const { return values_; }

 private:
  std::vector<double> values_;
  double mean_ = 0.0;
  double deviation_ = 0.0;
};

}  // namespace mimus::workloads
