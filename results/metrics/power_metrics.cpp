// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/metrics/power_metrics.hpp"

#include "results/metrics/metric_value.hpp"

namespace mimus::results {
namespace {

constexpr double kSecondsPerDay = 86400;
constexpr double kSecondsPerHour = 3600;

bool any_sleep(const Observed& seen) {
  return seen.totals.total("node_asleep_seconds") > 0;
}

/// Length of the cell. [s]
double length(const Observed& seen) {
  return seen.totals.total("node_seconds") / seen.totals.total("nodes");
}

Figure nodes_asleep(const Observed& seen) {
  return seen.totals.total("node_asleep_seconds") / length(seen);
}

/// Nodes that boot count as active. [s]
double active_time(const Observed& seen) {
  return seen.totals.total("node_seconds") - seen.totals.total("node_asleep_seconds");
}

Figure node_hours(const Observed& seen) {
  return active_time(seen) / kSecondsPerHour;
}

Figure nodes_used(const Observed& seen) {
  const double active = active_time(seen);
  return active > 0 ? Figure(seen.totals.total("node_used_seconds") / active) : std::nullopt;
}

Figure wake_ups_per_day(const Observed& seen) {
  return kSecondsPerDay * seen.totals.total("wake_ups") / length(seen);
}

}  // namespace

std::vector<Metric> power_metrics() {
  return {
      {"nodes_asleep", "", Better::neither, Shown::number, "mean number of nodes asleep",
       "Σ `asleep` ÷ length of the cell, where any slept", when(any_sleep, nodes_asleep), "", 0,
       "nodes asleep", 7},
      {"node_hours", "h", Better::lower, Shown::number, "node hours",
       "Σ (`on` + `booting`), where any node slept: what a cloud charges for; `cost_powered` is "
       "their price",
       when(any_sleep, node_hours), "", 0, "node hours", 7, "", "node_hours"},
      {"nodes_used", "", Better::higher, Shown::percent, "share of active nodes in use",
       "Σ `used` ÷ Σ (`on` + `booting`), where any slept (Hu et al., Helios, SC 2021)",
       when(any_sleep, nodes_used), "", 0, "active nodes in use", 7},
      {"wake_ups_per_day", "1/d", Better::lower, Shown::number, "wake-ups per day",
       "instants at which nodes were woken ÷ length of the cell, where any slept",
       when(any_sleep, wake_ups_per_day), "", 0, "wake-ups", 7, "per day", "wake_ups_per_day"},
      {"jobs_boot_delayed", "", Better::lower, Shown::whole, "jobs delayed by boots",
       "jobs with a `wait_boot`, where any node slept", when(any_sleep, total("delayed_boot")), "",
       0, "jobs delayed by boots", 7}};
}

}  // namespace mimus::results
