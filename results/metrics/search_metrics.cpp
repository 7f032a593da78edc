// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/metrics/search_metrics.hpp"

#include "results/metrics/metric_value.hpp"

namespace mimus::results {
namespace {

bool any_killed(const Observed& seen) {
  return seen.totals.total("killed") > 0;
}

}  // namespace

std::vector<Metric> search_metrics() {
  return {{"jobs_killed", "", Better::neither, Shown::whole, "cancelled jobs",
           "jobs with outcome `killed`, where any was", when(any_killed, total("killed"))},
          {"killed_gpu_time", "", Better::lower, Shown::percent, "GPU time of cancelled jobs",
           "Σ `gpu_seconds` of jobs with outcome `killed` ÷ of all",
           when(any_killed, ratio("killed_gpu_seconds", "gpu_seconds")), "", 0,
           "GPU time of cancelled jobs", 7},
          {"best_loss", "", Better::lower, Shown::number, "best loss of a search",
           "the least `loss` in `trials` of a search, in the mean over searches",
           ratio("best_losses", "searches"), "best loss", 9, "best loss of a search", 7},
          {"best_loss_time", "s", Better::lower, Shown::number, "time to the best trial",
           "`since_arrival` of the first row with that loss, likewise",
           ratio("best_loss_times", "searches"), "best after", 9, "found after", 7}};
}

}  // namespace mimus::results
