// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/footprint/gpu_spec.hpp"
#include "kernels/parallel/rank_communication.hpp"
#include "kernels/plan/launch_plan.hpp"
#include "workloads/models/model.hpp"

namespace mimus::kernels {

/// How a gang of `step.replicas` GPUs trains a split model. A GPU's batch is a micro-batch. Each
/// replica has as many micro-batches per step as it has GPUs, times the accumulation steps, so a
/// step of any gang has per_gpu_batch × accumulation × GPUs samples. Throws UsageError if the GPUs
/// are not a whole number of replicas.
[[nodiscard]] ParallelShape parallel_shape(const workloads::Model& model, const StepShape& step);

/// Throws UsageError if the model's layers cannot be divided as its split says.
void check_split(const workloads::Model& model);

/// One training step of a gang: the plan of a rank of each pipeline stage. For a model that is not
/// split, the one plan of make_plan(). Throws UsageError like parallel_shape() and
/// make_parallel_plan().
[[nodiscard]] std::vector<FootprintPlan> make_gang_plans(const workloads::Model& model,
                                                         const GpuSpec& gpu, const StepShape& step);

/// For devices that run the footprint at full size: adds the launches of a rank of `stage` to its
/// plan, and counts its exchanges in them.
void add_launches(FootprintPlan& plan, const workloads::Model& model, const StepShape& step,
                  int stage, const LaunchOptions& options);

/// Device memory of one GPU: base + per_sample × per-GPU batch. For a split model, that of its
/// fullest stage: each stage holds the activations of as many micro-batches as there are stages
/// from it on (1F1B; Narayanan et al., SC'21).
struct MemoryNeed {
  Bytes base{};
  Bytes per_sample{};
  [[nodiscard]] Bytes of(std::int64_t per_gpu_batch) const {
    return base + static_cast<double>(per_gpu_batch) * per_sample;
  }
};
[[nodiscard]] MemoryNeed memory_need(const workloads::Model& model);

}  // namespace mimus::kernels
