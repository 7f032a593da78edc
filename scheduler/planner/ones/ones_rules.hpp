// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "scheduler/batch/batch_split.hpp"

namespace mimus::scheduler {

/// The formulas of ONES (Bian et al., SC'21, and its code). Learning rates are in units of that of
/// a job on one GPU: on n GPUs the rate grows in proportion up to the largest one.
[[nodiscard]] double learning_rate(int gpus, double largest);

/// Samples per GPU: `base` until the largest learning rate is reached; beyond it the total batch
/// does not change: base × largest ÷ n.
[[nodiscard]] double per_gpu_batch(double base, int gpus, double largest);

/// Remaining GPU time of a job that continues on `gpus` GPUs: y·n·(1/ρ − 1) ÷ X(n) for `samples` =
/// y processed samples, a share ρ > 0 of all of them, and the throughput X(n) > 0 [samples/s].
[[nodiscard]] double remaining_service(double samples, double progress, int gpus,
                                       double throughput);

/// Number of GPUs to which the largest job is cut back: 2·size ÷ (run time ÷ median + 1), rounded
/// down, at least 1, then up to an even number.
[[nodiscard]] int cut_back(int size, double run_time, double median);

/// The median of the values, the upper one of two; 0 without any.
[[nodiscard]] double median_of(std::span<const double> values);

/// The batch of a job on `gpus` GPUs. The base is the user's batch per GPU, and the largest
/// learning rate is the model's largest total batch divided by it.
[[nodiscard]] BatchPlan ones_batch(const JobView& job, int gpus, const BatchLimits& limits);

}  // namespace mimus::scheduler
