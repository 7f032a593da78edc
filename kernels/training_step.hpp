// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "kernels/collective.hpp"
#include "kernels/device.hpp"
#include "kernels/footprint_plan.hpp"

namespace mimus::kernels {

/// How one (stretched) step went, on the wall clock.
struct StepOutcome {
  WallInstant begin;
  WallInstant end;
  Duration exposed_communication{};  ///< compute stream idle, waiting for gradient buckets
};

/// What the step is doing, for messages about waits that last too long.
enum class StepStage { idle, broadcast, compute, all_reduce, optimiser, input_copy };
[[nodiscard]] const char* name(StepStage stage);

/// One data-parallel training step over the seams Device and Collective: forward, backward that
/// releases gradient buckets in reverse order, their all-reduce on a second stream, optimiser, and
/// the next input's copy beside all that. One thread looks after every stream, so communication
/// progresses while kernels are paced and any wait can be abandoned.
class TrainingStep {
 public:
  /// Called between naps, at least every 5 ms; true abandons the step.
  using Poll = std::function<bool(WallInstant now)>;

  /// `collective` may be null for a single replica. All must outlive this object.
  TrainingStep(Device& device, Collective* collective, const FootprintPlan& plan);

  /// Runs one step that begins at `begin`, which may lie a little in the past. Nothing when it was
  /// abandoned; device and collective are then unusable.
  [[nodiscard]] std::optional<StepOutcome> run(WallInstant begin, const Poll& poll);
  [[nodiscard]] StepStage stage() const { return stage_; }

 private:
  [[nodiscard]] bool micro_batch(bool reduce, const Poll& poll);
  [[nodiscard]] bool broadcast_buffers(const Poll& poll);
  void release_buckets();
  [[nodiscard]] bool reduced() const;
  /// Progresses everything until `done` holds; false when abandoned.
  template <class Done>
  [[nodiscard]] bool wait(StepStage stage, const Poll& poll, Done done);

  Device& device_;
  Collective* collective_;
  const FootprintPlan& plan_;
  StepStage stage_ = StepStage::idle;
  bool reducing_ = false;            ///< this backward pass releases buckets
  std::int64_t backward_first_ = 0;  ///< number of the first backward segment in the stream
  std::int64_t segments_seen_ = 0;   ///< completed segments whose buckets are released
  std::int64_t last_transfer_ = 0;
};

}  // namespace mimus::kernels
