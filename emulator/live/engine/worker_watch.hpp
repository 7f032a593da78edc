// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/live/engine/live_state.hpp"

namespace mimus::emulator {

/// Watches over the worker processes of a live cell, and lets the cell continue when one has died:
/// its GPU is lost, attempts on the GPU end, and the other members of their gangs become available
/// again.
class WorkerWatch {
 public:
  explicit WorkerWatch(LiveState& state) : state_(state) {}

  /// A worker has sent this message, so it is alive.
  void heard_from(const Envelope& envelope);
  /// Looks for deaths and for gangs that are stuck, a few times a second however often it is
  /// called. Throws TimeoutError if an attempt has not reported for twice the stage timeout.
  void look(WallInstant wall);
  /// Takes the GPU of a rank that has died of `what` out of the cluster.
  void lose_gpu_of(int rank, const std::string& what);
  /// Ends abandoned attempts all of whose members have freed what they held.
  void end_abandoned();

 private:
  void look_for_losses();
  void throw_if_silent(WallInstant wall) const;
  void lose(const WorkerProcesses::Death& death);
  void abandon_with(int rank, const std::string& what);

  LiveState& state_;
  WallInstant last_look_{};
};

}  // namespace mimus::emulator
