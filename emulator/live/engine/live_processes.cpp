// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What rank 0 sees of the workers' processes, and of signals that end the run.
#include <fmt/format.h>

#include "emulator/live/engine/live_engine.hpp"
#include "emulator/live/mpi/process_state.hpp"
#include "emulator/live/world/launch_note.hpp"
#include "emulator/stop_signal.hpp"

namespace mimus::emulator {

/// Who died by itself goes before those that the launcher has ended since.
std::optional<int> LiveEngine::lost_worker() const {
  std::optional<int> ended;
  for (int rank = 1; rank < world_.mpi().size(); ++rank) {
    const RankStatus& status = world_.host().statuses()[static_cast<std::size_t>(rank)];
    if (mailbox_.is_lost(rank) || status.pid == 0 || !is_gone(status.pid)) continue;
    if (status.told_to_end == 0) return rank;
    if (!ended) ended = rank;
  }
  return ended;
}

/// A launcher ends all ranks when one of them has died, and also when it is told to end.
void LiveEngine::check_processes() const {
  const std::optional<int> lost = lost_worker();
  if (!lost) return;
  const RankStatus& status = world_.host().statuses()[static_cast<std::size_t>(*lost)];
  if (status.told_to_end != 0 && stop_signal() != 0) return;
  throw WorkerLostError(died(*lost, world_.where_is(*lost)) + kResume);
}

void LiveEngine::heed_stop_signal() const {
  if (stop_signal() == 0) return;
  if (!survives_) check_processes();
  throw InterruptedError(stop_text(users_stop_signal()));
}

std::string LiveEngine::stopped_workers() const {
  std::string out;
  for (int rank = 1; rank < world_.mpi().size(); ++rank) {
    const std::int64_t pid = world_.host().statuses()[static_cast<std::size_t>(rank)].pid;
    if (pid == 0 || !is_stopped(pid)) continue;
    out += (out.empty() ? "; stopped by a signal: " : ", ") + world_.where_is(rank);
  }
  return out;
}

}  // namespace mimus::emulator
