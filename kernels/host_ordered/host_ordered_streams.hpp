// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "kernels/host_ordered/host_ordered_device.hpp"
#include "kernels/host_ordered_collective.hpp"
#include "kernels/training_step.hpp"

namespace mimus::kernels {

/// All streams that the host of one step looks after: the device's and those of its communication.
/// One thread advances them all, so that communication progresses while kernels are paced and any
/// wait can be abandoned.
class HostOrderedStreams {
 public:
  /// All must outlive this object.
  HostOrderedStreams(HostOrderedDevice& device, std::vector<HostOrderedCollective*> collectives)
      : device_(device), collectives_(std::move(collectives)) {}

  [[nodiscard]] StepStage stage() const { return stage_; }
  void leave_stage() { stage_ = StepStage::idle; }
  /// No operation is enqueued before the device has completed segment `number`.
  void nothing_before(std::int64_t number) { nothing_before_ = number; }

  /// Advances everything until `done` holds; false when `poll` abandons it. `after_device` is
  /// called each time the device may have completed a segment.
  [[nodiscard]] bool wait(StepStage stage, const TrainingStep::Poll& poll,
                          const std::function<bool()>& done,
                          const std::function<void()>& after_device = {});

 private:
  void nap(WallInstant now);
  void tell_who_shares_links(WallInstant now);
  void tell_who_shares_device(WallInstant now);
  [[nodiscard]] WallInstant wake(WallInstant now) const;
  [[nodiscard]] WallInstant due(WallInstant now) const;
  [[nodiscard]] WallInstant seen_from() const;
  [[nodiscard]] Duration slack() const;

  HostOrderedDevice& device_;
  std::vector<HostOrderedCollective*> collectives_;
  StepStage stage_ = StepStage::idle;
  std::int64_t nothing_before_ = 0;
};

}  // namespace mimus::kernels
