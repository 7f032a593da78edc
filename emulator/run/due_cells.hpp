// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/slice.hpp"
#include "emulator/run/runner.hpp"

namespace mimus::emulator {

/// The state of the output folder before a run starts.
struct DueCells {
  std::vector<int> to_run;  ///< unfinished ones, including those that another process runs now
  std::vector<int> failed;  ///< skipped, because they would most likely fail again
};

/// The cells of this run: the requested slice, else a job array task's share.
[[nodiscard]] Slice task_slice(const RunOptions& options);

/// Of these cells, those that `options` names. Throws UsageError when it names none, or asks to
/// resume a campaign that was never started.
[[nodiscard]] DueCells due_cells(const Campaign& campaign, const RunOptions& options);

/// Records the campaign's cells in its folder as those of the last run, for readers of the folder
/// that do not have the campaign.
void record_last_run(const Campaign& campaign, const RunOptions& options);

/// Whether no other process runs the cell or has completed it since the run began; logs it
/// otherwise.
[[nodiscard]] bool is_free(const std::string& folder, const Cell& cell, Rerun rerun);

/// The exit code when all possible cells have been run: interrupted if other processes still run
/// cells of `due`, run_failed if failed ones were skipped. Both are explained in the log.
[[nodiscard]] ExitCode exit_code_of_run(const Campaign& campaign, const RunOptions& options,
                                        const DueCells& due);

/// Throws EnvironmentError if a process of this host runs a live cell of the campaign, whether it
/// belongs to this run or not. Two live runs would compete for cores, and both would measure that.
void refuse_beside_live_run(const Campaign& campaign, const RunOptions& options);

}  // namespace mimus::emulator
