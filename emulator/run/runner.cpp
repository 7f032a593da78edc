// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/runner.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "base/folder.hpp"
#include "base/log.hpp"
#include "emulator/campaign/check/cuda_check.hpp"
#include "emulator/campaign/measure.hpp"
#include "emulator/live/launch/launcher.hpp"
#include "emulator/live/mpi/rank_meeting.hpp"
#include "emulator/live/mpi/survival.hpp"
#include "emulator/live/worker/worker.hpp"
#include "emulator/live/world/mps_session.hpp"
#include "emulator/live/world/shared_devices.hpp"
#include "emulator/live/world/world_end.hpp"
#include "emulator/run/cell_run.hpp"
#include "emulator/run/due_cells.hpp"
#include "emulator/run/live_launch.hpp"
#include "emulator/run/virtual_pool.hpp"
#include "emulator/stop_signal.hpp"
#include "results/file/file_lock.hpp"
#include "results/summary/summary.hpp"

namespace mimus::emulator {
namespace {

void print_summary(const Campaign& campaign, const RunOptions& options) {
  if (!options.summary) return;
  std::vector<results::CellSummary> summaries;
  for (const Cell& cell : campaign.cells) {
    const CellStatus status = cell_status(output_folder(campaign, options.output_dir), cell);
    if (status.state != CellState::done) continue;
    try {
      summaries.push_back(results::summarise(status.file, campaign.measure));
    } catch (const IoError& error) {  // a damaged file must not hide the others
      log::warn("left out: {}", error.what());
    }
  }
  if (options.json) {
    fmt::print("{}\n", results::to_json(summaries));
  } else {
    fmt::print("{}", results::format_table(summaries, options.table_width, options.table_rows));
  }
  std::fflush(stdout);
  warn_of_short_windows(summaries);
  warn_of_emptying_clusters(summaries);
  point_out_drain(summaries);
  warn_of_recorded_window(campaign, summaries);
}

/// Runs one cell after another. Leaves out cells that another process has taken.
void run_in_turn(CampaignRun& run, const std::vector<int>& cells) {
  for (const int index : cells) {
    const Cell& cell = run.campaign.cells[static_cast<std::size_t>(index)];
    if (!is_free(run.output_dir, cell, run.options.rerun)) continue;
    try {
      run_cell(run, index);
    } catch (const results::TakenError& taken) {
      log::warn("{}: skipped: {}", cell.id, taken.what());
    }
  }
}

/// The longest wall time that a wait for a worker may take.
Duration longest_wait(const Campaign& campaign, const std::vector<int>& live,
                      const WorldShape& world) {
  Duration longest{};
  for (const int index : live) {
    longest = std::max(longest, live_cell(campaign, index, world).engine.stage_timeout);
  }
  return longest;
}

/// How the cells of a live run ended.
struct RunEnd {
  ExitCode code = ExitCode::ok;
  bool stopped = false;   ///< on request
  bool all_left = false;  ///< otherwise MPI_Finalize would hang
  bool some_died = false;
};

/// Rank 0: runs all cells in turn. A cell that fails ends the run, because its workers are then in
/// an unknown state. The next run continues with the remaining cells.
RunEnd run_cells(const Campaign& campaign, const RunOptions& options, const LiveWorld& world,
                 const DueCells& due, const std::vector<int>& live) {
  const std::string folder = output_folder(campaign, options.output_dir);
  create_folder(folder);
  CampaignRun run{campaign,
                  options,
                  world,
                  folder,
                  Mailbox(world.mpi()),
                  BaselineCache(folder + "/solo-baselines.json")};
  log::info("{}", world.describe());
  log::info("{}: {} of {} cells to run, results in {}", campaign.name, live.size(),
            campaign.cells.size(), folder);
  RunEnd end;
  const Duration patience = longest_wait(campaign, live, world.shape());
  await_service(world, run.mailbox, patience);
  tell_world_is_formed();
  warn_if_losses_end_the_run(campaign, live);
  install_stop_handlers();
  try {
    run_in_turn(run, live);
    end.code = exit_code_of_run(campaign, options, due);
  } catch (const InterruptedError& stopped) {
    log::warn("{}", stopped.what());
    end.stopped = true;
    end.code = ExitCode::interrupted;
  }
  end.all_left = !run.workers_stuck && dismiss_workers(world, run.mailbox, end.code, patience);
  end.some_died = !run.mailbox.lost().empty();
  return end;
}

/// On every rank: runs the live cells, which rank 0 controls.
int run_live(const MpiWorld& mpi, std::unique_ptr<MpsSession>& mps, const Campaign& campaign,
             const RunOptions& options, const DueCells& due, const std::vector<int>& live) {
  std::unique_ptr<LiveWorld> world;
  try {
    world = std::make_unique<LiveWorld>(mpi, world_shape(campaign));
    mps = std::make_unique<MpsSession>(*world, cuda_of(campaign, live));
    std::vector<LiveCell> cells;
    for (const int index : live) cells.push_back(live_cell(campaign, index, world->shape()));
    check_shared_devices(*world, cells);
  } catch (const Error& error) {  // every rank gets the same error; one reports it
    if (mpi.rank() == 0) log::error("{}", error.what());
    return static_cast<int>(error.exit_code());
  }
  if (mpi.rank() != 0) {
    const WorkerEnd end =
        run_worker(*world, [&](int index) { return live_cell(campaign, index, world->shape()); });
    if (!end.ends_mpi) mpi.leave_without_end();
    return end.exit_code;
  }
  try {
    const RunEnd end = run_cells(campaign, options, *world, due, live);
    if (!end.stopped) print_summary(campaign, options);
    if (end.all_left) {
      prepare_to_leave(mpi, end.code, end.some_died);
      return static_cast<int>(end.code);
    }
    mps.reset();  // aborting runs no destructors
    world->abort(static_cast<int>(end.code));
  } catch (const Error& error) {
    log::error("{}", error.what());
    mps.reset();
    world->abort(static_cast<int>(error.exit_code()));
  } catch (const std::exception& error) {
    log::error("{}", error.what());
    mps.reset();
    world->abort(static_cast<int>(ExitCode::internal));
  }
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

void say_if_complete(const Campaign& campaign, const DueCells& due) {
  if (!due.to_run.empty() || !due.failed.empty()) return;
  log::info("{}: all {} cells are complete; --rerun all runs them again", campaign.name,
            campaign.cells.size());
}

/// Reports that no cell is to run.
int say_nothing_to_run(const Campaign& campaign, const RunOptions& options, const DueCells& due) {
  say_if_complete(campaign, due);
  const ExitCode code = exit_code_of_run(campaign, options, due);
  print_summary(campaign, options);
  return static_cast<int>(code);
}

/// Prints once what imports changed or left out, and which keys have no effect.
void say_notes(const Campaign& campaign, const std::vector<int>& cells) {
  std::set<std::string> said;
  for (const int index : cells) {
    for (const std::string& note : campaign.facts[static_cast<std::size_t>(index)].notes) {
      if (said.insert(note).second) log::info("{}", note);
    }
  }
}

/// Virtual cells need no ranks. If a launcher has started several, each takes its share of `due`,
/// and the first one reports earlier failures.
int run_virtual(const Campaign& campaign, const RunOptions& options, const DueCells& due) {
  install_stop_handlers();
  const std::string folder = output_folder(campaign, options.output_dir);
  create_folder(folder);
  const Slice rank = launched_rank();
  const Slice slice = rank.of(task_slice(options));
  if (slice.index == 0) say_notes(campaign, due.to_run);
  DueCells share;
  share.to_run = slice.share_of(due.to_run);
  if (rank.index == 0) share.failed = due.failed;
  run_virtual_cells(campaign, options, folder, share.to_run);
  return static_cast<int>(exit_code_of_run(campaign, options, share));
}

/// Under a launcher, live cells run after the virtual ones.
int run_in_world(const Campaign& campaign, const RunOptions& options, const DueCells& due,
                 const std::vector<int>& live, const DueCells& without_ranks) {
  int code = 0;
  if (!live.empty() && launched_rank().count > 1) {
    world_shape(campaign).check_size(launched_rank().count);
  }
  if (live.empty() || !without_ranks.to_run.empty()) {
    code = run_virtual(campaign, options, without_ranks);
  }
  if (live.empty()) {
    const bool speaks = MpiWorld::launched_rank() == 0;
    if (speaks) say_if_complete(campaign, due);
    if (launched_rank().count > 1) {
      if (speaks && !due.to_run.empty()) log::info("rank 0 has finished and waits for the others");
      code = highest_exit_code(code);
    }
    if (speaks) print_summary(campaign, options);
    return code;
  }
  // Destroyed after MPI: the daemon waits for its clients, which end once all ranks have left MPI.
  std::unique_ptr<MpsSession> mps;
  const MpiWorld mpi;  // keeps each rank until all have finished their virtual cells
  code = mpi.highest(code);
  return std::max(code, run_live(mpi, mps, campaign, options, due, live));
}

/// The work scale of a live cell assumes all cores of its host. A second live cell on the host
/// would slow both down, and their results would show it.
void refuse_live_cells_side_by_side(const Campaign& campaign, const RunOptions& options) {
  const bool all_live =
      std::all_of(campaign.facts.begin(), campaign.facts.end(),
                  [](const CellFacts& cell) { return cell.kind == EngineConfig::Kind::live; });
  if (options.jobs <= 1 || !all_live) return;
  throw UsageError(fmt::format(
      "--jobs {}: live cells run one at a time, because the emulated GPUs of a cell share all "
      "cores of the machine; leave --jobs out, or give each machine its own cells with --only",
      options.jobs));
}

int run_or_launch(const RunOptions& options) {
  const Campaign campaign = load_campaign(options.campaign_path, options.overrides);
  refuse_live_cells_side_by_side(campaign, options);
  const DueCells due = due_cells(campaign, options);
  if (options.dry_run) {
    for (const int index : due.to_run) {
      fmt::print("{}\n", campaign.cells[static_cast<std::size_t>(index)].id);
    }
    return 0;
  }
  if (MpiWorld::launched_rank() == 0) record_last_run(campaign, options);
  if (due.to_run.empty() && !MpiWorld::launched()) {
    return say_nothing_to_run(campaign, options, due);
  }
  const auto live = of_kind(campaign, due.to_run, EngineConfig::Kind::live);
  const bool virtual_done = !live.empty() && virtual_cells_are_done();
  const DueCells without_ranks{
      virtual_done ? std::vector<int>{}
                   : of_kind(campaign, due.to_run, EngineConfig::Kind::virtual_time),
      live.empty() ? due.failed : std::vector<int>{}};
  check_cuda_cells(campaign, live);
  if (MpiWorld::launched()) return run_in_world(campaign, options, due, live, without_ranks);
  int code = 0;
  if (!without_ranks.to_run.empty()) code = run_virtual(campaign, options, without_ranks);
  if (!live.empty()) return launch_live_cells(campaign, options);
  if (launched_rank().of(task_slice(options)).index == 0) print_summary(campaign, options);
  return code;
}

}  // namespace

int run_campaign(const RunOptions& options) {
  const int code = run_or_launch(options);
  leave_exit_code(code);
  return code;
}

}  // namespace mimus::emulator
