// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/live/live_cell.hpp"
#include "emulator/live/live_world.hpp"

namespace mimus::emulator {

/// Serves rank 0 on a worker rank until it says shutdown; returns the exit code it named. An error
/// is reported to rank 0, which ends the run.
[[nodiscard]] int run_worker(const LiveWorld& world, const CellSource& cells);

}  // namespace mimus::emulator
