// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/quantity_text.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kExpandExamples =
    "  mimus expand configs/quickstart.yaml\n"
    "  mimus expand campaign.yaml --set workload.jobs=48\n"
    "  mimus expand campaign.yaml --json | jq '.cells[].id'";

struct ExpandArguments {
  CampaignArguments campaign;
  bool json = false;
};

/// The last part of a swept path, or the whole path if two paths have the same last part.
std::string short_path(const Cell& cell, const std::string& path) {
  const std::string last = path.substr(path.rfind('.') + 1);
  int alike = 0;
  for (const auto& [other, value] : cell.swept) {
    alike += other.substr(other.rfind('.') + 1) == last ? 1 : 0;
  }
  return alike > 1 ? path : last;
}

TextTable table_for(const Cell& first) {
  using Align = TextTable::Align;
  std::vector<TextTable::Column> columns{{"cell"}};
  for (const auto& [path, value] : first.swept) columns.push_back({short_path(first, path)});
  columns.push_back({"jobs", Align::right});
  columns.push_back({"workers", Align::right});
  columns.push_back({"wall, about", Align::right});
  return TextTable(std::move(columns));
}

std::string as_table(const Campaign& campaign, int width) {
  TextTable table = table_for(campaign.cells.front());
  Duration total{};
  for (std::size_t i = 0; i < campaign.cells.size(); ++i) {
    const CellFacts& facts = campaign.facts[i];
    std::vector<std::string> row{campaign.cells[i].id};
    for (const auto& [path, value] : campaign.cells[i].swept) row.push_back(value);
    row.push_back(facts.jobs ? std::to_string(*facts.jobs) : "?");
    row.push_back(std::to_string(facts.workers));
    row.push_back(format_duration(facts.wall_estimate));
    table.add_row(std::move(row));
    total += facts.wall_estimate;
  }
  return table.render(width) + fmt::format("\n{} cells, world of {} ranks, about {} in all\n",
                                           campaign.cells.size(), campaign.world_size(),
                                           format_duration(total));
}

nlohmann::ordered_json as_json(const Cell& cell, const CellFacts& facts) {
  nlohmann::ordered_json swept = nlohmann::ordered_json::object();
  for (const auto& [path, value] : cell.swept) swept[path] = value;
  return {{"id", cell.id},
          {"label", cell.label},
          {"repetition", cell.repetition},
          {"seed", std::to_string(cell.seed)},  // text: JSON readers round above 2^53
          {"config_hash", cell.config_hash},
          {"swept", swept},
          {"jobs", facts.jobs ? nlohmann::ordered_json(*facts.jobs) : nlohmann::ordered_json()},
          {"lanes_per_gpu", facts.lanes_per_gpu},
          {"workers", facts.workers},
          {"ranks", facts.workers + 1},
          {"wall_estimate_s", to_seconds(facts.wall_estimate)},
          {"notes", facts.notes}};
}

std::string as_json(const Campaign& campaign) {
  nlohmann::ordered_json cells = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < campaign.cells.size(); ++i) {
    cells.push_back(as_json(campaign.cells[i], campaign.facts[i]));
  }
  const nlohmann::ordered_json document{{"campaign", campaign.name},
                                        {"seed", std::to_string(campaign.seed)},
                                        {"ranks", campaign.world_size()},
                                        {"cells", cells}};
  return json_text(document, 2) + "\n";
}

int expand(const ExpandArguments& arguments) {
  const Campaign campaign = load_campaign(arguments.campaign.path, arguments.campaign.overrides());
  log_notes(campaign);
  print(arguments.json ? as_json(campaign) : as_table(campaign, terminal_width()));
  return 0;
}

}  // namespace

Verb add_expand(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<ExpandArguments>();
  CLI::App* verb =
      add_verb(app, session, "expand",
               "List the cells of a campaign and what they need; runs nothing.", kExpandExamples);
  add_campaign_options(*verb, arguments->campaign);
  verb->add_flag("--json", arguments->json, "JSON on stdout")->group("Output");
  return {verb, [arguments] { return expand(*arguments); }};
}

}  // namespace mimus::emulator::cli
