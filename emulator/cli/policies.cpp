// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json_text.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"
#include "emulator/cli/verbs.hpp"
#include "scheduler/policy/policy.hpp"
#include "scheduler/policy/presets.hpp"

namespace mimus::emulator::cli {
namespace {

using scheduler::PolicyDescription;
using scheduler::Preset;

constexpr const char* kPoliciesExamples =
    "  mimus policies                    every seam, its choices and parameters; the presets\n"
    "  mimus policies placement          one seam\n"
    "  mimus policies tiresias-l         one preset: its source and its choices\n"
    "  mimus policies --json";

/// Presets are listed like the choices of a seam of this name.
constexpr const char* kPresets = "preset";

struct PoliciesArguments {
  std::string name;
  bool json = false;
};

std::vector<std::string> seams(const std::vector<PolicyDescription>& choices) {
  std::vector<std::string> out;
  for (const PolicyDescription& choice : choices) {
    if (std::find(out.begin(), out.end(), choice.seam) == out.end()) out.push_back(choice.seam);
  }
  return out;
}

std::vector<PolicyDescription> all_choices() {
  std::vector<PolicyDescription> choices = scheduler::describe_policies();
  for (const Preset& preset : scheduler::presets()) {
    choices.push_back({kPresets, preset.name, preset.summary, false, {}});
  }
  return choices;
}

const Preset* preset_named(const std::string& name) {
  const auto& all = scheduler::presets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Preset& p) { return p.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<PolicyDescription> chosen(const std::string& seam) {
  std::vector<PolicyDescription> choices = all_choices();
  if (seam.empty()) return choices;
  std::vector<std::string> known = seams(choices);
  if (std::find(known.begin(), known.end(), seam) == known.end()) {
    const auto presets = scheduler::preset_names();
    known.insert(known.end(), presets.begin(), presets.end());
    throw UsageError(unknown_name_message("seam or preset", seam, known));
  }
  std::erase_if(choices, [&](const PolicyDescription& choice) { return choice.seam != seam; });
  return choices;
}

/// `under`: where the keys are, with the parameters that hold them.
void add_parameters(TextTable& table, const std::string& under,
                    const std::vector<ParameterInfo>& parameters) {
  for (const ParameterInfo& p : parameters) {
    const std::string name = fmt::format("{}.{}", under, p.name);
    table.add_row(
        {"      " + name, parameter_text(p.summary, p.type(), p.range(), p.default_value)});
    add_parameters(table, name, p.fields);
  }
}

void add_choice(TextTable& table, const PolicyDescription& choice) {
  table.add_row(
      {fmt::format("  {} {}", choice.is_default ? "*" : " ", choice.choice), choice.summary});
  add_parameters(table, "", choice.parameters);
}

std::string as_text(const std::vector<PolicyDescription>& choices, int width) {
  TextTable table({{""}, {""}});
  for (const std::string& seam : seams(choices)) {
    table.add_row({seam, ""});
    for (const PolicyDescription& choice : choices) {
      if (choice.seam == seam) add_choice(table, choice);
    }
  }
  return table.render(width) + "\n* taken when the seam is left out of policy:\n";
}

std::string indented(const std::string& yaml) {
  std::istringstream lines(yaml);
  std::string out;
  for (std::string line; std::getline(lines, line);) out += "  " + line + "\n";
  return out;
}

std::string as_text(const Preset& preset) {
  return fmt::format("{}: {}\n{}\npolicy:\n{}", preset.name, preset.summary, preset.notes,
                     indented(to_yaml(preset.row)));
}

nlohmann::ordered_json as_json(const std::vector<ParameterInfo>& parameters) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const ParameterInfo& p : parameters) {
    nlohmann::ordered_json one{{"name", p.name},
                               {"type", p.type()},
                               {"default", p.has_default() ? p.default_value : ""},
                               {"range", p.range()},
                               {"summary", p.summary}};
    if (!p.fields.empty()) one["fields"] = as_json(p.fields);
    all.push_back(std::move(one));
  }
  return all;
}

nlohmann::ordered_json as_json(const PolicyDescription& choice) {
  return {{"seam", choice.seam},
          {"choice", choice.choice},
          {"default", choice.is_default},
          {"summary", choice.summary},
          {"parameters", as_json(choice.parameters)}};
}

nlohmann::ordered_json as_json(const Preset& preset) {
  return {{"preset", preset.name},
          {"summary", preset.summary},
          {"notes", preset.notes},
          {"policy", to_yaml(preset.row)}};
}

int policies(const PoliciesArguments& arguments) {
  if (const Preset* preset = preset_named(arguments.name)) {
    print(arguments.json ? json_text(as_json(*preset), 2) + "\n" : as_text(*preset));
    return 0;
  }
  const auto choices = chosen(arguments.name);
  if (!arguments.json) {
    print(as_text(choices, terminal_width()));
    return 0;
  }
  nlohmann::ordered_json document = nlohmann::ordered_json::array();
  for (const PolicyDescription& choice : choices) document.push_back(as_json(choice));
  print(json_text(document, 2) + "\n");
  return 0;
}

}  // namespace

Verb add_policies(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<PoliciesArguments>();
  CLI::App* verb =
      add_verb(app, session, "policies", "List the scheduling policies with their parameters.",
               kPoliciesExamples);
  verb->add_option("NAME", arguments->name, "show only this seam or preset");
  verb->add_flag("--json", arguments->json, "JSON on stdout")->group("Output");
  return {verb, [arguments] { return policies(*arguments); }};
}

}  // namespace mimus::emulator::cli
