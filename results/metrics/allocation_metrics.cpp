// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/metrics/allocation_metrics.hpp"

#include "results/metrics/metric_value.hpp"

namespace mimus::results {
namespace {

bool reached_full(const Observed& seen) {
  return seen.totals.total("allocation_gpus") > 0 && seen.totals.total("allocated_at_full") >= 0;
}

}  // namespace

std::vector<Metric> allocation_metrics() {
  return {{"allocated_at_end", "", Better::higher, Shown::percent, "GPUs allocated at the end",
           "`allocated` ÷ `gpus` of the last row of `allocation` (Weng et al., FGD, ATC 2023)",
           ratio("allocated_at_end", "allocation_gpus"), "allocated", 1,
           "GPUs allocated at the end", 5},
          {"allocated_at_full", "", Better::higher, Shown::percent,
           "GPUs allocated when all are requested",
           "the same of the first row with `requested` ≥ `gpus`",
           when(reached_full, ratio("allocated_at_full", "allocation_gpus")), "", 0,
           "  when all are requested", 5},
          {"fragmented_at_end", "", Better::lower, Shown::percent, "GPUs fragmented at the end",
           "`fragmented` ÷ `gpus` of the last row", ratio("fragmented_at_end", "allocation_gpus"),
           "fragmented", 1, "GPUs fragmented at the end", 5}};
}

}  // namespace mimus::results
