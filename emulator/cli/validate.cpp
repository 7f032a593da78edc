// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "emulator/campaign/config_keys.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"
#include "emulator/cli/verbs.hpp"
#include "workloads/traces/input/input_file.hpp"
#include "workloads/workload_sources.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kValidateExamples =
    "  mimus validate configs/quickstart.yaml\n"
    "  mimus validate campaign.yaml --resolved --cell 003 > one-cell.yaml\n"
    "  mimus validate --keys                         every key, unit, default and range";

struct ValidateArguments {
  CampaignArguments campaign;
  std::string cell;
  bool resolved = false;
  bool keys = false;
};

/// Keys that name a file or folder.
constexpr const char* kPathKeys[] = {
    "workload.path",         "workload.throughputs",     "engine.profile",
    "engine.step_time.path", "engine.step_time.profile", "engine.interference.profile"};

ConfigNode absolute_path(const std::string& file) {
  return ConfigNode::text(std::filesystem::absolute(file).lexically_normal().string());
}

/// Makes the paths absolute, so that they are valid wherever the campaign is written.
ConfigNode absolute_paths(const std::vector<std::string>& files) {
  ConfigNode list;
  list.kind = ConfigNode::Kind::sequence;
  for (const std::string& file : files) list.items.push_back(absolute_path(file));
  return list;
}

/// Makes the paths that the cell names absolute. A path below ${MIMUS_SHARED} stays, because it is
/// valid everywhere.
void make_paths_absolute(ConfigNode& document) {
  for (const char* key : kPathKeys) {
    const ConfigNode* given = find_path(document, key);
    if (given == nullptr || given->kind != ConfigNode::Kind::scalar) continue;
    const std::string path = workloads::named_path(*given, key);
    if (path == workloads::expanded_path(path)) set_path(document, key, absolute_path(path));
  }
}

/// A separate campaign that runs the same cell again.
std::string resolved_yaml(const Campaign& campaign, const Cell& cell) {
  ConfigNode document = ConfigNode::mapping();
  const auto add = [&](const std::string& key, const std::string& value) {
    document.members.emplace_back(key, ConfigNode::text(value));
  };
  add("schema", "1");
  add("name", campaign.name);
  add("seed", std::to_string(campaign.seed));
  if (cell.repetition > 0) add("first_repetition", std::to_string(cell.repetition));
  if (!campaign.model_files.empty()) {
    document.members.emplace_back("models", absolute_paths(campaign.model_files));
  }
  for (const auto& member : cell.config.members) document.members.push_back(member);
  make_paths_absolute(document);
  return fmt::format("# cell {} of {}, repetition {}\n{}", cell.id, campaign.path, cell.repetition,
                     to_yaml(document));
}

std::size_t chosen_cell(const Campaign& campaign, const std::string& id) {
  if (id.empty()) return 0;
  std::vector<std::string> ids;
  for (const Cell& cell : campaign.cells) ids.push_back(cell.id);
  return find_cell(ids, id);
}

/// The default that the key reference shows for a key that copies another key.
std::string shown_default(const ConfigKey& key) {
  if (key.default_value.starts_with("= ")) return key.default_value.substr(2);
  return key.default_value;
}

void add_sources(TextTable& table) {
  for (const auto& source : workloads::workload_sources().choices()) {
    table.add_row({"workload.source: " + source.name, source.summary});
    for (const auto& p : source.parameters) {
      table.add_row({"  workload." + p.name,
                     parameter_text(p.summary, p.type(), p.range(), p.default_value)});
    }
  }
}

void add_engine_choices(TextTable& table) {
  for (const EngineChoice& choice : engine_choices()) {
    table.add_row({choice.key + ": " + choice.name, choice.summary});
    for (const auto& p : choice.parameters) {
      table.add_row({fmt::format("  {}.{}", choice.key, p.name),
                     parameter_text(p.summary, p.type(), p.range(), p.default_value)});
    }
  }
}

std::string needs(const Campaign& campaign) {
  if (!campaign.any_live()) return "no ranks: all virtual";
  return fmt::format("world of {} ranks", campaign.world_size());
}

std::string key_reference(int width) {
  TextTable table({{"key"}, {"meaning (type, allowed values, default)"}});
  for (const ConfigKey& key : config_keys()) {
    table.add_row({key.path + (key.is_required() ? " *" : ""),
                   parameter_text(key.summary, key.type(), key.range(), shown_default(key))});
  }
  add_engine_choices(table);
  add_sources(table);
  table.add_row({"policy.*", "see mimus policies"});
  table.add_row({"sweep.grid", "product of lists (mapping, dotted path: list of values)"});
  table.add_row({"sweep.zip", "lists that advance together (mapping, path: equally long lists)"});
  table.add_row({"sweep.only", "cells to keep (list of mappings, swept path: value)"});
  table.add_row({"sweep.exclude", "cells to drop (list of mappings, swept path: value)"});
  table.add_row({"published[].cells", "cells for which a source has figures (swept path: value)"});
  table.add_row({"published[].figures", "what it prints (mapping, name of a figure: quantity)"});
  table.add_row({"published[].source", "who printed them (text)"});
  return table.render(width) + "\n* required\n";
}

int validate(const ValidateArguments& arguments) {
  if (arguments.keys) {
    print(key_reference(terminal_width()));
    return 0;
  }
  if (arguments.campaign.path.empty())
    throw UsageError("CAMPAIGN is required; see mimus validate --help");
  const Campaign campaign = load_campaign(arguments.campaign.path, arguments.campaign.overrides());
  log_notes(campaign);
  const Cell& cell = campaign.cells[chosen_cell(campaign, arguments.cell)];
  if (arguments.resolved) {
    print(resolved_yaml(campaign, cell));
  } else {
    print(fmt::format("valid: {} cells, {}\n", campaign.cells.size(), needs(campaign)));
  }
  return 0;
}

}  // namespace

Verb add_validate(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<ValidateArguments>();
  CLI::App* verb =
      add_verb(app, session, "validate", "Read and check a campaign with all its cells and inputs.",
               kValidateExamples);
  add_campaign_options(*verb, arguments->campaign);
  verb->get_option("CAMPAIGN")->required(false);
  verb->add_flag("--resolved", arguments->resolved, "print a cell with all defaults filled in")
      ->group("Output");
  verb->add_option("--cell", arguments->cell, "cell to print; the first if not given")
      ->option_text("CELL")
      ->group("Output");
  verb->add_flag("--keys", arguments->keys, "print the key reference; needs no campaign")
      ->group("Output");
  return {verb, [arguments] { return validate(*arguments); }};
}

}  // namespace mimus::emulator::cli
