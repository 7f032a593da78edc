// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/speedup.hpp"

namespace mimus::scheduler {

Speedup::Speedup(const Estimator& estimate, const JobView& job, const BatchLimits& limits,
                 int fair_gpus)
    : estimate_(estimate),
      job_(job),
      limits_(limits),
      fair_gpus_(fair_gpus),
      noise_scale_(estimate.noise_scale(job)) {
  of_fair_share_ = goodput({1, fair_gpus});
}

double Speedup::goodput(GpuSpread spread) const {
  if (!noise_scale_) return 0.0;
  const StepRate rate = estimate_.rate_on(job_, spread);
  if (!rate) return 0.0;
  const auto best = best_batch(job_.model, limits_, spread.gpus, *noise_scale_, rate);
  return best ? best->goodput : 0.0;
}

double Speedup::at(int nodes, int gpus) const {
  if (of_fair_share_ <= 0.0) return static_cast<double>(gpus) / fair_gpus_;
  return goodput({nodes, gpus}) / of_fair_share_;
}

}  // namespace mimus::scheduler
