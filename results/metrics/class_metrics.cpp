// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/metrics/class_metrics.hpp"

#include "results/metrics/metric_value.hpp"

namespace mimus::results {
namespace {

bool has_classes(const Observed& seen) {
  return seen.totals.total("jobs", kOpportunistic) > 0;
}

/// Of the jobs of one class, if there are opportunistic ones.
Value of_class(std::string_view job_class, const std::string& above, const std::string& below) {
  return when(has_classes, ratio(above, below, 1, job_class));
}

}  // namespace

std::vector<Metric> class_metrics() {
  return {{"jct_mean_guaranteed", "s", Better::lower, Shown::number, "mean JCT of guaranteed jobs",
           "Σ `jct` ÷ finished jobs, of class guaranteed; where other jobs are opportunistic",
           of_class(kGuaranteed, "jct", "finished"), "", 0, "JCT mean, guaranteed", 1},
          {"jct_mean_opportunistic", "s", Better::lower, Shown::number,
           "mean JCT of opportunistic jobs", "the same, of class opportunistic",
           of_class(kOpportunistic, "jct", "finished"), "", 0, "JCT mean, opportunistic", 1},
          {"slowdown_guaranteed", "", Better::lower, Shown::factor, "slowdown of guaranteed jobs",
           "Σ `running` ÷ Σ `solo` of finished jobs of class guaranteed: what co-tenants cost them",
           of_class(kGuaranteed, "finished_running", "finished_solo"), "", 0,
           "slowdown, guaranteed", 6},
          {"slow_share_guaranteed", "", Better::lower, Shown::percent,
           "time of guaranteed jobs slowed by > 5 %",
           "of their running time, by periods with the same co-tenants (AntMan, OSDI 2020, "
           "promises 5 %)",
           of_class(kGuaranteed, "finished_slow", "finished_running"), "", 0,
           "slowed > 5 %, guaranteed", 6}};
}

}  // namespace mimus::results
