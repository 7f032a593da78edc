// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/status/merge.hpp"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/campaign/build_info.hpp"
#include "results/campaign/campaign_file.hpp"

namespace mimus::emulator {
namespace {

std::int64_t number_of(const Cell& cell) {
  std::int64_t number = 0;
  std::from_chars(cell.id.data(), cell.id.data() + cell.id.size(), number);
  return number;
}

results::CampaignContent content_of(const Campaign& campaign, const CampaignStatus& status) {
  results::CampaignContent content;
  content.campaign = campaign.name;
  content.mimus_version = build_info().version;
  content.measure = campaign.measure;
  for (std::size_t i = 0; i < campaign.cells.size(); ++i) {
    const Cell& cell = campaign.cells[i];
    const CellStatus& state = status.cells[i];
    const bool done = state.state == CellState::done;
    const std::string file = std::filesystem::path(state.file).filename().string();
    content.cells.push_back({cell.id, number_of(cell), cell.repetition, name(state.state),
                             cell.config_hash, cell.label, done ? file : ""});
    for (const auto& [path, value] : cell.swept) {
      content.swept.push_back({static_cast<std::int64_t>(i), path, value});
    }
  }
  return content;
}

}  // namespace

void merge_campaign(const Campaign& campaign, const CampaignStatus& status, bool copy) {
  if (status.counts.count(CellState::done) == 0) {
    throw UsageError(
        fmt::format("{}: holds no complete result of this campaign; run it with mimus "
                    "campaign run, or name its folder with -o",
                    status.folder));
  }
  results::write_campaign(status.folder, content_of(campaign, status), copy);
}

}  // namespace mimus::emulator
