// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/arrival_clock.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mimus::workloads {
namespace {

constexpr double kHourSeconds = 3600.0;
constexpr double kWeekSeconds = 168 * kHourSeconds;

/// Philly (philly_jobs.csv, the 81 days from 2017-10-02 on): submissions by hour of the trace's
/// clock, relative to the mean of all hours. Each value is the mean over the days without the
/// lowest and the highest tenth, because bursts of hundreds of jobs make plain means useless.
constexpr std::array<double, 24> kPhillyHours{1.12, 1.15, 0.97, 1.01, 1.06, 1.26, 1.57, 1.96,
                                              1.24, 1.03, 0.93, 0.67, 0.64, 0.54, 0.51, 0.56,
                                              0.77, 0.83, 0.85, 0.85, 1.17, 0.86, 1.11, 1.34};
/// The same days: a weekend hour has 0.499 of the submissions of a weekday hour.
constexpr double kPhillyWeekend = 0.5;

constexpr Limits kHourWeight = between(0, 1e9);

std::array<double, 24> read_hours(YamlReader& reader) {
  const auto& items = reader.sequence("hourly_weights");
  if (items.size() != 24) {
    reader.fail("hourly_weights",
                fmt::format("needs 24 weights, one per hour from midnight, got {}", items.size()));
  }
  std::array<double, 24> hours{};
  for (std::size_t i = 0; i < hours.size(); ++i) {
    hours[i] = read_scalar<double>(
        items[i], fmt::format("{}[{}]", reader.child_path("hourly_weights"), i), kHourWeight);
  }
  if (std::accumulate(hours.begin(), hours.end(), 0.0) <= 0.0) {
    reader.fail("hourly_weights", "needs at least one weight above 0");
  }
  return hours;
}

Field<WeekShape> hours_field() {
  const ValueSpec spec{.type = ValueSpec::Type::number,
                       .form = ValueSpec::Form::list,
                       .limits = kHourWeight,
                       .beyond = "24 weights >= 0"};
  return {{"hourly_weights", spec, "the hours of Philly",
           "arrivals by hour of a weekday, from midnight"},
          [](YamlReader& reader, WeekShape& shape) {
            shape.hours = reader.has("hourly_weights") ? read_hours(reader) : kPhillyHours;
          }};
}

}  // namespace

void check_arrival(Duration since_zero) {
  if (since_zero <= kLongestWorkload) return;
  throw UsageError(
      fmt::format("a job would arrive after {:.3g} years; generate fewer jobs, or have "
                  "them arrive more often",
                  to_seconds(since_zero) / (365.25 * 86'400.0)));
}

Fields<WeekShape> week_shape_fields() {
  return {hours_field(),
          field_or("weekend_factor", &WeekShape::weekend, kPhillyWeekend, between(0, 1e3),
                   "arrivals on a Saturday or Sunday, relative to those on a weekday"),
          field("start", &WeekShape::start, between(0, kWeekSeconds),
                "time of the week at which the workload begins, since Monday 00:00")};
}

Fields<ShapedArrivals> shaped_arrival_fields() {
  using A = ShapedArrivals;
  Fields<A> fields{words_field("arrivals", &A::weekly, {{"diurnal", true}, {"poisson", false}},
                               "whether arrivals follow the shape of a week")};
  for (Field<A>& key : within(&A::shape, week_shape_fields())) {
    fields.push_back(std::move(key).then([name = key.info.name](YamlReader& reader, const A& all) {
      if (all.weekly || !reader.has(name)) return;
      reader.fail(name, "has no effect: arrivals is poisson, which does not follow a week");
    }));
  }
  return fields;
}

ArrivalClock::ArrivalClock(const std::optional<WeekShape>& shape) : shaped_(shape.has_value()) {
  if (!shaped_) return;
  for (std::size_t h = 0; h < kHours; ++h) {
    rate_[h] = shape->hours[h % 24] * (h >= 5 * 24 ? shape->weekend : 1.0);
  }
  const double mean = std::accumulate(rate_.begin(), rate_.end(), 0.0) / kHours;
  for (double& rate : rate_) rate /= mean;
  const auto whole = std::chrono::floor<std::chrono::hours>(shape->start);
  hour_ = static_cast<std::size_t>(whole.count()) % kHours;
  hour_start_ = whole - shape->start;
  used_ = to_seconds(shape->start - whole);
}

Instant ArrivalClock::after(Duration gap) {
  check_arrival(gap);
  if (shaped_) {
    skip(to_seconds(gap));
    now_ = std::max(now_, Instant{hour_start_ + from_seconds(used_)});
  } else {
    now_ += gap;
  }
  check_arrival(now_.time_since_epoch());
  return now_;
}

void ArrivalClock::skip(double gap) {
  const double weeks = std::floor(gap / kWeekSeconds);
  hour_start_ += static_cast<std::int64_t>(weeks) * std::chrono::hours(kHours);
  gap -= weeks * kWeekSeconds;
  for (;;) {
    const double left = (kHourSeconds - used_) * rate_[hour_];
    if (rate_[hour_] > 0.0 && gap <= left) break;
    gap -= left;
    hour_ = (hour_ + 1) % kHours;
    hour_start_ += std::chrono::hours(1);
    used_ = 0.0;
  }
  used_ += gap / rate_[hour_];
}

}  // namespace mimus::workloads
