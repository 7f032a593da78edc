// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::embedded {
std::vector<std::pair<std::string_view, std::string_view>> embedded_starting_files();
}  // namespace mimus::embedded

namespace mimus::emulator::cli {
namespace {

constexpr const char* kNewExamples =
    "  mimus new campaign                a commented campaign.yaml\n"
    "  mimus new planner fair.py         a policy of your own, in Python\n"
    "  mimus new model my-model.yaml     the footprint of a network";

struct StartingFile {
  const char* kind;
  const char* file;
  const char* next;  ///< what to do with the file; {} is replaced by its path
};
constexpr std::array<StartingFile, 4> kFiles{{
    {"campaign", "campaign.yaml", "mimus validate {}"},
    {"policy", "policy.yaml", "base: {} in a campaign; mimus policies lists the choices"},
    {"model", "model.yaml", "mimus models {}"},
    {"planner", "planner.py",
     "planner: {{name: python, file: {}, class: MyPlanner}} under policy: of a campaign"},
}};

struct NewArguments {
  std::string kind;
  std::string file;
};

const StartingFile& starting_file(const std::string& kind) {
  const auto* found = std::find_if(kFiles.begin(), kFiles.end(),
                                   [&](const StartingFile& file) { return kind == file.kind; });
  if (found != kFiles.end()) return *found;
  std::vector<std::string> kinds;
  for (const StartingFile& file : kFiles) kinds.emplace_back(file.kind);
  throw UsageError(unknown_name_message("kind of file", kind, kinds));
}

std::string_view text_of(const StartingFile& file) {
  for (const auto& [name, text] : embedded::embedded_starting_files()) {
    if (name == file.file) return text;
  }
  throw InternalError(fmt::format("{} was not embedded", file.file));
}

int write_new(const NewArguments& arguments) {
  const StartingFile& file = starting_file(arguments.kind);
  const std::string path = arguments.file.empty() ? file.file : arguments.file;
  if (std::filesystem::exists(path)) {
    throw UsageError(fmt::format("{} exists and is left as it is; name another file", path));
  }
  std::ofstream out(path, std::ios::binary);
  out << text_of(file);
  out.close();
  if (!out) throw IoError(path, "cannot be written; check the folder and its rights");
  print(fmt::format("{}: next, {}\n", path, fmt::format(fmt::runtime(file.next), path)));
  return 0;
}

}  // namespace

Verb add_new(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<NewArguments>();
  CLI::App* verb =
      add_verb(app, session, "new",
               "Write a commented file to start from, which is valid as it is.", kNewExamples);
  verb->add_option("KIND", arguments->kind, "campaign, policy, model or planner")->required();
  verb->add_option("FILE", arguments->file,
                   "the file to write; KIND.yaml or planner.py if not given");
  return {verb, [arguments] { return write_new(*arguments); }};
}

}  // namespace mimus::emulator::cli
