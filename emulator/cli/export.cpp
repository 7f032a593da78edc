// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/error.hpp"
#include "emulator/cli/analysis_python.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kExportExamples =
    "  mimus export cell.h5 --to perfetto -o cell.json      open it at https://ui.perfetto.dev\n"
    "  mimus export mimus-results/quickstart --cell 003 --to csv -o tables\n"
    "  mimus export cell.h5 --to swf -o cell.swf";

int export_cell(const Session& session) {
  const auto arguments = analysis_arguments(session.argv, "export");
  if (arguments.size() == 1) {
    throw UsageError(
        "PATH is required: a result file, or a folder of them with --cell; see mimus "
        "export --help");
  }
  run_analysis(arguments);
}

}  // namespace

Verb add_export(CLI::App& app, Session& session) {
  // Declared for the help text and for completion. The Python package reads them itself.
  auto paths = std::make_shared<std::vector<std::string>>();
  auto ignored = std::make_shared<std::string>();
  CLI::App* verb = add_verb(
      app, session, "export",
      "Write a cell for other programs, with the Python package mimus_results.", kExportExamples);
  verb->add_option("PATH", *paths, "a result file, or a folder of them");
  const auto add = [&](const char* names, const char* value, const char* meaning) {
    verb->add_option(names, *ignored, meaning)->option_text(value)->group("Output");
  };
  add("--to", "FORMAT", "perfetto (a timeline), csv, parquet (all tables), swf, batsim (the jobs)");
  add("--cell", "CELL", "id of the cell, or its beginning, if PATH holds several");
  add("-o,--output", "OUT", "file or folder to write; named after the cell if not given");
  verb->allow_extras();
  return {verb, [paths, ignored, &session] { return export_cell(session); }};
}

}  // namespace mimus::emulator::cli
