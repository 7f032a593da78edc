// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scheduler/batch/batch_split.hpp"
#include "scheduler/estimate/estimator.hpp"

namespace mimus::scheduler {

/// A batch and its estimated goodput.
struct ValuedBatch {
  BatchPlan batch;
  double goodput = 0.0;  ///< progress [samples at M₀ per second]
};

/// Throughput × (φ+M₀)/(φ+M): the goodput of a total batch of M samples (Pollux, Qiao et al.,
/// OSDI'21, Eq. 4 to 6). `noise_scale`: φ [samples], may be infinite.
[[nodiscard]] double goodput_of(double throughput, double noise_scale, std::int64_t reference_batch,
                                std::int64_t total);

/// The batch with the greatest goodput, over 50 totals in geometric steps from max(M₀, per_gpu_min
/// × replicas) to the model's largest (Eq. 13; the grid is its artifact's); the first among equals.
/// Nothing if no batch fits the limits or has an estimated progress.
[[nodiscard]] std::optional<ValuedBatch> best_batch(const ModelFacts& model,
                                                    const BatchLimits& limits, int replicas,
                                                    double noise_scale, const StepRate& rate);

}  // namespace mimus::scheduler
