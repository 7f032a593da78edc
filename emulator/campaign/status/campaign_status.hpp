// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/status/cell_state.hpp"

namespace mimus::emulator {

/// Progress of a campaign.
struct CampaignStatus {
  std::string folder;
  std::vector<CellStatus> cells;  ///< cells[i] belongs to campaign.cells[i]
  std::map<CellState, int> counts;
  int other_files = 0;  ///< result files that belong to no cell of the campaign
  /// Wall time that the unfinished cells still need, as many at a time as run now and at least one.
  /// Failed cells do not count. Nothing while there is no measure for it.
  std::optional<Duration> time_left;
};

[[nodiscard]] CampaignStatus read_status(const Campaign& campaign, const std::string& folder);

/// Wall time that cells in these states still need, one after the other: live cells by their
/// estimate, corrected by how long done ones took; virtual cells by the mean of done ones per job.
[[nodiscard]] std::optional<Duration> work_left(const Campaign& campaign,
                                                const std::vector<CellStatus>& cells);

}  // namespace mimus::emulator
