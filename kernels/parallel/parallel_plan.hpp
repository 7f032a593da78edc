// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "kernels/parallel/rank_communication.hpp"
#include "kernels/plan/launch_plan.hpp"
#include "workloads/models/model.hpp"

namespace mimus::kernels {

/// A step of one rank: the launches of its share of its stage's layers, and all its communication,
/// counted in launches.
struct ParallelPlan : RankCommunication {
  workloads::Model share;  ///< layers of the stage, divided for one tensor-parallel rank
  LaunchPlan launches;     ///< of `share`; passes are of one micro-batch, memory is all
};

/// Of a transformer, or of a solver on a grid (slab_plan.hpp). Throws UsageError if the model is
/// neither or cannot be divided evenly.
[[nodiscard]] ParallelPlan make_parallel_plan(const workloads::Model& model,
                                              const ParallelShape& shape, int stage,
                                              const LaunchOptions& options);

/// The layers of a stage, divided for one tensor-parallel rank. Throws UsageError likewise.
[[nodiscard]] workloads::Model stage_share(const workloads::Model& model,
                                           const ParallelShape& shape, int stage);

/// Idle share of a step over its ideal time: (p − 1) ÷ m.
[[nodiscard]] double pipeline_bubble(const ParallelShape& shape);
/// Order of 1F1B in `stage` (Narayanan et al., SC'21): p − 1 − stage forward passes ahead.
[[nodiscard]] std::vector<PipelineAction> pipeline_schedule(const ParallelShape& shape, int stage);
/// Bytes of weights, gradients and Adam's state per parameter in mixed precision, as in Megatron:
/// 18, or 6 + 12 ÷ d with a distributed optimiser.
[[nodiscard]] Bytes megatron_state(const ParallelShape& shape);
/// Gradients of a data-parallel bucket whose reduction overlaps the backward pass, in parameters:
/// max(40 million, 1 million × d).
[[nodiscard]] std::int64_t megatron_bucket(const ParallelShape& shape);

}  // namespace mimus::kernels
