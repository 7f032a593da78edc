// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/summary/summary_rows.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace mimus::results {

namespace {

using Runs = std::vector<const CellSummary*>;

/// The runs of each cell of each campaign, in order of first appearance.
std::vector<Runs> by_cell(const std::vector<CellSummary>& cells) {
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  std::vector<Runs> out;
  for (const CellSummary& cell : cells) {
    const auto folder = std::filesystem::path(cell.path).parent_path().string();
    const auto [place, is_new] =
        places.try_emplace({folder, cell.campaign, cell.label}, out.size());
    if (is_new) out.emplace_back();
    out[place->second].push_back(&cell);
  }
  return out;
}

bool are_repetitions(const Runs& runs) {
  std::set<int> numbers;
  for (const CellSummary* run : runs) numbers.insert(run->repetition);
  return numbers.size() == runs.size();
}

std::string name_of(const CellSummary& cell) {
  return cell.label.empty() ? cell.cell : cell.label;
}

bool any_late(const Runs& runs) {
  return std::any_of(runs.begin(), runs.end(), [](const auto* run) { return run->is_late(); });
}

std::string lost_text(int gpus) {
  if (gpus == 0) return "";
  return fmt::format(" (lost {} GPU{})", gpus, gpus == 1 ? "" : "s");
}

SummaryRow single_row(const CellSummary& cell, bool is_repeated) {
  std::string label = name_of(cell);
  if (is_repeated) label += fmt::format(" r{}", cell.repetition);
  if (!cell.is_complete()) label += fmt::format(" ({})", cell.status);
  if (cell.is_late()) label += " (late)";
  label += lost_text(cell.gpus_lost);
  return {label, {&cell}};
}

SummaryRow mean_row(const Runs& all, const Runs& complete) {
  std::string label = name_of(*all.front());
  if (complete.size() < all.size()) {
    label += fmt::format(" ({} of {} complete)", complete.size(), all.size());
  }
  if (any_late(complete)) label += " (late)";
  int lost = 0;
  for (const CellSummary* run : complete) lost = std::max(lost, run->gpus_lost);
  label += lost_text(lost);
  return {label, complete};
}

}  // namespace

std::string SummaryRow::inputs() const {
  std::string text;
  for (const CellSummary* run : runs) {
    text +=
        fmt::format("{} {} {} {};", run->repetition, run->seed, run->workload_hash, run->measured);
  }
  return text;
}

std::vector<SummaryRow> summary_rows(const std::vector<CellSummary>& cells, TableRows rows) {
  std::vector<SummaryRow> out;
  for (const Runs& runs : by_cell(cells)) {
    Runs complete;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(complete),
                 [](const auto* run) { return run->is_complete(); });
    if (rows == TableRows::cells && !complete.empty() && are_repetitions(runs)) {
      out.push_back(mean_row(runs, complete));
      continue;
    }
    for (const CellSummary* run : runs) out.push_back(single_row(*run, runs.size() > 1));
  }
  return out;
}

}  // namespace mimus::results
