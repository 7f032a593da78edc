// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "kernels/launch_plan.hpp"
#include "workloads/model.hpp"

namespace mimus::kernels {

/// How a transformer is split, as Megatron does it.
struct ParallelShape {
  int tensor = 1;                ///< ranks that share every layer
  int pipeline = 1;              ///< stages of consecutive layers
  int data = 1;                  ///< replicas of all that
  int micro_batches = 1;         ///< per step
  std::int64_t micro_batch = 1;  ///< samples
  /// Tokens outside the split layers are divided among the tensor-parallel ranks.
  bool sequence_parallel = true;
  /// Optimiser state is divided among the data-parallel ranks.
  bool distributed_optimiser = false;
  [[nodiscard]] int ranks() const { return tensor * pipeline * data; }
};

/// Whom a collective is among.
enum class ParallelGroup { tensor, pipeline, data };

/// A collective of a rank beside the launches of a pass.
struct ScheduledCollective {
  CollectiveOp op = CollectiveOp::all_reduce;
  ParallelGroup group = ParallelGroup::tensor;
  Bytes size{};             ///< of the whole tensor, as in collective_time()
  std::size_t after = 0;    ///< launches of the pass that come before it
  bool overlapped = false;  ///< else the next launch waits for it
};

/// What a stage of the pipeline does next. Transfers are of one micro-batch.
struct PipelineAction {
  enum class Kind {
    receive_activations,
    forward,
    send_activations,
    receive_gradients,
    backward,
    send_gradients,
  };
  Kind kind = Kind::forward;
  int micro_batch = 0;
  bool operator==(const PipelineAction&) const = default;
};

/// A step of one rank: the launches of its share of its stage's layers, and all it communicates.
struct ParallelPlan {
  ParallelShape shape;
  int stage = 0;
  workloads::Model share;  ///< the layers of the stage, cut down to one tensor-parallel rank
  LaunchPlan launches;     ///< of `share`; passes are of one micro-batch
  std::vector<ScheduledCollective> forward;
  std::vector<ScheduledCollective> backward;
  std::vector<PipelineAction> schedule;     ///< one forward, one backward (1F1B)
  Bytes boundary{};                         ///< a transfer between stages, per rank
  std::vector<ScheduledCollective> reduce;  ///< of gradients, in the last backward pass
  std::vector<ScheduledCollective> gather;  ///< of weights, after the optimiser
};

/// UsageError when the model is no transformer or cannot be divided evenly.
[[nodiscard]] ParallelPlan make_parallel_plan(const workloads::Model& model,
                                              const ParallelShape& shape, int stage,
                                              const LaunchOptions& options);

/// Idle share of a step over its ideal time: (p − 1) ÷ m.
[[nodiscard]] double pipeline_bubble(const ParallelShape& shape);
/// Order of 1F1B in `stage` (Narayanan et al., SC'21): p − 1 − stage forward passes ahead.
[[nodiscard]] std::vector<PipelineAction> pipeline_schedule(const ParallelShape& shape, int stage);
/// Bytes of weights, gradients and Adam's state per parameter in mixed precision, as Megatron keeps
/// them: 18, or 6 + 12 ÷ d with a distributed optimiser.
[[nodiscard]] Bytes megatron_state(const ParallelShape& shape);
/// Gradients of a data-parallel bucket whose reduction overlaps the backward pass, in parameters:
/// max(40 million, 1 million × d).
[[nodiscard]] std::int64_t megatron_bucket(const ParallelShape& shape);

}  // namespace mimus::kernels
