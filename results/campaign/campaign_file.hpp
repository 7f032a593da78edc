// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/campaign/campaign_rows.hpp"
#include "results/totals/measured_window.hpp"

namespace mimus::results {

inline constexpr const char* kCampaignSchemaName = "mimus-campaign";
/// Raised when the layout or a column changes its meaning, type or name; additions keep it.
inline constexpr std::int64_t kCampaignSchemaVersion = 1;
/// Its name in the folder of the cells. No cell's file has this name, because a cell's id begins
/// with a digit.
inline constexpr const char* kCampaignFileName = "campaign.h5";
/// Whether a file of this name, without folders, is a cell's, complete or growing.
[[nodiscard]] bool is_cell_file(std::string_view name);

/// The content of a merged campaign besides the rows of its cells.
struct CampaignContent {
  std::string campaign;
  std::string mimus_version;
  std::vector<CampaignCellRow> cells;  ///< those with a file are merged
  std::vector<SweptRow> swept;
  MeasuredWindow measure{};  ///< the window of the figures
};

/// Writes `<folder>/campaign.h5` and `<folder>/metrics.csv`, and replaces existing ones once the
/// new ones are complete. Rows stay in the files of the cells, to which virtual datasets with
/// relative paths point, or are copied. Every byte of these files is checked first: damaged files
/// are left out with a warning, and their cells are listed as failed. Throws IoError, also for a
/// file of another schema version or, unless copied, with other columns.
void write_campaign(const std::string& folder, CampaignContent content, bool copy);

}  // namespace mimus::results
