// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>

#include "base/fields.hpp"
#include "scheduler/power/ces_rule.hpp"
#include "scheduler/power/demand_forecast.hpp"
#include "scheduler/power/power.hpp"

namespace mimus::scheduler {

/// Cluster Energy Saving of Helios (Hu et al., SC'21): CesRule on a cluster that schedules jobs.
///
/// Nodes are switched off at the end of a step, and on whenever jobs need them. What is needed are
/// the nodes in use and those that the waiting jobs would fill, gangs of whole nodes each on their
/// own and the others added up. A job that still waits after a step and a boot, for example because
/// the idle nodes are in different racks, gets more nodes at the end of every step. A node that is
/// switched on takes `boot` to come up. Only nodes without jobs sleep, the last ones first; the
/// first ones wake first. A node that is down counts as in use, because others must replace it.
///
/// Unlike the artifact, which replays the use of nodes and has no jobs to delay, a run begins with
/// all nodes on.
class Ces final : public Power {
 public:
  struct Settings {
    CesRule::Settings rule;
    ForecastSettings forecast;
    Duration step = std::chrono::minutes(10);
    Duration boot = std::chrono::minutes(5);

    /// With as many steps to a day as there are.
    [[nodiscard]] ForecastSettings forecast_of_steps() const;
  };
  explicit Ces(const Settings& settings);

  [[nodiscard]] PowerDecision decide(const PowerQuery& query) override;
  [[nodiscard]] Instant observe(const PowerQuery& query) override;

 private:
  void begin(const Cluster& cluster);
  /// True when a step has ended.
  [[nodiscard]] bool end_steps(Instant now);
  void meet(const PowerQuery& query, bool has_step_ended);
  void wake(int nodes, Instant now);
  void put_to_sleep(int nodes, const Cluster& cluster);
  [[nodiscard]] int needed(const Cluster& cluster) const;
  [[nodiscard]] bool at_rest() const;

  Settings settings_;
  std::unique_ptr<DemandForecast> forecast_;
  std::optional<CesRule> rule_;  ///< once the number of nodes is known
  std::set<NodeId> asleep_;
  std::map<NodeId, Instant> booting_;  ///< until then
  Instant step_end_{};
  int used_ = 0;        ///< nodes since the last decision, those that are down included
  int most_used_ = 0;   ///< in the step under way
  bool waits_ = false;  ///< some job did, after the last pass
};

/// The keys of the rule and of its forecast, which `mimus bench nodes` shares.
[[nodiscard]] const Fields<Ces::Settings>& ces_fields();

}  // namespace mimus::scheduler
