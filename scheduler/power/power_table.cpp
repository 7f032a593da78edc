// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/power/ces.hpp"
#include "scheduler/power/never_sleep.hpp"
#include "scheduler/power/utility_band.hpp"

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

Fields<UtilityBand::Settings> band_fields() {
  using S = UtilityBand::Settings;
  return {
      field("low", &S::low, kFraction,
            "utility of GPUs below which fewer nodes may be in use: the jobs' speedups over one "
            "GPU, as estimated, per GPU"),
      field("high", &S::high, kFraction, "utility above which more nodes may be in use")
          .beyond("> low")
          .then([](const YamlReader& reader, const S& settings) {
            if (settings.low >= settings.high) reader.fail("high", "must be above low");
          }),
      field("window", &S::window, between(1, 1000), "number of rounds whose mean utility counts"),
      field("least_nodes", &S::least_nodes, kAtLeastOne,
            "nodes in use at the beginning, and at least"),
      field("most_nodes", &S::most_nodes, kAtLeastOne, "nodes in use at most; all, if left out")
          .beyond(">= least_nodes")
          .then([](const YamlReader& reader, const S& settings) {
            if (settings.most_nodes.value_or(settings.least_nodes) >= settings.least_nodes) return;
            reader.fail("most_nodes", "must not be less than least_nodes");
          }),
      field("boot", &S::boot, kNotNegative, "time that a node takes to come up")};
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
                                   ces_fields()),
                choice<Power, UtilityBand>("utility_band",
                                           "as many nodes are in use as keep the utility of their "
                                           "GPUs within a band (Pollux's simulator, OSDI'21)",
                                           band_fields())});
  return table;
}

}  // namespace mimus::scheduler
