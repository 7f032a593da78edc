// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/class_totals.hpp"

#include <string>

namespace mimus::results {

void ClassTotals::append(std::vector<TotalRow>& rows) const {
  for (const bool opportunistic : {false, true}) {
    const std::string group(opportunistic ? kOpportunistic : kGuaranteed);
    const JobSums& sums = sums_[index(opportunistic)];
    for (const auto& metric : job_metrics()) {
      rows.push_back({std::string(metric.name), group, sums.*metric.sum});
    }
    const ClassedRun& runs = runs_[index(opportunistic)];
    rows.push_back({"finished_running", group, runs.running});
    rows.push_back({"finished_solo", group, runs.solo});
    rows.push_back({"finished_slow", group, runs.slow});
  }
}

}  // namespace mimus::results
