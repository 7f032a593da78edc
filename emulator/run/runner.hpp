// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/slice.hpp"
#include "results/summary/summary.hpp"

namespace mimus::emulator {

/// Which cells run besides those that are unfinished.
enum class Rerun { none, failed, all };

/// The options of `mimus run`.
struct RunOptions {
  std::string campaign_path;
  std::vector<Override> overrides;
  std::string output_dir;               ///< "" means "mimus-results/<campaign name>"
  std::vector<std::string> only_cells;  ///< cell ids, or leading parts of them; all when empty
  Rerun rerun = Rerun::none;
  bool resume = false;    ///< refuse a campaign that was never started
  bool summary = true;    ///< print the table or document when done
  bool json = false;      ///< one JSON document on stdout in place of the table
  bool dry_run = false;   ///< load, check and print what would run
  int table_width = 120;  ///< columns of the printed table
  results::TableRows table_rows = results::TableRows::cells;
  int verbosity = 0;                      ///< -1 quiet, 0 normal, 1 and more: detail
  std::vector<std::string> command_line;  ///< full argv; an mpirun started by Mimus runs it again
  std::string mpirun_args;                ///< extra arguments for that mpirun
  int jobs = 0;                           ///< virtual cells at a time; 0 for one per core
  std::optional<Slice> slice;  ///< of the cells; if none, the share of a job array's task
};

/// Loads the campaign and runs its cells, each into its own result file. Outside MPI it starts its
/// own mpirun with a world that fits the largest cell. Several runs may share one campaign: each
/// skips the cells that another one runs. Returns the exit code of the process on every rank;
/// throws Error.
[[nodiscard]] int run_campaign(const RunOptions& options);

}  // namespace mimus::emulator
