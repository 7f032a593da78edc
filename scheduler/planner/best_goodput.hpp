// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/batch/best_batch.hpp"
#include "scheduler/estimate/estimator.hpp"

namespace mimus::scheduler {

/// Estimated goodput of the job on a number of GPUs with its best batch [samples at M₀ per second];
/// 0 without an estimate.
[[nodiscard]] double best_goodput(const Estimator& estimate, const JobView& job,
                                  const BatchLimits& limits, GpuSpread spread);
/// The same, with the grids of batches of other calls.
[[nodiscard]] double best_goodput(const Estimator& estimate, const JobView& job,
                                  const BatchLimits& limits, GpuSpread spread, BatchGrids& grids);

}  // namespace mimus::scheduler
