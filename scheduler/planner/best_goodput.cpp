// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/best_goodput.hpp"

namespace mimus::scheduler {

double best_goodput(const Estimator& estimate, const JobView& job, const BatchLimits& limits,
                    GpuSpread spread, BatchGrids& grids) {
  const auto noise_scale = estimate.noise_scale(job);
  if (!noise_scale) return 0.0;
  const StepRate rate = estimate.rate_on(job, spread);
  if (!rate) return 0.0;
  const auto& grid = grids.of(job.model, limits, spread.gpus);
  const auto best = best_batch(job.model, grid, spread.gpus, *noise_scale, rate);
  return best ? best->goodput : 0.0;
}

double best_goodput(const Estimator& estimate, const JobView& job, const BatchLimits& limits,
                    GpuSpread spread) {
  BatchGrids grids;
  return best_goodput(estimate, job, limits, spread, grids);
}

}  // namespace mimus::scheduler
