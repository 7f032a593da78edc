// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace mimus::emulator {

/// What a launched world is like.
struct WorldSettings {
  int ranks = 1;
  std::string extra_arguments = {};  ///< for mpirun
  /// Ranks go on when one of them dies; rank 0 says what comes of it.
  bool outlives_workers = false;
};

/// Starts `program` under an mpirun of its own with `ranks` ranks on this machine (or in the batch
/// system's allocation), waits for it and returns its exit code. Ctrl-C, SIGTERM, SIGHUP and
/// SIGUSR1 reach rank 0 as SIGUSR1, so that it can end the run in good order; a second Ctrl-C,
/// SIGTERM or SIGHUP kills the mpirun. `on_rank_0` is called, in a thread of its own, when rank 0
/// has come to life on its host. What the ranks, mpirun and MPI write to stderr is passed on once
/// the world is formed: where a rank dies before, what has happened is said first.
/// ExitCode::environment when there is no mpirun, or when it fails without a rank 0. A world that
/// outlives workers is started again where one of them dies before all of them answer to rank 0.
[[nodiscard]] int launch_world(const WorldSettings& world, const std::vector<std::string>& program,
                               const std::function<void()>& on_rank_0 = {});

/// To be called first by every rank of a launched world; elsewhere it does nothing.
void greet_launcher();
/// By rank 0, when all ranks answer to it; where nothing has launched it it does nothing.
void tell_world_is_formed();

/// Ends the mpirun of launch_world(), by force if need be. For signal handlers, too.
void end_world() noexcept;

/// The mpirun command of the above; for --dry-run and for tests. Settings that matter are
/// environment variables, which the caller's own values override.
[[nodiscard]] std::vector<std::string> launch_command(const WorldSettings& world,
                                                      const std::vector<std::string>& program);

}  // namespace mimus::emulator
