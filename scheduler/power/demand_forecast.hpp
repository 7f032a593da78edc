// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace mimus::scheduler {

/// Forecasts the number of nodes in use, from the numbers of the steps so far. It never sees later
/// steps, unlike the forecast that Helios' artifact evaluates, whose attributes lie up to 8.8 h
/// ahead of the decision.
class DemandForecast {
 public:
  virtual ~DemandForecast() = default;

  /// The next step has ended, with at most this number of nodes in use.
  void observe(double used) {
    used_.push_back(used);
    learn();
  }
  /// Mean of the predictions for `steps` ≥ 1 steps from the last observed one on, each rounded
  /// down to whole nodes.
  [[nodiscard]] double mean(int steps) const;

 protected:
  virtual void learn() {}
  /// For the step `ahead` of the last one.
  [[nodiscard]] virtual double predict(std::size_t ahead) const = 0;

  std::vector<double> used_;  ///< in the steps so far
};

struct ForecastSettings {
  enum class By { profile, day_before, flat };
  By by = By::profile;
  int day = 144;         ///< steps of a day
  int days = 14;         ///< from which `profile` learns
  int persistence = 18;  ///< steps over which it measures how long a deviation lasts
};
[[nodiscard]] std::unique_ptr<DemandForecast> make_forecast(const ForecastSettings& settings);

}  // namespace mimus::scheduler
