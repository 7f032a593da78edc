// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/due_cells.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/folder.hpp"
#include "base/log.hpp"
#include "emulator/campaign/status/cell_state.hpp"
#include "emulator/run/provenance.hpp"
#include "results/campaign/last_run.hpp"

namespace mimus::emulator {
namespace {

bool is_wanted(const Cell& cell, const std::vector<std::string>& only) {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& prefix) {
           return cell.id.compare(0, prefix.size(), prefix) == 0;
         });
}

[[noreturn]] void refuse_names(const Campaign& campaign, const RunOptions& options) {
  std::vector<std::string> ids;
  for (const Cell& cell : campaign.cells) ids.push_back(cell.id);
  throw UsageError(unknown_name_message("cell", options.only_cells.front(), ids));
}

[[noreturn]] void refuse_resume(const Campaign& campaign, const std::string& folder) {
  throw UsageError(
      fmt::format("nothing to resume: {} holds no result of campaign \"{}\" with these settings; "
                  "start it with mimus campaign run, or name its folder with -o",
                  folder, campaign.name));
}

const Cell& at(const Campaign& campaign, int index) {
  return campaign.cells[static_cast<std::size_t>(index)];
}

}  // namespace

Slice task_slice(const RunOptions& options) {
  return options.slice.value_or(launched_task());
}

DueCells due_cells(const Campaign& campaign, const RunOptions& options) {
  const std::string folder = output_folder(campaign, options.output_dir);
  std::vector<int> wanted;
  for (std::size_t i = 0; i < campaign.cells.size(); ++i) {
    if (is_wanted(campaign.cells[i], options.only_cells)) wanted.push_back(static_cast<int>(i));
  }
  if (wanted.empty()) refuse_names(campaign, options);
  DueCells due;
  bool any_begun = false;
  for (const int index : task_slice(options).share_of(wanted)) {
    const Cell& cell = at(campaign, index);
    const CellState state = cell_status(folder, cell).state;
    any_begun = any_begun || state != CellState::waiting;
    const bool is_done = state == CellState::done;
    const bool has_failed = state == CellState::failed;
    const bool leave =
        (is_done && options.rerun != Rerun::all) || (has_failed && options.rerun == Rerun::none);
    if (!leave) due.to_run.push_back(index);
    if (leave && has_failed) due.failed.push_back(index);
  }
  if (options.resume && !any_begun) refuse_resume(campaign, folder);
  return due;
}

void record_last_run(const Campaign& campaign, const RunOptions& options) {
  const std::string folder = output_folder(campaign, options.output_dir);
  std::vector<std::string> cells;
  for (const Cell& cell : campaign.cells) cells.push_back(cell.id);
  create_folder(folder);
  try {
    results::record_last_run(folder, campaign.name, cells);
  } catch (const IoError& error) {
    log::warn("{}", error.what());
  }
}

bool is_free(const std::string& folder, const Cell& cell, Rerun rerun) {
  const CellStatus status = cell_status(folder, cell);
  if (status.state == CellState::running) {
    log::warn("{}: skipped, because it is being run {}", cell.id, status.detail);
    return false;
  }
  if (status.state == CellState::done && rerun != Rerun::all) {
    log::info("{}: skipped, because another run has completed it", cell.id);
    return false;
  }
  if (status.state == CellState::failed && rerun == Rerun::none) {
    log::warn("{}: skipped, because it has failed in another run: {}", cell.id, status.detail);
    return false;
  }
  return true;
}

ExitCode exit_code_of_run(const Campaign& campaign, const RunOptions& options,
                          const DueCells& due) {
  const std::string folder = output_folder(campaign, options.output_dir);
  std::vector<int> failed = due.failed;
  int elsewhere = 0;
  for (const int index : due.to_run) {
    const CellState state = cell_status(folder, at(campaign, index)).state;
    if (state == CellState::failed) failed.push_back(index);
    if (state == CellState::running) ++elsewhere;
  }
  if (!failed.empty()) {
    const Cell& first = at(campaign, failed.front());
    log::error("{} of {} cells failed {} and were skipped; {}: {}; --rerun failed runs them again",
               failed.size(), campaign.cells.size(),
               due.failed.empty() ? "in another run" : "before", first.id,
               cell_status(folder, first).detail);
  }
  if (elsewhere > 0) {
    log::warn("{} cells are still being run by other processes; see mimus campaign status",
              elsewhere);
    return ExitCode::interrupted;
  }
  return failed.empty() ? ExitCode::ok : ExitCode::run_failed;
}

void refuse_beside_live_run(const Campaign& campaign, const RunOptions& options) {
  const std::string folder = output_folder(campaign, options.output_dir);
  for (std::size_t i = 0; i < campaign.cells.size(); ++i) {
    if (campaign.facts[i].kind != EngineConfig::Kind::live) continue;
    const CellStatus status = cell_status(folder, campaign.cells[i]);
    if (status.state != CellState::running || status.host != host_name()) continue;
    throw EnvironmentError(
        fmt::format("cell {} is being run {}; two live runs on one machine would take each other's "
                    "cores: wait for it, or stop it",
                    campaign.cells[i].id, status.detail));
  }
}

}  // namespace mimus::emulator
