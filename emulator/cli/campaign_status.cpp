// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/status/campaign_status.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/quantity_text.hpp"
#include "emulator/cli/campaign_verbs.hpp"
#include "emulator/cli/text/one_of.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"

namespace mimus::emulator::cli {
namespace {

using nlohmann::ordered_json;

constexpr const char* kCampaignStatusExamples =
    "  mimus campaign status campaign.yaml\n"
    "  mimus campaign status campaign.yaml --state failed --state interrupted\n"
    "  mimus campaign status campaign.yaml --json | jq '.counts'";

constexpr const char* kNone = "-";
constexpr std::array kStates{CellState::done,  CellState::failed,  CellState::interrupted,
                             CellState::stale, CellState::running, CellState::waiting};

struct CampaignStatusArguments {
  CampaignArguments campaign;
  std::string output_dir;
  std::vector<std::string> states;
  bool json = false;
};

std::vector<std::string> state_names() {
  std::vector<std::string> names;
  for (const CellState state : kStates) names.emplace_back(name(state));
  return names;
}

bool is_shown(const CellStatus& cell, const std::vector<std::string>& states) {
  return states.empty() ||
         std::find(states.begin(), states.end(), name(cell.state)) != states.end();
}

std::string duration_text(const std::optional<Duration>& duration) {
  return duration ? format_duration(*duration) : kNone;
}

/// ".h5" or ".h5.part" if the file is named after its cell, otherwise its name.
std::string file_text(const Cell& cell, const CellStatus& status) {
  if (status.file.empty()) return kNone;
  const std::string file = std::filesystem::path(status.file).filename().string();
  return file.starts_with(cell.id) ? file.substr(cell.id.size()) : file;
}

std::string jobs_text(const CellFacts& facts, const CellStatus& status) {
  const std::string all = facts.jobs ? std::to_string(*facts.jobs) : "?";
  return status.jobs_ended ? fmt::format("{}/{}", *status.jobs_ended, all)
                           : fmt::format("{}/{}", kNone, all);
}

std::string counts_text(const CampaignStatus& status) {
  std::string text;
  for (const CellState state : kStates) {
    const auto found = status.counts.find(state);
    if (found == status.counts.end()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", found->second, name(state));
  }
  return text;
}

std::string totals_text(const CampaignStatus& status) {
  std::string text =
      fmt::format("{} cells in {}: {}", status.cells.size(), status.folder, counts_text(status));
  if (status.other_files > 0) {
    text += fmt::format("; {} files of other configurations", status.other_files);
  }
  const bool any_left = !status.time_left || *status.time_left > Duration{};
  if (any_left) {
    text += status.time_left ? fmt::format("; about {} left", format_duration(*status.time_left))
                             : "; time left is not known yet";
  }
  return text + "\n";
}

std::string as_table(const Campaign& campaign, const CampaignStatus& status,
                     const std::vector<std::string>& states) {
  using Align = TextTable::Align;
  TextTable table({{"cell"},
                   {"state"},
                   {"jobs", Align::right},
                   {"wall", Align::right},
                   {"simulated", Align::right},
                   {"file"},
                   {"detail"}});
  bool any = false;
  for (std::size_t i = 0; i < campaign.cells.size(); ++i) {
    const CellStatus& cell = status.cells[i];
    if (!is_shown(cell, states)) continue;
    any = true;
    table.add_row({campaign.cells[i].id, name(cell.state), jobs_text(campaign.facts[i], cell),
                   duration_text(cell.wall), duration_text(cell.simulated),
                   file_text(campaign.cells[i], cell), cell.detail});
  }
  return (any ? table.render(terminal_width()) + "\n" : "") + totals_text(status);
}

ordered_json seconds(const std::optional<Duration>& duration) {
  return duration ? ordered_json(to_seconds(*duration)) : ordered_json();
}

template <class Value>
ordered_json known(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json cell_json(const Cell& cell, const CellFacts& facts, const CellStatus& status) {
  return {{"id", cell.id},
          {"label", cell.label},
          {"repetition", cell.repetition},
          {"state", name(status.state)},
          {"jobs_ended", known(status.jobs_ended)},
          {"jobs", known(facts.jobs)},
          {"wall_s", seconds(status.wall)},
          {"simulated_end_s", seconds(status.simulated)},
          {"file", status.file.empty() ? ordered_json() : ordered_json(status.file)},
          {"detail", status.detail}};
}

std::string as_json(const Campaign& campaign, const CampaignStatus& status,
                    const std::vector<std::string>& states) {
  ordered_json counts = ordered_json::object();
  for (const CellState state : kStates) {
    const auto found = status.counts.find(state);
    counts[name(state)] = found == status.counts.end() ? 0 : found->second;
  }
  ordered_json cells = ordered_json::array();
  for (std::size_t i = 0; i < campaign.cells.size(); ++i) {
    if (!is_shown(status.cells[i], states)) continue;
    cells.push_back(cell_json(campaign.cells[i], campaign.facts[i], status.cells[i]));
  }
  const ordered_json document{{"campaign", campaign.name},
                              {"folder", status.folder},
                              {"counts", counts},
                              {"other_files", status.other_files},
                              {"time_left_s", seconds(status.time_left)},
                              {"cells", cells}};
  return json_text(document, 2) + "\n";
}

int show_status(const CampaignStatusArguments& arguments) {
  const Campaign campaign = load_campaign(arguments.campaign.path, arguments.campaign.overrides());
  const CampaignStatus status =
      read_status(campaign, output_folder(campaign, arguments.output_dir));
  print(arguments.json ? as_json(campaign, status, arguments.states)
                       : as_table(campaign, status, arguments.states));
  return 0;
}

}  // namespace

Verb add_campaign_status(CLI::App& campaign, Session& session) {
  auto arguments = std::make_shared<CampaignStatusArguments>();
  CLI::App* verb =
      add_verb(campaign, session, "status", "Show the state of each cell; changes nothing.",
               kCampaignStatusExamples);
  add_campaign_options(*verb, arguments->campaign);
  add_output_folder(*verb, arguments->output_dir);
  verb->add_option("--state", arguments->states, "only cells in this state; repeatable")
      ->option_text("STATE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->check(one_of(state_names()))
      ->group("Output");
  verb->add_flag("--json", arguments->json, "JSON on stdout")->group("Output");
  return {verb, [arguments] { return show_status(*arguments); }};
}

}  // namespace mimus::emulator::cli
