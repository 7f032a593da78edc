// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "base/fields.hpp"
#include "base/time.hpp"

namespace mimus::workloads {

/// How busy the hours of a week are.
struct WeekShape {
  std::array<double, 24> hours{};  ///< weights of a weekday's hours from midnight
  double weekend = 1.0;            ///< factor on Saturday and Sunday
  Duration start{};                ///< the workload's zero, since Monday 00:00
};

/// `hourly_weights`, `weekend_factor` and `start`; Philly's shape where they are left out.
[[nodiscard]] Fields<WeekShape> week_shape_fields();

/// Arrivals of generators that do without a week's shape if asked to.
struct ShapedArrivals {
  bool weekly = true;
  WeekShape shape;
  [[nodiscard]] std::optional<WeekShape> week() const {
    return weekly ? std::optional(shape) : std::nullopt;
  }
};
/// `arrivals` and, if it is diurnal, the week's shape.
[[nodiscard]] Fields<ShapedArrivals> shaped_arrival_fields();

/// No job may arrive later: time is counted in nanoseconds of 64 bits.
inline constexpr Duration kLongestWorkload = std::chrono::seconds(4'200'000'000);
/// Throws UsageError for a later one.
void check_arrival(Duration since_zero);

/// Places arrivals in time. With a week's shape, gaps pass faster in busy hours: a Poisson process
/// of constant rate becomes one whose rate follows the shape (time change by the integrated rate;
/// Çinlar, Introduction to Stochastic Processes, 1975, ch. 4). The mean rate over a week stays.
class ArrivalClock {
 public:
  explicit ArrivalClock(const std::optional<WeekShape>& shape);

  /// The arrival `gap` later at the mean rate; arrivals do not decrease. Throws UsageError beyond
  /// kLongestWorkload.
  [[nodiscard]] Instant after(Duration gap);

 private:
  static constexpr std::size_t kHours = 168;
  void skip(double gap);

  bool shaped_;
  std::array<double, kHours> rate_{};  ///< of each hour of the week, mean 1
  std::size_t hour_ = 0;               ///< of the week
  Duration hour_start_{};              ///< since the workload's zero; negative in the first hour
  double used_ = 0.0;                  ///< of this hour [s]
  Instant now_{};
};

}  // namespace mimus::workloads
