// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

enum class CellState {
  done,         ///< a complete result of this very configuration
  failed,       ///< ended with its own error; runs again only on request
  interrupted,  ///< stopped or killed from outside; runs again
  running,      ///< some process holds its file
  stale,        ///< a result of another configuration is in its place; runs
  waiting,      ///< nothing yet
};
[[nodiscard]] const char* name(CellState state);

/// The state of a cell from its result file.
struct CellStatus {
  CellState state = CellState::waiting;
  std::string file;    ///< "" when there is none
  std::string detail;  ///< why it failed, which process runs it, or what is stale
  std::string host;    ///< running: where
  // How far it is; cell_progress() alone reads that.
  std::optional<std::int64_t> jobs_ended;
  std::optional<Duration> wall;       ///< spent on it so far
  std::optional<Duration> simulated;  ///< emulated time when its last job so far ended
};

/// The result folder of a campaign: `given`, or mimus-results/<name> if that is empty.
[[nodiscard]] std::string output_folder(const Campaign& campaign, const std::string& given);

/// The result file of a cell.
[[nodiscard]] std::string result_path(const std::string& output_dir, const Cell& cell);

/// The cell as its own file shows it at this moment. A file that cannot be read is a failed cell
/// with the reason, or an interrupted one when its writer died before the first flush.
[[nodiscard]] CellStatus cell_status(const std::string& output_dir, const Cell& cell);

/// The same with the cell's progress, for which the file's totals are read.
[[nodiscard]] CellStatus cell_progress(const std::string& output_dir, const Cell& cell);

/// Names of the result files in a folder, finished or `.part`; none when there is no such folder.
[[nodiscard]] std::set<std::string> result_files_in(const std::string& folder);

/// The file among `names` that a cell of the same number, label and repetition with another
/// configuration has left, "" when there is none.
[[nodiscard]] std::string stale_file(const std::set<std::string>& names, const Cell& cell);

}  // namespace mimus::emulator
