// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/live_launch.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/folder.hpp"
#include "base/log.hpp"
#include "emulator/campaign/status/cell_state.hpp"
#include "emulator/live/launch/launcher.hpp"
#include "emulator/live/mpi/survival.hpp"
#include "emulator/run/cell_run.hpp"
#include "emulator/run/due_cells.hpp"
#include "emulator/run/live_turn.hpp"

namespace mimus::emulator {
namespace {
constexpr const char* kVirtualCellsDone = "MIMUS_VIRTUAL_CELLS_DONE";

/// Whether other ranks outlive a dead one. A cell that stops when a worker dies ends its world
/// itself. In a batch allocation this must be requested, because it depends on how the ranks are
/// launched.
bool outlives_workers(const Campaign& campaign) {
  using OnLostRank = EngineConfig::OnLostRank;
  const bool batch = std::getenv("SLURM_JOB_ID") != nullptr;
  return std::any_of(campaign.cells.begin(), campaign.cells.end(), [batch](const Cell& cell) {
    const EngineConfig& engine = cell.settings->engine;
    const bool by_default = !batch && engine.on_lost_rank == OnLostRank::as_launched;
    return engine.kind == EngineConfig::Kind::live &&
           (by_default || engine.on_lost_rank == OnLostRank::go_on);
  });
}

}  // namespace

int launch_live_cells(const Campaign& campaign, const RunOptions& options) {
  if (!std::filesystem::is_regular_file(options.campaign_path)) {
    throw UsageError(
        fmt::format("{}: every rank of a live run reads the campaign, so it must be a "
                    "file, not a pipe; save it and name the file",
                    options.campaign_path));
  }
  refuse_beside_live_run(campaign, options);
  const std::string folder = output_folder(campaign, options.output_dir);
  create_folder(folder);
  const LiveTurn turn(folder);
  ::setenv(kVirtualCellsDone, "1", 1);
  return launch_world(
      {.ranks = world_shape(campaign).ranks(),
       .extra_arguments = fmt::format("{} -x {}", options.mpirun_args, kVirtualCellsDone),
       .outlives_workers = outlives_workers(campaign)},
      options.command_line);
}

void warn_if_losses_end_the_run(const Campaign& campaign, const std::vector<int>& live) {
  const bool asked = std::any_of(live.begin(), live.end(), [&](int index) {
    const Cell& cell = campaign.cells[static_cast<std::size_t>(index)];
    return cell.settings->engine.on_lost_rank == EngineConfig::OnLostRank::go_on;
  });
  if (!asked || outlives_others()) return;
  log::warn(
      "engine.on_lost_rank is continue, but the launcher ends all ranks when one dies, and the run "
      "with them; start mpirun with --enable-recovery, or leave the launch to mimus run (srun "
      "always ends all ranks)");
}

bool virtual_cells_are_done() {
  return std::getenv(kVirtualCellsDone) != nullptr;
}

}  // namespace mimus::emulator
