// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "scheduler/batch/batch_split.hpp"

namespace mimus::scheduler {

/// The rules of ONES (Bian et al., SC'21, and its code) that are formulas. Learning rates are in
/// those of a job on one GPU: on n GPUs the rate grows in proportion until the largest one.
[[nodiscard]] double learning_rate(int gpus, double largest);

/// Samples per GPU: `base` until the largest learning rate is reached; beyond, the total batch
/// stays as it is, base × largest ÷ n.
[[nodiscard]] double per_gpu_batch(double base, int gpus, double largest);

/// What remains of a job, in GPU time, if it goes on on `gpus`: y·n·(1/ρ − 1) ÷ X(n) for `samples`
/// = y processed ones, a share ρ > 0 of all of them, and the throughput X(n) > 0 [samples/s].
[[nodiscard]] double remaining_service(double samples, double progress, int gpus,
                                       double throughput);

/// To how many GPUs the largest job is cut back: 2·size ÷ (run time ÷ median + 1), rounded down, at
/// least 1, then up to an even number.
[[nodiscard]] int cut_back(int size, double run_time, double median);

/// The median of the values, the upper one of two; 0 without any.
[[nodiscard]] double median_of(std::span<const double> values);

/// The batch of a job on `gpus` GPUs: what its user gives each GPU is the base, and the model's
/// largest total batch over it the largest learning rate.
[[nodiscard]] BatchPlan ones_batch(const JobView& job, int gpus, const BatchLimits& limits);

}  // namespace mimus::scheduler
