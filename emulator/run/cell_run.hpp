// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/status/cell_state.hpp"
#include "emulator/live/world/live_cell.hpp"
#include "emulator/live/world/live_world.hpp"
#include "emulator/run/runner.hpp"
#include "emulator/run/solo_baselines.hpp"

namespace mimus::emulator {

/// The world that the largest of a campaign's cells needs.
[[nodiscard]] WorldShape world_shape(const Campaign& campaign);

/// Cell number `index`, as all ranks of a live run read it.
[[nodiscard]] LiveCell live_cell(const Campaign& campaign, int index, const WorldShape& world);

/// State of rank 0 for the duration of a campaign.
struct CampaignRun {
  const Campaign& campaign;
  const RunOptions& options;
  const LiveWorld& world;
  std::string output_dir;
  Mailbox mailbox;
  BaselineCache baselines;
  bool workers_stuck = false;  ///< some did not end when asked: finalising MPI could hang
};

/// Runs one cell on the workers into its result file. If it ends early for any reason, the file
/// keeps what was measured and says why it is not complete.
void run_cell(CampaignRun& run, int index);

}  // namespace mimus::emulator
