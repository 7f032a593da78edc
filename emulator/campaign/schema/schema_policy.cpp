// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "emulator/campaign/schema/schema_parts.hpp"
#include "scheduler/policy/policy.hpp"
#include "scheduler/policy/presets.hpp"

namespace mimus::emulator {
namespace {

struct Seam {
  std::string name;
  std::string fallback;  ///< the choice if a policy leaves the seam out
  std::vector<ChoiceInfo> choices;
};

std::vector<Seam> seams() {
  std::vector<Seam> out;
  for (const auto& line : scheduler::describe_policies()) {
    if (out.empty() || out.back().name != line.seam) out.push_back({line.seam, "", {}});
    if (line.is_default) out.back().fallback = line.choice;
    ChoiceInfo& choice = out.back().choices.emplace_back();
    choice.name = line.choice;
    choice.summary = line.summary;
    choice.parameters = line.parameters;
  }
  return out;
}

/// Without a name, a mapping changes parameters of a choice that a preset or base file has made.
Json any_parameters(const Seam& seam) {
  std::vector<ParameterInfo> all;
  for (const ChoiceInfo& choice : seam.choices) {
    for (const ParameterInfo& p : choice.parameters) {
      const auto same = [&](const ParameterInfo& other) { return other.name == p.name; };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(p);
    }
  }
  Json schema = mapping_schema(all, Completeness::part);
  schema.erase("type");
  return schema;
}

Json seam_schema(const Seam& seam) {
  const Json mapping =
      choice_schema("name", seam.choices, any_parameters(seam), Completeness::part);
  return {{"description", "See: mimus policies " + seam.name},
          {"default", seam.fallback},
          {"anyOf", Json::array({name_schema(seam.choices), mapping})}};
}

/// Without a preset, a mapping must name its choice and state the parameters that it requires.
Json seam_requirements(const Seam& seam) {
  Json branches = Json::array();
  for (const ChoiceInfo& choice : seam.choices) {
    const Json required = required_names(choice.parameters);
    if (required.empty()) continue;
    branches.push_back({{"if", {{"properties", {{"name", {{"const", choice.name}}}}}}},
                        {"then", {{"required", required}}}});
  }
  Json then{{"required", {"name"}}};
  if (!branches.empty()) then["allOf"] = branches;
  return {{"if", {{"type", "object"}}}, {"then", then}};
}

}  // namespace

std::vector<std::string> policy_seams() {
  std::vector<std::string> names;
  for (const Seam& seam : seams()) names.push_back(seam.name);
  return names;
}

Json policy_schema(Json& definitions) {
  std::vector<ChoiceInfo> presets;
  for (const auto& preset : scheduler::presets()) {
    presets.push_back({preset.name, preset.summary, {}});
  }
  const Json preset = name_schema(presets);
  Json properties{{"preset", preset}};
  properties["preset"]["description"] = "a preset; choices given beside it take precedence";
  for (const Seam& seam : seams()) {
    definitions["policy." + seam.name] = seam_schema(seam);
    properties[seam.name] = reference("policy." + seam.name);
  }
  const Json row{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  return {{"description", "a preset, or a choice for each seam; see: mimus policies"},
          {"anyOf", Json::array({preset, row})}};
}

Json policy_requirements() {
  Json properties = Json::object();
  for (const Seam& seam : seams()) properties[seam.name] = seam_requirements(seam);
  return {{"if", {{"type", "object"}, {"not", {{"required", {"preset"}}}}}},
          {"then", {{"properties", properties}}}};
}

}  // namespace mimus::emulator
