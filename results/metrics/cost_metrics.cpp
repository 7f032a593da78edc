// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/metrics/cost_metrics.hpp"

#include "results/metrics/metric_value.hpp"

namespace mimus::results {
namespace {

/// Values below 0 mean that not every GPU has a price.
Value cost(const char* name) {
  return [name](const Observed& seen) -> Figure {
    const Figure found = seen.totals.find(name);
    return found && *found >= 0 ? found : std::nullopt;
  };
}

Figure cost_per_job(const Observed& seen) {
  const Figure held = cost("cost_held")(seen);
  const double finished = seen.totals.total("finished");
  return held && finished > 0 ? Figure(*held / finished) : std::nullopt;
}

}  // namespace

std::vector<Metric> cost_metrics() {
  return {
      {"cost_held", "", Better::lower, Shown::number, "cost of the GPUs held",
       "Σ `held` · `price` over `gpus`, where cluster.price_per_gpu_hour states prices: GPUs are "
       "paid for while they have a tenant, as in a cloud",
       cost("cost_held"), "", 0, "cost of GPUs held", 7, "in the currency of the prices"},
      {"cost_powered", "", Better::lower, Shown::number, "cost of the GPUs powered",
       "Σ `powered` · `price` over `gpus`: the same while their nodes do not sleep",
       cost("cost_powered"), "", 0, "cost of GPUs powered", 7},
      {"cost_per_job", "", Better::lower, Shown::number, "cost per finished job",
       "`cost_held` ÷ finished jobs", cost_per_job, "", 0, "cost per finished job", 7}};
}

}  // namespace mimus::results
