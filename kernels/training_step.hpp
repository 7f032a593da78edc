// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "base/time.hpp"
#include "base/units.hpp"

namespace mimus::kernels {

/// The outcome of one (stretched) step, on the wall clock.
struct StepOutcome {
  WallInstant begin;
  WallInstant end;
  /// Time in which the compute stream is idle, waiting for gradient buckets or for exchanges among
  /// members that share layers. Waiting for another stage of a pipeline does not count, because
  /// that stage computes.
  Duration exposed_communication{};
};

/// The current part of the step, for messages about waits that last too long.
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
/// order, their all-reduce on a second stream, optimiser, and the next input's copy meanwhile.
class TrainingStep {
 public:
  /// Called between naps, at least every 5 ms; true abandons the step.
  using Poll = std::function<bool(WallInstant now)>;

  TrainingStep() = default;
  TrainingStep(const TrainingStep&) = delete;
  TrainingStep& operator=(const TrainingStep&) = delete;
  virtual ~TrainingStep() = default;

  /// Runs one step that begins at `begin`, which may be slightly in the past. Returns nothing if it
  /// was abandoned; device and collective are then unusable. Throws PeerLostError if a member of
  /// the gang is gone.
  [[nodiscard]] virtual std::optional<StepOutcome> run(WallInstant begin, const Poll& poll) = 0;
  [[nodiscard]] virtual StepStage stage() const = 0;
  /// Between two steps: gives all members of the gang the first member's weights and optimiser
  /// state, `state` bytes. `ready`: when this member is, which may be slightly in the past. Returns
  /// when all members have the state, or nothing if it was abandoned; throws PeerLostError like
  /// run(). Steps of split models do not support it (InternalError).
  [[nodiscard]] virtual std::optional<WallInstant> share_state(Bytes state, WallInstant ready,
                                                               const Poll& poll);
};

}  // namespace mimus::kernels
