// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "emulator/cli/text/help_formatter.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {

void add_general_options(CLI::App& app, Session& session) {
  app.add_flag_function(
         "-v,--verbose", [&](std::int64_t count) { session.verbosity = static_cast<int>(count); },
         "log more; give it twice for even more")
      ->group(kGeneralGroup);
  app.add_flag_function(
         "-q,--quiet", [&](std::int64_t) { session.verbosity = -1; }, "log errors only")
      ->group(kGeneralGroup);
  app.add_flag_function(
         "--no-color", [](std::int64_t) { setenv("NO_COLOR", "1", 1); },
         "no colours in the log, like NO_COLOR=1")
      ->group(kGeneralGroup);
  app.get_help_ptr()->group(kGeneralGroup);
}

CLI::App* add_verb(CLI::App& app, Session& session, const std::string& name,
                   const std::string& summary, const std::string& examples) {
  CLI::App* verb = app.add_subcommand(name, summary);
  verb->group("Commands");
  verb->footer(examples);
  verb->set_help_flag("-h,--help", "this text");
  add_general_options(*verb, session);
  return verb;
}

std::vector<Override> CampaignArguments::overrides() const {
  std::vector<Override> out;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(fmt::format(
          "--set \"{}\": expected PATH=VALUE, e.g. --set engine.time_scale=30", setting));
    }
    out.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  if (!engine.empty()) out.push_back({"engine.kind", engine});
  if (!time_scale.empty()) out.push_back({"engine.time_scale", time_scale});
  return out;
}

void add_campaign_options(CLI::App& verb, CampaignArguments& arguments) {
  verb.add_option("CAMPAIGN", arguments.path, "campaign file (YAML)")->required();
  verb.add_option("--set", arguments.settings,
                  "set one key; takes precedence over the file; repeatable")
      ->option_text("PATH=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->group("Campaign");
  verb.add_option("--engine", arguments.engine, "live or virtual; short for --set engine.kind=NAME")
      ->option_text("NAME")
      ->group("Campaign");
  verb.add_option("--time-scale", arguments.time_scale,
                  "emulated seconds per wall second, or max; short for --set engine.time_scale=X")
      ->option_text("X")
      ->group("Campaign");
}

void add_output_folder(CLI::App& verb, std::string& folder) {
  verb.add_option("-o,--output", folder, "result folder; mimus-results/<name> if not given")
      ->option_text("DIR")
      ->group("Output");
}

void add_models_option(CLI::App& verb, std::vector<std::string>& paths) {
  verb.add_option("--models", paths, "also use the models of this file or folder; repeatable")
      ->option_text("PATH")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->group("Models");
}

std::string parameter_text(std::string_view summary, std::string_view type, std::string_view range,
                           std::string_view default_value) {
  std::string text = fmt::format("{} ({}", summary, type);
  if (!range.empty()) text += fmt::format(", {}", range);
  if (!default_value.empty() && default_value != "-")
    text += fmt::format(", default {}", default_value);
  return text + ")";
}

void log_notes(const Campaign& campaign) {
  std::set<std::string> seen;
  for (const CellFacts& facts : campaign.facts) {
    for (const std::string& note : facts.notes) {
      if (seen.insert(note).second) log::warn("{}", note);
    }
  }
}

std::size_t find_cell(const std::vector<std::string>& ids, const std::string& id) {
  std::vector<std::size_t> hits;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == id) return i;
    if (ids[i].starts_with(id)) hits.push_back(i);
  }
  if (hits.size() == 1) return hits.front();
  if (hits.empty()) throw UsageError(unknown_name_message("cell", id, ids));
  throw UsageError(fmt::format("cell \"{}\" could be \"{}\" or \"{}\"; give more of the id", id,
                               ids[hits[0]], ids[hits[1]]));
}

}  // namespace mimus::emulator::cli
