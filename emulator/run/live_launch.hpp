// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "emulator/run/runner.hpp"

namespace mimus::emulator {

/// Outside MPI, after the virtual cells: starts a world in which every rank runs this command
/// again. Returns its exit code. Throws UsageError if the campaign is not a file, and
/// EnvironmentError if another live run into the folder uses this machine.
[[nodiscard]] int launch_live_cells(const Campaign& campaign, const RunOptions& options);

/// On rank 0: warns if a cell should survive the death of a worker but the launcher does not allow
/// it.
void warn_if_losses_end_the_run(const Campaign& campaign, const std::vector<int>& live);

/// Whether this is a rank of such a world, before whose launch the virtual cells were run.
[[nodiscard]] bool virtual_cells_are_done();

}  // namespace mimus::emulator
