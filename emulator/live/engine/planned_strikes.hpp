// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/live/engine/live_state.hpp"
#include "emulator/live/engine/worker_reports.hpp"
#include "emulator/live/engine/worker_watch.hpp"

namespace mimus::emulator {

/// What ends attempts of a live cell from outside, at instants that rank 0 knows beforehand: nodes
/// that go down or have a fault, and failures that are planned for an instant. No process dies:
/// workers leave what they run. The GPUs of a node that is down are given nothing until it is up.
class PlannedStrikes {
 public:
  /// All must outlive it.
  PlannedStrikes(LiveState& state, WorkerReports& reports, WorkerWatch& watch)
      : state_(state), reports_(reports), watch_(watch) {}

  /// The instant on the ranks' clock beyond which the attempt must not get, in nanoseconds; 0:
  /// none.
  [[nodiscard]] std::int64_t cut_of(const Attempt& attempt) const;
  /// When the next one strikes; kNever: none does while the engine waits until `deadline`.
  [[nodiscard]] Instant next(Instant deadline) const;
  /// Carries out all that strike at `at`. All events before must have been passed on.
  void strike(Instant at);

 private:
  void hit(NodeId node, scheduler::EndReason reason, const std::string& detail);
  void cut_off(AttemptId attempt, const AbandonedAttempts::Cause& cause);
  void await_cut_off(const std::vector<AttemptId>& attempts);

  LiveState& state_;
  WorkerReports& reports_;
  WorkerWatch& watch_;
};

}  // namespace mimus::emulator
