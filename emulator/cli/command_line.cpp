// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/command_line.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/utf8.hpp"
#include "emulator/cli/text/help_formatter.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/verbs.hpp"
#include "emulator/live/launch/launcher.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "emulator/live/mpi/survival.hpp"
#include "emulator/live/world/launch_note.hpp"
#include "emulator/run/report_once.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kSummary =
    "Mimus: an emulation testbed for scheduling deep-learning training on GPU clusters.";
constexpr const char* kCommandLineExamples =
    "  mimus run configs/quickstart.yaml          run a campaign and print its summary\n"
    "  mimus expand configs/quickstart.yaml       what would run, without running it\n"
    "  mimus summary mimus-results/quickstart     the figures of finished cells";

/// The innermost verb that was given, or the root.
const CLI::App& active(const CLI::App& root) {
  const auto given = root.get_subcommands();
  return given.empty() ? root : active(*given.front());
}

/// The full name of a verb, e.g. "mimus workload describe".
std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : full_name(*parent) + " " + app.get_name();
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(verb->get_name());
  }
  return names;
}

bool is_option(const std::string& argument) {
  return argument.size() > 1 && argument.front() == '-';
}

/// Rewords an error of CLI11 and adds the nearest legal name if a name is wrong.
UsageError explained(const CLI::App& root, const CLI::ParseError& error) {
  const CLI::App& app = active(root);
  const bool wants_verb = app.get_require_subcommand_min() > 0;
  const std::string help = fmt::format("see {} --help", full_name(app));
  for (const std::string& extra : app.remaining()) {
    if (is_option(extra)) {
      const std::string name = extra.substr(0, extra.find('='));
      return UsageError(unknown_name_message("option", name, option_names(app)));
    }
    if (wants_verb) return UsageError(unknown_name_message("command", extra, verb_names(app)));
    return UsageError(fmt::format("unexpected argument \"{}\"; {}", extra, help));
  }
  if (wants_verb) return UsageError(fmt::format("which command? {}", help));
  return UsageError(fmt::format("{}; {}", error.what(), help));
}

std::vector<Verb> add_verbs(CLI::App& root, Session& session) {
  return {add_new(root, session),      add_run(root, session),       add_expand(root, session),
          add_campaign(root, session), add_validate(root, session),  add_policies(root, session),
          add_models(root, session),   add_workload(root, session),  add_summary(root, session),
          add_watch(root, session),    add_report(root, session),    add_export(root, session),
          add_submit(root, session),   add_doctor(root, session),    add_bench(root, session),
          add_twin(root, session),     add_calibrate(root, session), add_machine(root, session),
          add_schema(root, session),   add_completion(root, session)};
}

int parse_and_act(CLI::App& root, Session& session) {
  const std::vector<Verb> verbs = add_verbs(root, session);
  std::vector<std::string> arguments(session.argv.rbegin(), session.argv.rend() - 1);
  try {
    root.parse(std::move(arguments));  // CLI11 takes them in reverse order
  } catch (const CLI::CallForHelp&) {
    print(root.help());
    return 0;
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return 0;
  } catch (const CLI::ParseError& error) {
    throw explained(root, error);
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
  root.footer(kCommandLineExamples);
  root.set_help_flag("-h,--help", "this text; every command has its own");
  root.set_version_flag("--version", version_text, "version and compiled-in features")
      ->group(kGeneralGroup);
  add_general_options(root, session);
  root.require_subcommand(1);
  return parse_and_act(root, session);
}

int report(const std::string& message, ExitCode code) {
  std::fputs(("mimus: error: " + printable(message) + "\n").c_str(), stderr);
  return static_cast<int>(code);
}

/// Runs the verb, reports its error if any, and returns the exit code.
int exit_code_of(Session& session) {
  try {
    return report_once([&] { return run_session(session); });
  } catch (const Error& error) {
    return report(error.what(), error.exit_code());
  } catch (const std::exception& error) {
    return report(error.what(), ExitCode::internal);
  }
}

}  // namespace

int run_command_line(const std::vector<std::string>& argv) {
  greet_launcher();
  Session session{argv, 0};
  const int code = exit_code_of(session);
  note_leaving(code);
  // If the launcher lets ranks outlive others, mpirun would only repeat what was reported.
  return MpiWorld::launched() && outlives_others() ? 0 : code;
}

}  // namespace mimus::emulator::cli
