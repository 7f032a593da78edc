// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/cuda/collective/stream_collectives.hpp"
#include "kernels/cuda/runtime/wait_timer.hpp"
#include "kernels/cuda/step/device_ordered_step.hpp"
#include "kernels/parallel/rank_communication.hpp"

namespace mimus::kernels::cuda {

/// A step of one rank of a transformer that is split by tensor and pipeline parallelism: its passes
/// in the order of the pipeline's schedule, with every collective in its place, launched kernel by
/// kernel. Each collective has its own stream. The compute stream waits at once for those that the
/// next launch needs, at the end of a pass for those beside it, and at the end of the step for what
/// was sent.
class SplitStep final : public DeviceOrderedStep {
 public:
  /// Throws InternalError if a collective of `split` is missing or does not fit into the plan's
  /// memory, and UsageError if several of them are staged through the host. All must outlive this
  /// object.
  SplitStep(CudaReplica& replica, const StreamCollectives& gang, const LaunchPlan& plan,
            const RankCommunication& split);

 private:
  /// An operation of a collective, as StreamCollective::enqueue() takes it.
  struct Operation {
    CollectiveOp op = CollectiveOp::all_reduce;
    const void* send = nullptr;
    void* receive = nullptr;
    std::int64_t bytes = 0;
    Arithmetic arithmetic = Arithmetic::fp32;
  };

  [[nodiscard]] bool enqueue_body(const Poll& poll) override;
  [[nodiscard]] Duration exposed_communication(std::size_t steps) override;
  /// Meanwhile other stages of the pipeline compute.
  [[nodiscard]] Duration waited_besides(std::size_t /*steps*/) override {
    return stage_waits_.take();
  }

  [[nodiscard]] bool enqueue_action(const PipelineAction& action, const Poll& poll);
  /// `reduce` may be empty; otherwise buckets are reduced beside the pass.
  [[nodiscard]] bool enqueue_pass(const std::vector<Launch>& launches,
                                  const std::vector<ScheduledCollective>& tensor,
                                  std::span<const ScheduledCollective> reduce, const Poll& poll);
  [[nodiscard]] bool enqueue_tensor(const ScheduledCollective& one, const Poll& poll);
  [[nodiscard]] bool finish_reductions(const Poll& poll);
  [[nodiscard]] bool reduce_tied_table(const ScheduledCollective& one, const Poll& poll);
  [[nodiscard]] bool gather_weights(const Poll& poll);
  [[nodiscard]] bool enqueue_optimiser(const Poll& poll);
  /// Begins when the compute stream reaches this point, and the compute stream goes on.
  [[nodiscard]] bool start(StreamCollective& collective, const Operation& operation,
                           const Poll& poll);
  /// The same, but the compute stream waits for it; `timer` measures the wait.
  [[nodiscard]] bool start_and_wait(StreamCollective& collective, const Operation& operation,
                                    WaitTimer& timer, const Poll& poll);
  /// The compute stream waits for all operations that were started.
  void join(StreamCollective& collective, WaitTimer& timer);
  void join_tensor();
  void join_transfers();
  [[nodiscard]] bool admit_operation(const Poll& poll);
  /// From the first half of Region::exchange into the second.
  [[nodiscard]] Operation exchange(CollectiveOp op, Bytes size) const;

  StreamCollectives gang_;
  const RankCommunication& split_;
  Arithmetic activations_;  ///< type of the data exchanged between launches
  Event ready_;             ///< of the operation that is started
  WaitTimer waits_;         ///< for exchanges among members of a group
  WaitTimer stage_waits_;   ///< for transfers between stages
  bool beside_ = false;     ///< a tensor collective runs beside the pass
};

}  // namespace mimus::kernels::cuda
