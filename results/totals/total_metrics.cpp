// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/cell_totals.hpp"

namespace mimus::results {
namespace {

constexpr const char* kJobGroups = "all, gang classes, job classes";
constexpr const char* kClassGroups = "job classes";
constexpr const char* kTypeGroups = "GPU types";
constexpr const char* kPairGroups = "all, pairs";

}  // namespace

std::vector<TotalMetric> total_metrics() {
  std::vector<TotalMetric> all;
  for (const auto& metric : job_metrics()) {
    all.push_back({std::string(metric.name), kJobGroups, std::string(metric.unit),
                   std::string(metric.description)});
  }
  const auto cell = [&](const char* name, const char* unit, const char* description) {
    all.push_back({name, kAll, unit, description});
  };
  cell("first_arrival", "s", "earliest `arrival` of a job; -1: no job");
  cell("last_end", "s",
       "latest `end` of a job, or the end of `utilisation` if a job had not ended");
  cell("gpu_held_seconds", "GPU s",
       "GPUs allocated, integrated from `first_arrival` to `last_end`");
  cell("gpu_up_seconds", "GPU s", "GPUs up, integrated likewise");
  cell("memory_used_seconds", "GPU s", "`memory_used`, integrated likewise");
  cell("memory_up_seconds", "GPU s", "GPUs up while `memory_used` was known, integrated likewise");
  cell("last_arrival", "s", "latest `arrival` of a job; -1: not known");
  cell("arriving_held_seconds", "GPU s",
       "GPUs allocated, integrated from `first_arrival` to `last_arrival`");
  cell("arriving_up_seconds", "GPU s", "GPUs up, integrated likewise");
  cell("gpus", "GPUs", "number of rows of `gpus`");
  cell("gpu_busy_seconds", "GPU s", "sum of `busy` over `gpus`");
  cell("decisions", "", "number of calls of the scheduler");
  cell("decision_seconds", "s", "sum of their wall times");
  cell("job_slowdown", "", "sum of `bounded_slowdown` over finished jobs");
  cell("rho_jobs", "jobs", "finished jobs with a known ρ");
  cell("rho", "", "sum of their `rho`");
  cell("rho_squares", "", "sum of the squares");
  cell("rho_unfair", "jobs", "number of these with ρ > 1, by more than 10⁻⁶");
  cell("applications", "", "rows of `applications`");
  cell("application_jct", "s", "sum of their `end` − `arrival`");
  cell("application_rho", "", "sum of their `rho`");
  cell("application_rho_max", "", "largest `rho` of them; 0: none");
  all.push_back({"finished_running", kClassGroups, "s", "sum of `running` over finished jobs"});
  all.push_back({"finished_solo", kClassGroups, "s", "sum of `solo` over finished jobs"});
  all.push_back({"finished_slow", kClassGroups, "s",
                 "time of finished jobs in `pairs` with a `slowdown` above 1.05"});
  cell("energy", "J", "sum of `joules`; -1: not measured, or not of every device");
  cell("energy_of_jobs", "J", "of which for the jobs that are counted");
  cell("energy_modelled", "J", "of which modelled, not measured");
  cell("nodes", "nodes", "number of rows of `nodes`");
  cell("node_seconds", "node s", "sum of `on`, `booting` and `asleep` over them");
  cell("node_asleep_seconds", "node s", "sum of `asleep` over them");
  cell("node_used_seconds", "node s", "sum of `used` over them");
  cell("wake_ups", "", "instants at which nodes began to boot");
  cell("allocation_gpus", "GPUs", "`gpus` of `allocation`; 0 without rows");
  cell("allocated_at_end", "GPUs", "`allocated` of its last row");
  cell("fragmented_at_end", "GPUs", "`fragmented` of its last row");
  cell("allocated_at_full", "GPUs",
       "`allocated` of its first row with `requested` of `gpus` or more; -1: none");
  cell("data_read", "B", "sum of `read` over `tenants`");
  cell("data_hit", "B", "sum of `hit` over them");
  cell("data_tenants", "", "rows of `tenants` with a `speed_uncached` above 0");
  cell("data_speedup", "", "sum of their `speed` ÷ `speed_uncached`");
  cell("data_least_speedup", "", "the least of these; 0: none");
  cell("cache_tenants", "", "rows of `tenants` with a `worth_alone` above 0");
  cell("cache_shares", "", "sum of their `worth` ÷ `worth_alone` ÷ `weight`");
  cell("cache_share_squares", "", "sum of the squares");
  cell("cost_held", "", "sum over `gpus` of `held` in hours × `price`; -1: not known");
  cell("cost_powered", "", "sum over `gpus` of `powered` in hours × `price`; -1: not known");
  cell("searches", "", "hyper-parameter searches with rows of `trials`");
  cell("best_losses", "", "sum over them of the least `loss`");
  cell("best_loss_times", "s", "sum of `since_arrival` of the first rows with these");
  all.push_back({"type_gpus", kTypeGroups, "GPUs",
                 "rows of `gpus` with this `type`; of GPU types only where there are several"});
  all.push_back({"type_held_seconds", kTypeGroups, "GPU s", "sum of their `allocated`"});
  all.push_back({"type_busy_seconds", kTypeGroups, "GPU s", "sum of their `busy`"});
  all.push_back({"type_cost_held", kTypeGroups, "",
                 "sum of their `held` in hours × `price`; only where prices are stated"});
  all.push_back({"type_energy", kTypeGroups, "J",
                 "sum of `joules` of their devices; only where all of them are known"});
  all.push_back({"type_jobs", kTypeGroups, "", "rows of `jobs` with this `gpu_type`"});
  all.push_back({"type_queueing", kTypeGroups, "s", "sum of their `queueing`"});
  all.push_back({"pair_periods", kPairGroups, "", "number of rows of `pairs` with a baseline"});
  all.push_back({"pair_seconds", kPairGroups, "s", "sum of their `end` − `begin`"});
  all.push_back(
      {"slowdown_seconds", kPairGroups, "s", "sum of their `slowdown` × (`end` − `begin`)"});
  return all;
}

}  // namespace mimus::results
