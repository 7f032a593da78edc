// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// Limits of a job's batch on its present allocation. All in samples.
struct BatchLimits {
  std::int64_t per_gpu_min = 1;
  std::int64_t per_gpu_max = 1;  ///< below per_gpu_min if the memory is too small
  std::int64_t total_max = 1;
};

/// The model's limits, with the per-GPU batch cut to what fits `memory` (zero: not stated).
[[nodiscard]] BatchLimits limits_within(const ModelFacts& model, Bytes memory);

/// Splits a total batch over `replicas`: local = total ÷ replicas, accumulated in
/// ⌈local ÷ per_gpu_max⌉ micro-batches of ⌈local ÷ accumulation⌉ samples each, cut to the limits
/// (Pollux, Qiao et al., OSDI'21, and its artifact's `optimize`), but at least `accumulation`
/// micro-batches. A total that the product cannot hit exactly is rounded up, but not above
/// total_max unless one micro-batch of per_gpu_min is more.
[[nodiscard]] BatchPlan split_batch(std::int64_t total, int replicas, const BatchLimits& limits,
                                    int accumulation = 1);

/// Minimum number of micro-batches of a job that measures its noise scale: two for a single replica
/// with more than M₀ samples in total, because the scale is computed from their difference
/// (Pollux's artifact).
[[nodiscard]] int micro_batches_to_measure(const ModelFacts& model, double total, int replicas);

/// As split_batch, for a real total; nothing when the per-GPU batch would leave its limits.
[[nodiscard]] std::optional<BatchPlan> exact_split(double total, int replicas,
                                                   const BatchLimits& limits, int accumulation);

}  // namespace mimus::scheduler
