// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/power/ces.hpp"
#include "scheduler/power/never_sleep.hpp"

namespace mimus::scheduler {
namespace {

constexpr Limits kSteps = between(1, 1000);

Fields<CesRule::Settings> rule_fields() {
  using R = CesRule::Settings;
  return {
      field("history", &R::history, kSteps,
            "number of steps whose mean use is compared with the present"),
      field("future", &R::future, kSteps, "number of steps that are forecast"),
      field("drop", &R::drop, kPositive, "minimum fall from that mean to the present, in nodes"),
      field("future_drop", &R::future_drop, kNotNegative,
            "minimum fall from the present to the forecast, in nodes"),
      field("least", &R::least, kAtLeastOne,
            "minimum number of nodes that are switched off at once"),
      field("buffer", &R::buffer, kNotNegative, "nodes that stay on beyond those in use"),
      field("keep", &R::keep, between(0, 1000),
            "steps for which no node is switched off after others were switched on"),
      field("warm_up", &R::warm_up, kSteps, "steps at the beginning, with all nodes on")};
}

Fields<ForecastSettings> forecast_fields() {
  using F = ForecastSettings;
  return {
      field("forecast", &F::by,
            {{"profile", F::By::profile}, {"day_before", F::By::day_before}, {"flat", F::By::flat}},
            "the mean of the last days at that time of day, with what is left of the present "
            "deviation from it; as many nodes as a day before; or as many as now"),
      field("days", &F::days, between(1, 1000), "days that profile learns from"),
      field("persistence", &F::persistence, kSteps,
            "steps over which profile measures what is left of a deviation")};
}

}  // namespace

const Fields<Ces::Settings>& ces_fields() {
  using S = Ces::Settings;
  static const Fields<S> fields =
      all_of<S>({{field("step", &S::step, kPositive, "how often nodes may be switched off"),
                  field("boot", &S::boot, kNotNegative, "time that a node takes to come up")},
                 within(&S::rule, rule_fields()),
                 within(&S::forecast, forecast_fields())});
  return fields;
}

const Registry<Power>& power_choices() {
  static const Registry<Power> table(
      "power", {choice<Power, NeverSleep>("never", "all nodes stay on"),
                choice<Power, Ces>("ces",
                                   "idle nodes sleep while demand falls and is predicted to fall "
                                   "on (Helios, SC'21)",
                                   ces_fields())});
  return table;
}

}  // namespace mimus::scheduler
