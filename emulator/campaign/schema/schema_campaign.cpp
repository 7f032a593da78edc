// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "emulator/campaign/config_keys.hpp"
#include "emulator/campaign/schema/schema_parts.hpp"
#include "workloads/workload_sources.hpp"

namespace mimus::emulator {
namespace {

/// Keys directly under `section`, or at the top level for "".
std::vector<ParameterInfo> keys_of(const std::string& section) {
  const std::string prefix = section.empty() ? "" : section + ".";
  std::vector<ParameterInfo> keys;
  for (const ConfigKey& key : config_keys()) {
    if (!key.path.starts_with(prefix)) continue;
    if (key.path.size() == prefix.size() + key.name.size()) keys.push_back(key);
  }
  return keys;
}

Json section_schema(const std::string& section, const std::string& description) {
  Json schema = mapping_schema(keys_of(section), Completeness::part);
  schema["description"] = description;
  return schema;
}

Json nothing_but(const std::string& what) {
  return {{"description", what}};
}

/// Replaces what the key table says of the engine's choices, e.g. `step_time`, by their schemas.
void add_engine_choices(Json& engine) {
  std::vector<std::pair<std::string, std::vector<ChoiceInfo>>> keys;
  for (const EngineChoice& choice : engine_choices()) {
    const std::string key = choice.key.substr(choice.key.find('.') + 1);
    if (keys.empty() || keys.back().first != key) keys.push_back({key, {}});
    keys.back().second.push_back({choice.name, choice.summary, choice.parameters});
  }
  for (const auto& [key, choices] : keys) {
    const Json mapping =
        choice_schema("name", choices, nothing_but("of a base"), Completeness::part);
    Json& schema = engine["properties"][key];
    schema.erase("type");
    schema.erase("enum");
    schema["anyOf"] = Json::array({name_schema(choices), mapping});
  }
}

Json workload_schema() {
  Json schema =
      choice_schema("source", workload_choices(), nothing_but("of a base"), Completeness::part);
  schema["description"] = "what the jobs are: a generator, a trace, a list; docs/workloads.md";
  return schema;
}

Json workload_requirements() {
  Json branches = Json::array();
  for (const ChoiceInfo& choice : workload_choices()) {
    const Json required = required_names(choice.parameters);
    if (required.empty()) continue;
    branches.push_back({{"if", {{"properties", {{"source", {{"const", choice.name}}}}}}},
                        {"then", {{"required", required}}}});
  }
  return {{"required", {"source"}}, {"allOf", branches}};
}

/// A sweep that has a key of this section under "grid" or "zip".
Json swept(const std::string& section, const std::string& axes) {
  const Json none{{"propertyNames", {{"not", {{"pattern", "^" + section + "(\\.|$)"}}}}}};
  const Json sweep{{"required", {axes}}, {"properties", {{axes, {{"not", none}}}}}};
  return {{"required", {"sweep"}}, {"properties", {{"sweep", sweep}}}};
}

/// `then` applies unless a base file or the sweep can add to the section.
Json unless_given_elsewhere(const std::string& section, const Json& then) {
  const Json based{{"required", {"base"}}};
  const Json elsewhere{
      {"anyOf", Json::array({based, swept(section, "grid"), swept(section, "zip")})}};
  return {{"if", {{"not", elsewhere}}}, {"then", then}};
}

Json section_with(const std::string& section, const Json& requirements) {
  return {{"required", {section}}, {"properties", {{section, requirements}}}};
}

}  // namespace

std::vector<ChoiceInfo> workload_choices() {
  const std::vector<ParameterInfo> of_all = keys_of("workload");
  std::vector<ChoiceInfo> out;
  for (const auto& source : workloads::workload_sources().choices()) {
    out.push_back({source.name, source.summary, source.parameters});
    auto& parameters = out.back().parameters;
    parameters.insert(parameters.end(), of_all.begin(), of_all.end());
  }
  return out;
}

Json campaign_properties(Json& definitions) {
  Json properties = Json::object();
  for (const ParameterInfo& key : keys_of("")) {
    properties[key.name] = value_schema(key, Completeness::part);
  }
  definitions["cluster"] = section_schema("cluster", "what is emulated");
  definitions["workload"] = workload_schema();
  definitions["policy"] = policy_schema(definitions);
  definitions["engine"] = section_schema("engine", "how cells are run");
  add_engine_choices(definitions["engine"]);
  for (const char* section : {"cluster", "workload", "policy", "engine"}) {
    properties[section] = reference(section);
  }
  properties["measure"] = section_schema("measure", "the part of a run that its figures cover");
  properties["published"] = published_schema();
  properties["resources"] = section_schema("resources", "resources of the batch system");
  properties["sweep"] = sweep_schema(definitions);
  return properties;
}

Json campaign_requirements() {
  const Json based{{"required", {"base"}}};
  const Json alike{{"required", required_names(keys_of("cluster"))}};
  const Json cluster{{"anyOf", {alike, {{"required", {"groups"}}}}}};
  const Json policy{{"properties", {{"policy", policy_requirements()}}}};
  return Json::array(
      {Json{{"if", {{"not", based}}}, {"then", {{"required", required_names(keys_of(""))}}}},
       unless_given_elsewhere("cluster", section_with("cluster", cluster)),
       unless_given_elsewhere("workload", section_with("workload", workload_requirements())),
       unless_given_elsewhere("policy", policy)});
}

}  // namespace mimus::emulator
