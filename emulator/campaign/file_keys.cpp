// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/file_keys.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "emulator/campaign/campaign_machines.hpp"
#include "emulator/campaign/campaign_models.hpp"

namespace mimus::emulator {
namespace {

using F = FileKeys;
using PathForm = ValueSpec::Form;

void check_name(const YamlReader& root, const F& keys) {
  const std::string& name = keys.name;
  const bool safe = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 128 && (std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-');
  });
  if (safe && !name.empty() && name.front() != '.' && name.front() != '-') return;
  root.fail("name", fmt::format("\"{}\" names the result folder; allowed are letters, digits, "
                                "\".\", \"_\" and \"-\", starting with a letter or digit",
                                name));
}

/// Paths to other files, which `read` takes.
Field<F> paths_field(const char* name, PathForm form, const char* summary,
                     std::function<void(YamlReader&, F&)> read) {
  const ValueSpec spec{.type = ValueSpec::Type::path, .form = form};
  return {{name, spec, "-", summary}, std::move(read)};
}

Fields<F> fields_of_files() {
  return {required_field("schema", &F::schema, between(1, 1), "version of this file format"),
          required_field("name", &F::name, {}, "names the result folder")
              .beyond("letters, digits, . _ -")
              .then(check_name),
          field("description", &F::description, "for readers; changes nothing").or_else("-"),
          paths_field("base", PathForm::one_or_list,
                      "campaign files merged under this one, relative to it",
                      [](YamlReader& root, F&) { (void)root.has("base"); }),  // already merged
          paths_field("models", PathForm::list,
                      "extra model files, or folders of them, relative to this file",
                      [](YamlReader& root, F& keys) { keys.model_files = model_files(root); }),
          paths_field("gpus", PathForm::list, "files of machine types, relative to this file",
                      [](YamlReader& root, F& keys) { keys.machines = own_machines(root); }),
          field("seed", &F::seed, kNotNegative,
                "seed of all random numbers; all cells of a repetition share it"),
          field("repetitions", &F::repetitions, between(1, 1000), "seeded runs of every cell"),
          bound(first_repetition_key(), &F::first_repetition),
          bound(record_key(), &F::record)};
}

}  // namespace

const Fields<FileKeys>& file_fields() {
  static const Fields<FileKeys> fields = fields_of_files();
  return fields;
}

const Param<int>& first_repetition_key() {
  static const Param<int> key("first_repetition", 0, between(0, 1e6),
                              "number of the first repetition; seeds follow the numbers");
  return key;
}

const Param<results::RecordLevel>& record_key() {
  using Level = results::RecordLevel;
  static const Param<Level> key(
      "record", Level::full,
      {{"full", Level::full}, {"jobs", Level::jobs}, {"summary", Level::summary}},
      "what the result file keeps: everything, a row per job and attempt, or sums and quantiles");
  return key;
}

}  // namespace mimus::emulator
