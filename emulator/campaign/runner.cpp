// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/runner.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "base/log.hpp"
#include "emulator/campaign/cell_run.hpp"
#include "emulator/campaign/virtual_pool.hpp"
#include "emulator/live/launcher.hpp"
#include "emulator/live/worker.hpp"
#include "emulator/stop_signal.hpp"
#include "results/reader.hpp"
#include "results/summary.hpp"

namespace mimus::emulator {
namespace {

std::string output_dir(const Campaign& campaign, const RunOptions& options) {
  return options.output_dir.empty() ? "mimus-results/" + campaign.name : options.output_dir;
}

bool is_complete(const std::string& path, const Cell& cell) {
  if (!std::filesystem::exists(path)) return false;
  const results::Reader reader(path);
  return reader.attribute("status") == "complete" &&
         reader.attribute("config_hash") == cell.config_hash;
}

bool is_wanted(const Cell& cell, const std::vector<std::string>& only) {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& prefix) {
           return cell.id.compare(0, prefix.size(), prefix) == 0;
         });
}

/// Indices of the cells to run. UsageError when `only` names none.
std::vector<int> cells_to_run(const Campaign& campaign, const RunOptions& options) {
  std::vector<int> due;
  bool any_wanted = false;
  for (std::size_t i = 0; i < campaign.cells.size(); ++i) {
    const Cell& cell = campaign.cells[i];
    if (!is_wanted(cell, options.only_cells)) continue;
    any_wanted = true;
    const std::string path = result_path(output_dir(campaign, options), cell);
    if (options.rerun || !is_complete(path, cell)) due.push_back(static_cast<int>(i));
  }
  if (!any_wanted) {
    std::vector<std::string> ids;
    for (const Cell& cell : campaign.cells) ids.push_back(cell.id);
    throw UsageError(unknown_name_message("cell", options.only_cells.front(), ids));
  }
  return due;
}

void print_summary(const Campaign& campaign, const RunOptions& options) {
  if (!options.summary) return;
  std::vector<results::CellSummary> summaries;
  for (const Cell& cell : campaign.cells) {
    const std::string path = result_path(output_dir(campaign, options), cell);
    if (is_complete(path, cell)) summaries.push_back(results::summarise(path));
  }
  if (options.json) {
    fmt::print("{}\n", results::to_json(summaries));
  } else {
    fmt::print("{}", results::format_table(summaries, options.table_width));
  }
  std::fflush(stdout);
}

/// Rank 0: all cells in turn. A cell that fails ends the run, because its workers are then in an
/// unknown state; the next run goes on with the cells that are left.
void run_cells(const Campaign& campaign, const RunOptions& options, const LiveWorld& world,
               const std::vector<int>& due) {
  const std::string folder = output_dir(campaign, options);
  std::filesystem::create_directories(folder);
  CampaignRun run{campaign,
                  options,
                  world,
                  folder,
                  Mailbox(world.mpi()),
                  BaselineCache(folder + "/solo-baselines.json")};
  log::info("{}", world.describe());
  log::info("{}: {} of {} cells to run, results in {}", campaign.name, due.size(),
            campaign.cells.size(), folder);
  ExitCode code = ExitCode::ok;
  try {
    for (const int index : due) run_cell(run, index);
  } catch (const InterruptedError& stopped) {
    log::warn("{}", stopped.what());
    code = ExitCode::interrupted;
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder + "/checkpoints", ignored);
  if (run.workers_stuck) world.mpi().abort(static_cast<int>(code));
  for (int rank = 1; rank < world.mpi().size(); ++rank) {
    run.mailbox.send(rank, Shutdown{static_cast<std::int32_t>(code)});
  }
  (void)run.mailbox.flush(std::chrono::seconds{5});
  if (code == ExitCode::interrupted) throw InterruptedError("");
}

int run_in_world(const Campaign& campaign, const RunOptions& options, const std::vector<int>& due) {
  const MpiWorld mpi;
  std::unique_ptr<LiveWorld> world;
  try {
    world = std::make_unique<LiveWorld>(mpi, world_shape(campaign));
  } catch (const EnvironmentError& error) {  // every rank finds the same; one of them says so
    if (mpi.rank() == 0) log::error("{}", error.what());
    return static_cast<int>(error.exit_code());
  }
  if (mpi.rank() != 0) {
    return run_worker(*world,
                      [&](int index) { return live_cell(campaign, index, world->shape()); });
  }
  install_stop_handlers();
  try {
    run_cells(campaign, options, *world, due);
  } catch (const InterruptedError&) {
    return static_cast<int>(ExitCode::interrupted);
  } catch (const Error& error) {
    log::error("{}", error.what());
    mpi.abort(static_cast<int>(error.exit_code()));
  } catch (const std::exception& error) {
    log::error("{}", error.what());
    mpi.abort(static_cast<int>(ExitCode::internal));
  }
  print_summary(campaign, options);
  return 0;
}

/// The cells of `due` that need MPI ranks, or those that do not.
std::vector<int> of_kind(const Campaign& campaign, const std::vector<int>& due,
                         EngineConfig::Kind kind) {
  std::vector<int> out;
  std::copy_if(due.begin(), due.end(), std::back_inserter(out), [&](int index) {
    return campaign.facts[static_cast<std::size_t>(index)].kind == kind;
  });
  return out;
}

int say_all_complete(const Campaign& campaign, const RunOptions& options) {
  log::info("{}: all {} cells are complete; --rerun runs them again", campaign.name,
            campaign.cells.size());
  print_summary(campaign, options);
  return 0;
}

/// What imports changed or left out, and keys without effect; each once.
void say_notes(const Campaign& campaign, const std::vector<int>& cells) {
  std::set<std::string> said;
  for (const int index : cells) {
    for (const std::string& note : campaign.facts[static_cast<std::size_t>(index)].notes) {
      if (said.insert(note).second) log::info("{}", note);
    }
  }
}

/// Virtual cells need no ranks. Where a launcher has started several, each takes its share.
int run_virtual(const Campaign& campaign, const RunOptions& options, const std::vector<int>& due) {
  install_stop_handlers();
  const std::string folder = output_dir(campaign, options);
  std::filesystem::create_directories(folder);
  const Slice slice = options.slice.value_or(launched_slice());
  if (slice.index == 0) say_notes(campaign, due);
  run_virtual_cells(campaign, options, folder, slice.share_of(due));
  if (slice.index == 0) print_summary(campaign, options);
  return 0;
}

int run_or_launch(const RunOptions& options) {
  const Campaign campaign = load_campaign(options.campaign_path, options.overrides);
  const std::vector<int> due = cells_to_run(campaign, options);
  if (options.dry_run) {
    for (const int index : due) {
      fmt::print("{}\n", campaign.cells[static_cast<std::size_t>(index)].id);
    }
    return 0;
  }
  if (due.empty() && !MpiWorld::launched()) return say_all_complete(campaign, options);
  const std::vector<int> live = of_kind(campaign, due, EngineConfig::Kind::live);
  const std::vector<int> without_ranks = of_kind(campaign, due, EngineConfig::Kind::virtual_time);
  if (!campaign.any_live()) return run_virtual(campaign, options, without_ranks);
  if (MpiWorld::launched()) return run_in_world(campaign, options, live);
  if (!without_ranks.empty()) (void)run_virtual(campaign, options, without_ranks);
  if (live.empty()) return 0;
  return launch_world(world_shape(campaign).ranks(), options.command_line, options.mpirun_args);
}

}  // namespace

int run_campaign(const RunOptions& options) {
  try {
    return run_or_launch(options);
  } catch (const Error& error) {  // every rank reads the same files: one of them says what is wrong
    if (MpiWorld::launched_rank() == 0) throw;
    return static_cast<int>(error.exit_code());
  }
}

}  // namespace mimus::emulator
