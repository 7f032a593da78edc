// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/campaign_input.hpp"

#include <algorithm>

#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/config_keys.hpp"
#include "emulator/campaign/sweep.hpp"

namespace mimus::emulator::fuzz {
namespace {

/// Number of cells of a sweep that are read. Reading all of 100,000 would repeat the same.
constexpr std::size_t kCells = 3;

/// Results keep a campaign as text, so the text must mean the same.
std::string problem_with_text(const ConfigNode& document) {
  const std::string text = to_yaml(document);
  try {
    const ConfigNode again = parse_yaml(text, "again");
    if (canonical_text(again) != canonical_text(document)) return "reads back otherwise:\n" + text;
  } catch (const ConfigError& error) {
    return "does not read back: " + std::string(error.what()) + "\n" + text;
  }
  return "";
}

std::string problem_with_cell(const ConfigNode& document, const SweepPoint& point,
                              const workloads::ModelCatalogue& models) {
  Cell cell;
  ConfigNode chosen = document;
  for (const auto& [path, value] : point.values) set_path(chosen, path, value);
  cell.config = resolved_cell(chosen);
  (void)read_cell(cell, models);
  return problem_with_text(cell.config);
}

std::string problem_with_cells(const ConfigNode& document) {
  static const workloads::ModelCatalogue models = workloads::ModelCatalogue::built_in();
  const auto points = expand(read_sweep(document.find("sweep"), {}));
  for (std::size_t i = 0; i < std::min(kCells, points.size()); ++i) {
    std::string problem = problem_with_cell(document, points[i], models);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace

std::string problem_with_campaign(std::string_view input) {
  try {
    const ConfigNode document = parse_yaml(std::string(input), "campaign.yaml");
    std::string problem = problem_with_text(document);
    return problem.empty() ? problem_with_cells(document) : problem;
  } catch (const ConfigError&) {
    return "";
  }
}

}  // namespace mimus::emulator::fuzz
