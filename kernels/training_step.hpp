// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "base/time.hpp"
#include "base/units.hpp"

namespace mimus::kernels {

/// How one (stretched) step went, on the wall clock.
struct StepOutcome {
  WallInstant begin;
  WallInstant end;
  /// Compute stream idle, waiting for gradient buckets or for what members that share layers
  /// exchange. Waiting for another stage of a pipeline does not count: that one computes.
  Duration exposed_communication{};
};

/// What the step is doing, for messages about waits that last too long.
enum class StepStage {
  idle,
  broadcast,
  compute,
  all_reduce,
  optimiser,
  input_copy,
  tensor_exchange,    ///< among the ranks that share layers
  pipeline_transfer,  ///< between stages
};
[[nodiscard]] const char* name(StepStage stage);

/// One data-parallel training step: forward, backward that releases gradient buckets in reverse
/// order, their all-reduce on a second stream, optimiser, and the next input's copy beside all
/// that.
class TrainingStep {
 public:
  /// Called between naps, at least every 5 ms; true abandons the step.
  using Poll = std::function<bool(WallInstant now)>;

  TrainingStep() = default;
  TrainingStep(const TrainingStep&) = delete;
  TrainingStep& operator=(const TrainingStep&) = delete;
  virtual ~TrainingStep() = default;

  /// Runs one step that begins at `begin`, which may lie a little in the past. Nothing when it was
  /// abandoned; device and collective are then unusable. PeerLostError when a member of the gang
  /// is gone.
  [[nodiscard]] virtual std::optional<StepOutcome> run(WallInstant begin, const Poll& poll) = 0;
  [[nodiscard]] virtual StepStage stage() const = 0;
  /// Between two steps: gives all members of the gang the first one's weights and optimiser state,
  /// so many bytes. False when it was abandoned; PeerLostError as run(). Steps of split models do
  /// not have it (InternalError).
  [[nodiscard]] virtual bool share_state(Bytes state, const Poll& poll);
};

}  // namespace mimus::kernels
