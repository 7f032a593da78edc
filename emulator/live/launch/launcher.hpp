// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace mimus::emulator {

/// Properties of a launched world.
struct WorldSettings {
  int ranks = 1;
  std::string extra_arguments = {};  ///< for mpirun
  /// Ranks continue when one of them dies; rank 0 reports the consequences.
  bool outlives_workers = false;
};

/// Starts `program` under its own mpirun with `ranks` ranks on this machine (or in the batch
/// system's allocation), waits for it and returns its exit code. Ctrl-C, SIGTERM, SIGHUP and
/// SIGUSR1 reach rank 0 as SIGUSR1, so that it can end the run in good order; a second Ctrl-C,
/// SIGTERM or SIGHUP kills the mpirun. `on_rank_0` is called, in its own thread, when rank 0 has
/// started on its host. What the ranks, mpirun and MPI write to stderr is passed on when the world
/// is formed; if a rank dies before, a message about it comes first. Returns ExitCode::environment
/// if there is no mpirun, or if it fails without a rank 0. A world that outlives workers is started
/// again if one of them dies before all of them answer to rank 0.
[[nodiscard]] int launch_world(const WorldSettings& world, const std::vector<std::string>& program,
                               const std::function<void()>& on_rank_0 = {});

/// Must be called first by every rank of a launched world; no effect elsewhere.
void greet_launcher();
/// Called by rank 0 when all ranks answer to it; no effect in a world that was not launched by
/// Mimus. Does not return if the launcher is ending the world, because one of them has died.
void tell_world_is_formed();

/// Ends the mpirun of launch_world(), by force if necessary. For signal handlers, too.
void end_world() noexcept;

/// The mpirun command of the above; for --dry-run and for tests. Settings that matter are
/// environment variables, which the caller's own values override.
[[nodiscard]] std::vector<std::string> launch_command(const WorldSettings& world,
                                                      const std::vector<std::string>& program);

}  // namespace mimus::emulator
