// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include "base/time.hpp"

namespace mimus::scheduler {

/// Predicts that the load of the near future equals that of the recent past: the mean load, with
/// weights that decay by e within `window`.
class LoadForecast {
 public:
  explicit LoadForecast(Duration window) : window_(window) {}

  /// `load`: from now on, GPUs that jobs hold or wait for, divided by the number of GPUs.
  void see(double load, Instant now) {
    const double kept = mean_ ? std::exp(-to_seconds(now - since_) / to_seconds(window_)) : 0.0;
    mean_ = mean_ ? kept * *mean_ + (1.0 - kept) * last_ : load;
    last_ = load;
    since_ = now;
  }
  [[nodiscard]] double predicted() const { return mean_.value_or(0.0); }

 private:
  Duration window_;
  std::optional<double> mean_;  ///< until `since_`
  double last_ = 0.0;           ///< since then
  Instant since_{};
};

}  // namespace mimus::scheduler
