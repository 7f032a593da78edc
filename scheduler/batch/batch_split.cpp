// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/batch/batch_split.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::scheduler {
namespace {

/// ⌈x⌉, but tolerates rounding errors of the preceding division (1e-8 as in the artifact).
std::int64_t ceiling(double x) {
  return static_cast<std::int64_t>(std::ceil(x - 1e-8));
}

int micro_batches(double local, std::int64_t per_gpu_max) {
  const double most = static_cast<double>(std::max<std::int64_t>(1, per_gpu_max));
  return static_cast<int>(std::max<std::int64_t>(1, ceiling(local / most)));
}

}  // namespace

BatchLimits limits_within(const ModelFacts& model, Bytes memory) {
  BatchLimits limits{model.per_gpu_batch_min, model.per_gpu_batch_max, model.total_batch_max};
  if (memory == Bytes{}) return limits;
  if (model.base_memory > memory) {
    limits.per_gpu_max = 0;
  } else if (model.memory_per_sample > Bytes{}) {
    // The small excess accepts a batch whose memory equals the capacity up to rounding.
    const double fitting = (memory - model.base_memory) / model.memory_per_sample * (1.0 + 1e-12);
    const double most = static_cast<double>(limits.per_gpu_max);
    limits.per_gpu_max = static_cast<std::int64_t>(std::floor(std::min(most, fitting)));
  }
  return limits;
}

std::optional<BatchPlan> exact_split(double total, int replicas, const BatchLimits& limits,
                                     int accumulation) {
  const double local = total / replicas;
  BatchPlan plan;
  plan.accumulation = std::max(accumulation, micro_batches(local, limits.per_gpu_max));
  plan.per_gpu = ceiling(local / plan.accumulation);
  if (plan.per_gpu < limits.per_gpu_min || plan.per_gpu > limits.per_gpu_max) return std::nullopt;
  return plan;
}

int micro_batches_to_measure(const ModelFacts& model, double total, int replicas) {
  return replicas == 1 && total > static_cast<double>(model.reference_batch) + 1e-8 ? 2 : 1;
}

BatchPlan split_batch(std::int64_t total, int replicas, const BatchLimits& limits,
                      int accumulation) {
  const double local = static_cast<double>(std::min(total, limits.total_max)) / replicas;
  BatchPlan plan;
  plan.accumulation = std::max(accumulation, micro_batches(local, limits.per_gpu_max));
  const std::int64_t micro = static_cast<std::int64_t>(replicas) * plan.accumulation;
  const std::int64_t within_total = limits.total_max / micro;
  plan.per_gpu = std::min(ceiling(local / plan.accumulation), within_total);
  plan.per_gpu =
      std::max<std::int64_t>(1, std::clamp(plan.per_gpu, limits.per_gpu_min,
                                           std::max(limits.per_gpu_min, limits.per_gpu_max)));
  // The smallest batch per GPU may be more than an even part of the total leaves.
  const std::int64_t steps_within_total = limits.total_max / (replicas * plan.per_gpu);
  plan.accumulation =
      static_cast<int>(std::clamp<std::int64_t>(steps_within_total, 1, plan.accumulation));
  return plan;
}

}  // namespace mimus::scheduler
