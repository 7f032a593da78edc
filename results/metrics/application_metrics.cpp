// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/metrics/application_metrics.hpp"

#include "results/metrics/metric_value.hpp"

namespace mimus::results {
namespace {

bool any_application(const Observed& seen) {
  return seen.totals.total("applications") > 0;
}

}  // namespace

std::vector<Metric> application_metrics() {
  return {{"application_jct_mean", "s", Better::lower, Shown::number,
           "mean completion time of applications",
           "mean of `end` − `arrival` over `applications`, where jobs name any",
           ratio("application_jct", "applications"), "", 0, "application JCT mean", 2},
          {"application_rho_mean", "", Better::lower, Shown::number,
           "mean finish-time fairness ρ of applications",
           "mean of `rho` over `applications` (Mahajan et al., Themis, NSDI 2020)",
           ratio("application_rho", "applications"), "", 0, "application ρ mean"},
          {"application_rho_max", "", Better::lower, Shown::number,
           "worst finish-time fairness ρ of an application", "the largest of these",
           when(any_application, total("application_rho_max")), "", 0, "application ρ worst"}};
}

}  // namespace mimus::results
