// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/live/world/live_cell.hpp"
#include "emulator/live/world/live_world.hpp"

namespace mimus::emulator {

/// How a worker must leave.
struct WorkerEnd {
  int exit_code = 0;
  bool ends_mpi = true;  ///< false: others have died and will not come to MPI_Finalize
};

/// Serves rank 0 on a worker rank until it says shutdown, and how. An error is reported to rank 0,
/// which ends the run.
[[nodiscard]] WorkerEnd run_worker(const LiveWorld& world, const CellSource& cells);

}  // namespace mimus::emulator
