// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/host_ordered/host_ordered_device.hpp"
#include "kernels/host_ordered/host_ordered_streams.hpp"
#include "kernels/host_ordered_collective.hpp"
#include "kernels/parallel/rank_communication.hpp"
#include "kernels/training_step.hpp"

namespace mimus::kernels {

/// GangCollectives for a device that the host orders.
struct HostOrderedGang {
  /// Throws InternalError if one of them is of another kind.
  explicit HostOrderedGang(const GangCollectives& gang);
  [[nodiscard]] HostOrderedCollective& of(ParallelGroup group) const;
  [[nodiscard]] std::vector<HostOrderedCollective*> all() const;

  HostOrderedCollective *data, *tensor, *tied;
  HostOrderedCollective *activations_in, *activations_out, *gradients_in, *gradients_out;
};

/// A step of one rank of a split model whose streams the host orders: passes of micro-batches in
/// the order of the pipeline's schedule, with the exchanges of its groups in between.
class HostOrderedSplitStep final : public TrainingStep {
 public:
  /// `plan` is that of a split model. All must outlive this object.
  HostOrderedSplitStep(HostOrderedDevice& device, const HostOrderedGang& gang,
                       const FootprintPlan& plan);

  [[nodiscard]] std::optional<StepOutcome> run(WallInstant begin, const Poll& poll) override;
  [[nodiscard]] StepStage stage() const override { return streams_.stage(); }

 private:
  // Functions that can be abandoned return false when they are.
  [[nodiscard]] bool take(const PipelineAction& action);
  [[nodiscard]] bool receive(HostOrderedCollective* from);
  [[nodiscard]] bool send(HostOrderedCollective* to);
  [[nodiscard]] bool pass(const std::vector<Segment>& segments,
                          std::span<const ScheduledCollective> among,
                          std::span<const ScheduledCollective> reductions);
  [[nodiscard]] bool compute(std::span<const Segment> segments);
  [[nodiscard]] bool sum_gradients();
  [[nodiscard]] bool update_weights();
  [[nodiscard]] bool end_transfers();

  void enqueue(HostOrderedCollective& on, CollectiveOp op, Bytes size);
  /// Compute continues when the group's communication has finished all its operations; the wait is
  /// exposed.
  [[nodiscard]] bool await(ParallelGroup group, StepStage stage);
  [[nodiscard]] bool wait_for(const HostOrderedCollective& communication, StepStage stage);
  [[nodiscard]] bool wait(StepStage stage, const std::function<bool()>& done) {
    return streams_.wait(stage, *poll_, done);
  }
  /// When the compute stream has nothing left to do or to wait for.
  [[nodiscard]] WallInstant ready() const;
  void align(WallInstant at);

  HostOrderedDevice& device_;
  HostOrderedGang gang_;
  const FootprintPlan& plan_;
  const RankCommunication& split_;
  HostOrderedStreams streams_;
  std::map<const HostOrderedCollective*, std::int64_t> last_;  ///< operation that each was given
  const Poll* poll_ = nullptr;                                 ///< of the present run
  WallInstant aligned_{};                                      ///< the latest wait's end
  Duration exposed_{};                                         ///< in the present run
};

}  // namespace mimus::kernels
