// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/error.hpp"
#include "emulator/cli/analysis_python.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kReportExamples =
    "  mimus report mimus-results/quickstart -o report.html\n"
    "  mimus report -- --help              more options, of python3 -m mimus_results report";

int report(const Session& session) {
  const auto arguments = analysis_arguments(session.argv, "report");
  if (arguments.size() == 1) {
    throw UsageError("PATH is required: result files, or folders of them; see mimus report --help");
  }
  run_analysis(arguments);
}

}  // namespace

Verb add_report(CLI::App& app, Session& session) {
  // Declared for the help text and for completion. The Python package reads them itself.
  auto paths = std::make_shared<std::vector<std::string>>();
  auto ignored = std::make_shared<std::string>();
  CLI::App* verb = add_verb(app, session, "report",
                            "Write a report of results, with the Python package mimus_results.",
                            kReportExamples);
  verb->add_option("PATH", *paths, "result files, folders of them, or a merged campaign");
  const auto add = [&](const char* names, const char* value, const char* meaning) {
    verb->add_option(names, *ignored, meaning)->option_text(value)->group("Output");
  };
  add("-o,--output", "FILE", "page to write; report.html if not given");
  add("--baseline", "LABEL", "compare every label with this one");
  add("--measure", "WINDOW",
      "part of the run that figures cover: jobs=4000..5000; from=2h,until=20h; all");
  add("--figures", "DIR", "also draw the figures for papers here");
  add("--format", "NAMES", "formats of the figures, comma-separated: png, pdf, svg");
  verb->allow_extras();
  return {verb, [paths, ignored, &session] { return report(session); }};
}

}  // namespace mimus::emulator::cli
