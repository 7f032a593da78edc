// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/text/help_formatter.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace mimus::emulator::cli {

HelpFormatter::HelpFormatter() {
  column_width(30);
  label("Positionals", "Arguments");
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  std::string out = app->get_description() + "\n";
  if (!app->get_footer().empty()) out += "\nExamples:\n" + app->get_footer() + "\n";
  out += "\n" + make_usage(app, std::move(name));
  out += make_positionals(app);
  out += make_subcommands(app, mode);
  return out + make_option_groups(app);
}

std::string HelpFormatter::make_option_groups(const CLI::App* app) const {
  std::vector<std::string> groups = app->get_groups();
  std::stable_partition(groups.begin(), groups.end(),
                        [](const std::string& group) { return group != kGeneralGroup; });
  std::string out;
  for (const std::string& group : groups) {
    const auto options = app->get_options([&](const CLI::Option* option) {
      return option->get_group() == group && option->nonpositional();
    });
    if (!options.empty()) out += make_group(group, false, options);
  }
  return out;
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  std::string out = fmt::format("Usage: {}", name.empty() ? app->get_name() : name);
  if (app->get_require_subcommand_min() > 0) return out + " COMMAND [options]\n";
  for (const CLI::Option* option :
       app->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
    const bool many = option->get_expected_max() > 1;
    const std::string text = option->get_name(true) + (many ? "..." : "");
    out += option->get_required() ? " " + text : " [" + text + "]";
  }
  return out + " [options]\n";
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (option->get_positional() || option->get_option_text().empty()) return "";
  return " " + option->get_option_text();
}

}  // namespace mimus::emulator::cli
