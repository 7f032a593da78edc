// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "emulator/run/runner.hpp"

namespace mimus::emulator {

/// Outside MPI, after the virtual cells: a world of our own, in which every rank starts this
/// command again. Returns its exit code. UsageError when the campaign is not a file;
/// EnvironmentError when another live run into the folder has this machine.
[[nodiscard]] int launch_live_cells(const Campaign& campaign, const RunOptions& options);

/// On rank 0: where a cell is to go on when a worker dies, and the launcher does not let it.
void warn_if_losses_end_the_run(const Campaign& campaign, const std::vector<int>& live);

/// Whether this is a rank of such a world: the virtual cells have been run before it was launched.
[[nodiscard]] bool virtual_cells_are_done();

}  // namespace mimus::emulator
