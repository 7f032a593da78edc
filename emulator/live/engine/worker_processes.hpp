// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "emulator/live/world/live_cell.hpp"
#include "emulator/live/world/live_world.hpp"

namespace mimus::emulator {

/// A worker process has died.
class WorkerLostError : public Error {
 public:
  explicit WorkerLostError(const std::string& message) : Error(ExitCode::run_failed, message) {}
};

/// Whether a cell continues when a worker has died: launcher and campaign must allow it.
[[nodiscard]] bool survives_losses(const EngineConfig& engine);

/// State of the workers' processes on rank 0: those of its own host from the process table, those
/// of other hosts from their messages. Ranks that the mailbox knows to be lost are left out.
class WorkerProcesses {
 public:
  /// `world` and `mailbox` must outlive it. A host that is silent for half of the `engine`'s stage
  /// timeout (wall time) is dead.
  WorkerProcesses(const LiveWorld& world, const Mailbox& mailbox, const EngineConfig& engine);

  struct Death {
    int rank = -1;
    std::string what;
  };

  [[nodiscard]] bool survives() const { return survives_; }
  void heard_from(int rank);
  /// The ranks that have died since the last ones were given to the mailbox.
  [[nodiscard]] std::vector<Death> deaths() const;
  /// A rank's death as reported by another rank of its host. Throws WorkerLostError if the cell
  /// does not survive it.
  [[nodiscard]] Death death_of(int rank, const std::string& doing) const;
  /// A worker of this host that is gone, if any: the launcher watches those of other hosts.
  [[nodiscard]] std::optional<int> lost() const;
  /// Throws WorkerLostError if a worker is gone, unless the run is being ended.
  void check() const;
  /// Throws InterruptedError if the run must stop.
  void throw_if_stopped() const;
  /// For messages about missing progress: "; stopped: rank 3 on ...", "" if none is.
  [[nodiscard]] std::string stopped() const;

 private:
  [[nodiscard]] std::int64_t pid(int rank) const;
  [[nodiscard]] int host_of(int rank) const;
  [[nodiscard]] std::string died(int rank, const std::string& where) const;

  const LiveWorld& world_;
  const Mailbox& mailbox_;
  bool survives_;
  Duration patience_;                       ///< with a host that is silent
  std::map<int, WallInstant> hosts_heard_;  ///< by number, because several may have equal names
};

}  // namespace mimus::emulator
