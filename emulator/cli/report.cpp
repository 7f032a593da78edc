// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "emulator/cli/analysis_python.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kExamples =
    "  mimus report mimus-results/quickstart -o report.html\n"
    "  mimus report -- --help              what else it takes: python3 -m mimus_results report";

/// What stands after the verb, as it was written: the package reads it itself.
std::vector<std::string> arguments_of(const Session& session) {
  const auto verb = std::find(session.argv.begin(), session.argv.end(), "report");
  std::vector<std::string> arguments{"report"};
  std::copy_if(verb + 1, session.argv.end(), std::back_inserter(arguments),
               [](const std::string& word) { return word != "--"; });
  return arguments;
}

int report(const Session& session) {
  const std::vector<std::string> arguments = arguments_of(session);
  if (arguments.size() == 1) {
    throw UsageError("PATH is required: result files, or folders of them; see mimus report --help");
  }
  run_analysis(arguments);
}

}  // namespace

Verb add_report(CLI::App& app, Session& session) {
  auto paths = std::make_shared<std::vector<std::string>>();
  auto output = std::make_shared<std::string>();
  CLI::App* verb =
      add_verb(app, session, "report",
               "Write a report of results, with the Python package mimus_results.", kExamples);
  verb->add_option("PATH", *paths, "result files, folders of them, or a merged campaign");
  verb->add_option("-o,--output", *output, "file to write; more options are the package's")
      ->option_text("FILE")
      ->group("Output");
  verb->allow_extras();
  return {verb, [paths, output, &session] { return report(session); }};
}

}  // namespace mimus::emulator::cli
