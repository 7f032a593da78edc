// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/host_ordered/host_ordered_device.hpp"
#include "kernels/host_ordered/host_ordered_streams.hpp"
#include "kernels/host_ordered_collective.hpp"
#include "kernels/training_step.hpp"

namespace mimus::kernels {

/// A step whose streams the host orders.
class HostOrderedStep final : public TrainingStep {
 public:
  /// `collective` may be null for a single replica, or is only told what the replica does. All must
  /// outlive this object.
  HostOrderedStep(HostOrderedDevice& device, HostOrderedCollective* collective,
                  const FootprintPlan& plan);

  [[nodiscard]] std::optional<StepOutcome> run(WallInstant begin, const Poll& poll) override;
  [[nodiscard]] StepStage stage() const override { return streams_.stage(); }
  [[nodiscard]] std::optional<WallInstant> share_state(Bytes state, WallInstant ready,
                                                       const Poll& poll) override;

 private:
  [[nodiscard]] bool micro_batch(bool reduce, const Poll& poll);
  [[nodiscard]] bool broadcast_buffers(const Poll& poll);
  void release_buckets();
  [[nodiscard]] std::int64_t next_release() const;
  [[nodiscard]] bool reduced() const;
  [[nodiscard]] bool wait(StepStage stage, const Poll& poll, const std::function<bool()>& done);

  HostOrderedDevice& device_;
  HostOrderedCollective* collective_;  ///< null if there is nothing to exchange
  const FootprintPlan& plan_;
  HostOrderedStreams streams_;
  bool reducing_ = false;            ///< this backward pass releases buckets
  std::int64_t backward_first_ = 0;  ///< number of the first backward segment in the stream
  std::int64_t segments_seen_ = 0;   ///< completed segments whose buckets are released
  std::int64_t last_transfer_ = 0;
};

}  // namespace mimus::kernels
