// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "emulator/cli/terminal.hpp"
#include "emulator/cli/text_table.hpp"
#include "emulator/cli/verbs.hpp"
#include "scheduler/policy.hpp"

namespace mimus::emulator::cli {
namespace {

using scheduler::PolicyDescription;

constexpr const char* kExamples =
    "  mimus policies                    every seam, its choices and their parameters\n"
    "  mimus policies placement          one seam\n"
    "  mimus policies --json";

struct Arguments {
  std::string seam;
  bool json = false;
};

std::vector<std::string> seams(const std::vector<PolicyDescription>& choices) {
  std::vector<std::string> out;
  for (const PolicyDescription& choice : choices) {
    if (std::find(out.begin(), out.end(), choice.seam) == out.end()) out.push_back(choice.seam);
  }
  return out;
}

std::vector<PolicyDescription> chosen(const std::string& seam) {
  std::vector<PolicyDescription> choices = scheduler::describe_policies();
  if (seam.empty()) return choices;
  const std::vector<std::string> known = seams(choices);
  if (std::find(known.begin(), known.end(), seam) == known.end()) {
    throw UsageError(unknown_name_message("seam", seam, known));
  }
  std::erase_if(choices, [&](const PolicyDescription& choice) { return choice.seam != seam; });
  return choices;
}

void add_choice(TextTable& table, const PolicyDescription& choice) {
  table.add_row(
      {fmt::format("  {} {}", choice.is_default ? "*" : " ", choice.choice), choice.summary});
  for (const auto& p : choice.parameters) {
    table.add_row({fmt::format("      .{}", p.name),
                   parameter_text(p.summary, p.type, p.range, p.default_value)});
  }
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

nlohmann::ordered_json as_json(const PolicyDescription::Parameter& p) {
  return {{"name", p.name},
          {"type", p.type},
          {"default", p.default_value},
          {"range", p.range},
          {"summary", p.summary}};
}

nlohmann::ordered_json as_json(const PolicyDescription& choice) {
  nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
  for (const auto& p : choice.parameters) parameters.push_back(as_json(p));
  return {{"seam", choice.seam},
          {"choice", choice.choice},
          {"default", choice.is_default},
          {"summary", choice.summary},
          {"parameters", parameters}};
}

int policies(const Arguments& arguments) {
  const auto choices = chosen(arguments.seam);
  if (!arguments.json) {
    print(as_text(choices, terminal_width()));
    return 0;
  }
  nlohmann::ordered_json document = nlohmann::ordered_json::array();
  for (const PolicyDescription& choice : choices) document.push_back(as_json(choice));
  print(document.dump(2) + "\n");
  return 0;
}

}  // namespace

Verb add_policies(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = add_verb(app, session, "policies",
                            "List the scheduling policies with their parameters.", kExamples);
  verb->add_option("SEAM", arguments->seam, "this seam only");
  verb->add_flag("--json", arguments->json, "JSON on stdout")->group("Output");
  return {verb, [arguments] { return policies(*arguments); }};
}

}  // namespace mimus::emulator::cli
