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

/// Whether a cell goes on when a worker has died: the launcher has to let it, and the campaign.
[[nodiscard]] bool survives_losses(const EngineConfig& engine);

/// What rank 0 sees of the workers' processes: those of its own host in the process table, those of
/// other hosts by what is heard from there. Ranks that the mailbox knows to be lost are left out.
class WorkerProcesses {
 public:
  /// `world` and `mailbox` must outlive it. A host of which nothing is heard for half of the
  /// `engine`'s stage timeout (wall time) is dead.
  WorkerProcesses(const LiveWorld& world, const Mailbox& mailbox, const EngineConfig& engine);

  struct Death {
    int rank = -1;
    std::string what;
  };

  [[nodiscard]] bool survives() const { return survives_; }
  void heard_from(int rank);
  /// Who has died since the last ones were given to the mailbox.
  [[nodiscard]] std::vector<Death> deaths() const;
  /// What another rank of its host says of a rank. WorkerLostError where the cell does not survive
  /// that.
  [[nodiscard]] Death death_of(int rank, const std::string& doing) const;
  /// A worker of this host that is gone, if any: the launcher watches those of other hosts.
  [[nodiscard]] std::optional<int> lost() const;
  /// WorkerLostError when a worker is gone, unless the run is being ended.
  void check() const;
  /// InterruptedError when the run is to stop.
  void throw_if_stopped() const;
  /// For messages about what does not get on: "; stopped: rank 3 on ...", "" when none is.
  [[nodiscard]] std::string stopped() const;

 private:
  [[nodiscard]] std::int64_t pid(int rank) const;
  [[nodiscard]] int host_of(int rank) const;
  [[nodiscard]] std::string died(int rank, const std::string& where) const;

  const LiveWorld& world_;
  const Mailbox& mailbox_;
  bool survives_;
  Duration patience_;                       ///< with a host that is silent
  std::map<int, WallInstant> hosts_heard_;  ///< by number: names of several may be alike
};

}  // namespace mimus::emulator
