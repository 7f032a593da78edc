// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "kernels/footprint/collective_time.hpp"

namespace mimus::kernels {

/// How a transformer is split, as in Megatron.
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

/// The ranks among which a collective runs.
enum class ParallelGroup { tensor, pipeline, data };

/// A collective of a rank beside the launches of a pass.
struct ScheduledCollective {
  CollectiveOp op = CollectiveOp::all_reduce;
  ParallelGroup group = ParallelGroup::tensor;
  Bytes size{};             ///< of the whole tensor, as in collective_time()
  std::size_t after = 0;    ///< launches or segments of the pass that come before it
  bool overlapped = false;  ///< else the next launch waits for it
};

/// The next action of a stage of the pipeline. Transfers are of one micro-batch.
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

/// The exchanges of one rank of a split model in a step, and the order of its passes.
struct RankCommunication {
  ParallelShape shape;
  int stage = 0;
  std::vector<ScheduledCollective> forward;   ///< of one micro-batch, ascending
  std::vector<ScheduledCollective> backward;  ///< likewise
  std::vector<PipelineAction> schedule;       ///< one forward, one backward (1F1B)
  Bytes boundary{};                           ///< a transfer between stages, per rank
  std::vector<ScheduledCollective> reduce;    ///< of gradients, in the last backward pass
  std::vector<ScheduledCollective> gather;    ///< of weights, after the optimiser
};

}  // namespace mimus::kernels
