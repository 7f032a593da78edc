// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/slice.hpp"
#include "emulator/run/runner.hpp"

namespace mimus::emulator {

/// What a run finds in its output folder before it starts.
struct DueCells {
  std::vector<int> to_run;  ///< unfinished ones, also where another process runs them now
  std::vector<int> failed;  ///< left alone: they would most likely fail again
};

/// The part of the cells that is this run's: as asked for, else a job array's task takes its share.
[[nodiscard]] Slice task_slice(const RunOptions& options);

/// Of the cells of that part, those that `options` names. UsageError when it names none, or asks to
/// resume what was never started.
[[nodiscard]] DueCells due_cells(const Campaign& campaign, const RunOptions& options);

/// Leaves the cells of the campaign in its folder as those of the last run, for who reads the
/// folder without the campaign.
void leave_last_run(const Campaign& campaign, const RunOptions& options);

/// Whether nobody else runs the cell or has completed it since the run began; says so if not.
[[nodiscard]] bool is_free(const std::string& folder, const Cell& cell, Rerun rerun);

/// What the exit code says when all that could be run has been: interrupted while other processes
/// still run cells of `due`, run_failed when failed ones were left alone. Both are explained.
[[nodiscard]] ExitCode what_is_left(const Campaign& campaign, const RunOptions& options,
                                    const DueCells& due);

/// Throws EnvironmentError when a process of this host runs a live cell of the campaign, whether it
/// is one of this run's or not: two live runs would take each other's cores, and both would measure
/// that.
void refuse_beside_live_run(const Campaign& campaign, const RunOptions& options);

}  // namespace mimus::emulator
