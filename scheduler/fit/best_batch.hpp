// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scheduler/batch/batch_split.hpp"
#include "scheduler/fit/throughput_model.hpp"

namespace mimus::scheduler {

/// What decides about the batch of a job besides its throughput model.
struct BatchQuestion {
  BatchLimits limits;
  std::int64_t reference_batch = 1;  ///< M0 [samples]
  double noise_scale = 0.0;          ///< φ [samples]; infinite: every sample counts
};

struct BatchChoice {
  BatchPlan batch;
  double goodput = 0.0;  ///< progress [samples at M0 per second]
};

/// Throughput times statistical efficiency (Pollux, Eq. 4 to 7).
[[nodiscard]] double goodput(const ThroughputModel& model, const BatchQuestion& question, int nodes,
                             int replicas, const BatchPlan& batch);

/// The batch with the greatest goodput among 50 totals in geometric steps from
/// max(M0, per_gpu_min × replicas) to total_max; the first among equals (Pollux, Eq. 13, and its
/// artifact's GoodputFunction.optimize). Nothing when no total fits the limits. The plan's total is
/// not cut to total_max, which rounding up may pass by less than a sample per micro-batch.
[[nodiscard]] std::optional<BatchChoice> best_batch(const ThroughputModel& model,
                                                    const BatchQuestion& question, int nodes,
                                                    int replicas);

}  // namespace mimus::scheduler
