// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/command_line.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "emulator/cli/help_formatter.hpp"
#include "emulator/cli/terminal.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kSummary =
    "Mimus: an emulation testbed for scheduling deep-learning training on GPU clusters.";
constexpr const char* kExamples =
    "  mimus run configs/quickstart.yaml          run a campaign and print its summary\n"
    "  mimus expand configs/quickstart.yaml       what would run, without running it\n"
    "  mimus summary mimus-results/quickstart     the figures of finished cells";

/// The verb that was given, else the root.
const CLI::App& active(const CLI::App& root) {
  const auto given = root.get_subcommands();
  return given.empty() ? root : *given.front();
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> verb_names(const std::vector<Verb>& verbs) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.push_back(verb.app->get_name());
  return names;
}

bool is_option(const std::string& argument) {
  return argument.size() > 1 && argument.front() == '-';
}

/// Words what CLI11 found wrong, with the nearest legal name where a name is wrong.
UsageError explained(const CLI::App& root, const std::vector<Verb>& verbs,
                     const CLI::ParseError& error) {
  const CLI::App& app = active(root);
  const std::string help = fmt::format(
      "see {} --help", app.get_parent() == nullptr ? "mimus" : "mimus " + app.get_name());
  for (const std::string& extra : app.remaining()) {
    if (is_option(extra)) {
      const std::string name = extra.substr(0, extra.find('='));
      return UsageError(unknown_name_message("option", name, option_names(app)));
    }
    if (&app == &root) return UsageError(unknown_name_message("command", extra, verb_names(verbs)));
    return UsageError(fmt::format("unexpected argument \"{}\"; {}", extra, help));
  }
  if (&app == &root) return UsageError(fmt::format("which command? {}", help));
  return UsageError(fmt::format("{}; {}", error.what(), help));
}

std::vector<Verb> add_verbs(CLI::App& root, Session& session) {
  return {add_run(root, session),      add_expand(root, session), add_validate(root, session),
          add_policies(root, session), add_models(root, session), add_summary(root, session),
          add_doctor(root, session)};
}

int parse_and_act(CLI::App& root, Session& session) {
  const std::vector<Verb> verbs = add_verbs(root, session);
  std::vector<std::string> arguments(session.argv.rbegin(), session.argv.rend() - 1);
  try {
    root.parse(std::move(arguments));  // takes them last first
  } catch (const CLI::CallForHelp&) {
    print(root.help());
    return 0;
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return 0;
  } catch (const CLI::ParseError& error) {
    throw explained(root, verbs, error);
  }
  log::configure(session.verbosity);
  for (const Verb& verb : verbs) {
    if (verb.app->parsed()) return verb.action();
  }
  throw UsageError("which command? see mimus --help");
}

int run_session(Session& session) {
  CLI::App root(kSummary, "mimus");
  root.formatter(std::make_shared<HelpFormatter>());
  root.footer(kExamples);
  root.set_help_flag("-h,--help", "this text; every command has its own");
  root.set_version_flag("--version", version_text, "version and what was compiled in")
      ->group(kGeneralGroup);
  add_general_options(root, session);
  root.require_subcommand(1);
  return parse_and_act(root, session);
}

int report(const std::string& message, ExitCode code) {
  std::fputs(("mimus: error: " + message + "\n").c_str(), stderr);
  return static_cast<int>(code);
}

}  // namespace

int run_command_line(const std::vector<std::string>& argv) {
  Session session{argv, 0};
  try {
    return run_session(session);
  } catch (const Error& error) {
    return report(error.what(), error.exit_code());
  } catch (const std::exception& error) {
    return report(error.what(), ExitCode::internal);
  }
}

}  // namespace mimus::emulator::cli
