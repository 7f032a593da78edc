// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/folder.hpp"
#include "emulator/campaign/schema/json_schema.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"
#include "emulator/cli/verbs.hpp"
#include "results/metrics/metric.hpp"

namespace mimus::emulator::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSchemaExamples =
    "  mimus schema                        the kinds of YAML files\n"
    "  mimus schema campaign               the JSON Schema of campaign files\n"
    "  mimus schema metrics                the figures of summaries: names, units, formulas\n"
    "  mimus schema --out configs/schema   all of them, one file each";

/// The Python package takes its metrics from here, so that each is declared only once.
constexpr const char* kMetrics = "metrics";

struct SchemaArguments {
  std::string kind;
  std::string folder;
};

std::string text_of(const std::string& kind) {
  return kind == kMetrics ? results::metrics_json() + "\n" : json_schema(kind);
}

std::string all_kinds(int width) {
  TextTable table({{"kind"}, {"files of this kind"}});
  for (const SchemaKind& kind : schema_kinds()) table.add_row({kind.name, kind.summary});
  table.add_row({kMetrics, "not a YAML file: every figure of a summary, its unit and its formula"});
  return table.render(width);
}

void write_schema(const fs::path& folder, const std::string& kind) {
  const fs::path path = folder / (kind + ".json");
  std::ofstream file(path, std::ios::binary);
  file << text_of(kind);
  file.close();
  if (!file) throw IoError(path.string(), "cannot be written; check the folder and its rights");
  print(path.string() + "\n");
}

void write_schemas(const SchemaArguments& arguments) {
  create_folder(arguments.folder);
  for (const SchemaKind& kind : schema_kinds()) {
    if (arguments.kind.empty() || arguments.kind == kind.name) {
      write_schema(arguments.folder, kind.name);
    }
  }
  if (arguments.kind == kMetrics) write_schema(arguments.folder, kMetrics);
}

int schema(const SchemaArguments& arguments) {
  if (arguments.kind.empty() && arguments.folder.empty()) {
    print(all_kinds(terminal_width()));
    return 0;
  }
  const std::string text = arguments.kind.empty() ? "" : text_of(arguments.kind);
  if (arguments.folder.empty()) {
    print(text);
  } else {
    write_schemas(arguments);
  }
  return 0;
}

}  // namespace

Verb add_schema(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<SchemaArguments>();
  CLI::App* verb =
      add_verb(app, session, "schema", "Print the JSON Schema of a kind of YAML file, for editors.",
               kSchemaExamples);
  verb->add_option("KIND", arguments->kind, "kind of file; all if not given");
  verb->add_option("--out", arguments->folder, "write DIR/KIND.json instead of printing")
      ->option_text("DIR")
      ->group("Output");
  return {verb, [arguments] { return schema(*arguments); }};
}

}  // namespace mimus::emulator::cli
