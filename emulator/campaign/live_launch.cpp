// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/live_launch.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/folder.hpp"
#include "emulator/campaign/cell_run.hpp"
#include "emulator/campaign/cell_state.hpp"
#include "emulator/campaign/due_cells.hpp"
#include "emulator/campaign/live_turn.hpp"
#include "emulator/live/launcher.hpp"

namespace mimus::emulator {
namespace {
constexpr const char* kVirtualCellsDone = "MIMUS_VIRTUAL_CELLS_DONE";
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
  return launch_world(world_shape(campaign).ranks(), options.command_line,
                      fmt::format("{} -x {}", options.mpirun_args, kVirtualCellsDone));
}

bool virtual_cells_are_done() {
  return std::getenv(kVirtualCellsDone) != nullptr;
}

}  // namespace mimus::emulator
