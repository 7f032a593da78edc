// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emulator/live/world/live_cell.hpp"
#include "emulator/live/world/live_world.hpp"

namespace mimus::emulator {

/// What the live cells of a campaign need of the machine.
struct CampaignNeeds {
  WorldShape world;
  std::vector<LiveCell> cells;
};

/// What `mimus doctor` was asked to do.
struct DoctorOptions {
  int ranks = 0;  ///< size of the world to try; 0 means a small one that fits this host
  std::optional<CampaignNeeds> campaign;  ///< whose world is tried in place of `ranks`
  double timeout_s = 20;                  ///< wall seconds each stage may take
  bool json = false;
  int verbosity = 0;
  std::vector<std::string> command_line;  ///< full argv; what an mpirun of our own starts again
};

/// Checks in stages whether this machine can run a campaign and names the stage and the rank that
/// fails or hangs. Returns the exit code of the process; throws Error.
[[nodiscard]] int run_doctor(const DoctorOptions& options);

}  // namespace mimus::emulator
