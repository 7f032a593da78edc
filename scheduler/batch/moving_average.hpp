// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

namespace mimus::scheduler {

/// Exponential moving average over the steps of a job; at each step the previous value has the
/// weight `decay`.
class MovingAverage {
 public:
  /// Without `first` the average begins with the first value.
  explicit MovingAverage(double decay, std::optional<double> first = std::nullopt)
      : decay_(decay), value_(first) {}

  /// Takes the mean of `steps` steps, > 0, as the value of each of them.
  void add(double mean, std::int64_t steps) {
    const double kept = value_ ? std::pow(decay_, static_cast<double>(steps)) : 0.0;
    value_ = kept * value_.value_or(0.0) + (1.0 - kept) * mean;
  }
  /// 0 before the first value.
  [[nodiscard]] double value() const { return value_.value_or(0.0); }

 private:
  double decay_;
  std::optional<double> value_;
};

}  // namespace mimus::scheduler
