// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/workload/workload_report.hpp"

namespace mimus::emulator::cli {
namespace {

using nlohmann::ordered_json;
using workloads::Distribution;
using workloads::WorkloadStatistics;

ordered_json optional_json(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json distribution_json(const Distribution& d) {
  if (d.empty()) return {{"count", 0}};
  return {{"count", d.count()},      {"mean", d.mean()},        {"deviation", d.deviation()},
          {"min", d.min()},          {"p1", d.quantile(0.01)},  {"p5", d.quantile(0.05)},
          {"p10", d.quantile(0.10)}, {"p25", d.quantile(0.25)}, {"p50", d.quantile(0.50)},
          {"p75", d.quantile(0.75)}, {"p90", d.quantile(0.90)}, {"p95", d.quantile(0.95)},
          {"p99", d.quantile(0.99)}, {"max", d.max()}};
}

ordered_json classes_json(const std::vector<workloads::JobClass>& classes) {
  ordered_json out = ordered_json::array();
  for (const auto& entry : classes) {
    out.push_back(
        {{"name", entry.name}, {"jobs", entry.jobs}, {"gpu_hours", entry.gpu_seconds / 3600.0}});
  }
  return out;
}

ordered_json gangs_json(const WorkloadStatistics& s) {
  ordered_json out = ordered_json::array();
  for (const auto& gang : s.gangs) {
    out.push_back({{"gpus", gang.gpus},
                   {"jobs", gang.jobs},
                   {"gpu_hours", gang.gpu_seconds / 3600.0},
                   {"run_time_s", distribution_json(gang.run_times)}});
  }
  return out;
}

ordered_json gpu_shares_json(const WorkloadStatistics& s) {
  ordered_json out = ordered_json::array();
  for (const auto& [share, jobs] : s.gpu_shares) out.push_back({{"share", share}, {"jobs", jobs}});
  return out;
}

}  // namespace

ordered_json as_json(const WorkloadDescription& description) {
  const WorkloadStatistics& s = description.statistics;
  ordered_json out{{"from", description.from},
                   {"source", description.source},
                   {"source_hash", description.source_hash},
                   {"notes", description.notes},
                   {"jobs", s.jobs},
                   {"first_arrival_s", to_seconds(s.first_arrival)},
                   {"last_arrival_s", to_seconds(s.last_arrival)},
                   {"gpu_hours", s.gpu_seconds / 3600.0},
                   {"mean_demand_gpus", optional_json(s.mean_demand())},
                   {"jobs_of_unknown_run_time", s.unknown_run_times},
                   {"jobs_with_failures", s.failing_jobs}};
  if (description.gpus) {
    out["gpus"] = *description.gpus;
    out["offered_load"] = optional_json(s.offered_load(*description.gpus));
  }
  out["gangs"] = gangs_json(s);
  out["gpu_shares"] = gpu_shares_json(s);
  out["run_time_s"] = distribution_json(s.run_times);
  out["interarrival_s"] = distribution_json(s.gaps);
  out["arrivals_by_hour"] = s.by_hour;
  out["arrivals_by_day"] = s.by_day;
  out["arrivals_over_span"] = s.timeline;
  out["users"] = classes_json(s.users);
  out["virtual_clusters"] = classes_json(s.virtual_clusters);
  out["models"] = classes_json(s.models);
  out["outcomes"] = classes_json(s.outcomes);
  out["groups"] = {{"groups", s.recurrence.groups},
                   {"jobs", s.recurrence.jobs},
                   {"jobs_of_groups_with_5_runs", s.recurrence.recurring_jobs},
                   {"log_run_time_deviation_inside", s.recurrence.spread}};
  out["estimate_over_run_time"] = distribution_json(s.estimate_ratios);
  return out;
}

}  // namespace mimus::emulator::cli
