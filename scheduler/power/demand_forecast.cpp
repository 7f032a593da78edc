// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/power/demand_forecast.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace mimus::scheduler {
namespace {

/// As many as now.
class Flat final : public DemandForecast {
  [[nodiscard]] double predict(std::size_t) const override { return used_.back(); }
};

/// As many as a day before; on the first day, as many as now.
class DayBefore final : public DemandForecast {
 public:
  explicit DayBefore(std::size_t day) : day_(day) {}

 private:
  [[nodiscard]] double predict(std::size_t ahead) const override {
    if (used_.size() <= day_) return used_.back();
    return used_[used_.size() - 1 - day_ + ahead % day_];
  }
  std::size_t day_;
};

/// The mean at that time of the last days, and the present deviation from it, of which every step
/// ahead leaves the share r^(1/persistence). r is the regression of deviations on those
/// `persistence` steps before, through the origin, over the same days. On the first day, as many as
/// now.
class Profile final : public DemandForecast {
 public:
  explicit Profile(const ForecastSettings& settings)
      : day_(static_cast<std::size_t>(settings.day)),
        days_(static_cast<std::size_t>(settings.days)),
        persistence_(static_cast<std::size_t>(settings.persistence)) {}

 private:
  void learn() override {
    const std::size_t now = used_.size() - 1;
    deviation_.push_back(now < day_ ? 0.0 : used_[now] - usual(now));
    const double before = now < day_ + persistence_ ? 0.0 : deviation_[now - persistence_];
    products_.push_back((products_.empty() ? 0.0 : products_.back()) + before * deviation_[now]);
    squares_.push_back((squares_.empty() ? 0.0 : squares_.back()) + before * before);
  }

  /// Of the days before this step or, for a step ahead, before the last day that is known.
  [[nodiscard]] double usual(std::size_t step) const {
    double sum = 0.0;
    std::size_t count = 0;
    while (count < days_ && step >= (count + 1) * day_) sum += used_[step - ++count * day_];
    return sum / static_cast<double>(count);
  }

  [[nodiscard]] double lasting() const {
    const std::size_t now = used_.size() - 1, window = days_ * day_;
    const auto over_window = [&](const std::vector<double>& sums) {
      return sums[now] - (now < window ? 0.0 : sums[now - window]);
    };
    const double squares = over_window(squares_);
    return squares <= 0.0 ? 1.0 : std::clamp(over_window(products_) / squares, 0.0, 1.0);
  }

  [[nodiscard]] double predict(std::size_t ahead) const override {
    const std::size_t now = used_.size() - 1;
    if (now < day_) return used_.back();
    const double steps = static_cast<double>(ahead) / static_cast<double>(persistence_);
    return usual_from(now, ahead) + deviation_[now] * std::pow(lasting(), steps);
  }

  /// All steps ahead are compared with the same days, or their profile would have a step in it.
  [[nodiscard]] double usual_from(std::size_t now, std::size_t ahead) const {
    const std::size_t days = std::min(days_, now / day_);
    double sum = 0.0;
    for (std::size_t d = 1; d <= days; ++d) sum += used_[now - d * day_ + ahead % day_];
    return sum / static_cast<double>(days);
  }

  std::size_t day_, days_, persistence_;
  std::vector<double> deviation_;  ///< from the usual, 0 on the first day
  std::vector<double> products_,
      squares_;  ///< sums so far, of deviations `persistence` steps apart
};

}  // namespace

double DemandForecast::mean(int steps) const {
  ensure(!used_.empty() && steps > 0, "a forecast without observations or steps");
  double sum = 0.0;
  for (int ahead = 0; ahead < steps; ++ahead) {
    sum += std::floor(predict(static_cast<std::size_t>(ahead)) + 1e-9);
  }
  return sum / steps;
}

std::unique_ptr<DemandForecast> make_forecast(const ForecastSettings& settings) {
  using By = ForecastSettings::By;
  if (settings.by == By::flat) return std::make_unique<Flat>();
  if (settings.by == By::profile) return std::make_unique<Profile>(settings);
  return std::make_unique<DayBefore>(static_cast<std::size_t>(settings.day));
}

}  // namespace mimus::scheduler
