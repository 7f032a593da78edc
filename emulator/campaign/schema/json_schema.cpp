// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/schema/json_schema.hpp"

#include "base/error.hpp"
#include "base/json_text.hpp"
#include "emulator/campaign/schema/schema_parts.hpp"

namespace mimus::emulator {
namespace {

/// A schema of these `keys` of a campaign, of which only `required` must be present.
Json part_schema(Json& definitions, const std::vector<std::string>& keys, const Json& required) {
  const Json all = campaign_properties(definitions);
  Json properties = Json::object();
  for (const std::string& key : keys) properties[key] = all.at(key);
  return {{"type", "object"},
          {"properties", properties},
          {"additionalProperties", false},
          {"required", required}};
}

Json base_schema(Json& definitions) {
  return {{"type", "object"},
          {"properties", campaign_properties(definitions)},
          {"additionalProperties", false}};
}

Json campaign_schema(Json& definitions) {
  Json schema = base_schema(definitions);
  schema["allOf"] = campaign_requirements();
  return schema;
}

/// Drops definitions that nothing refers to, directly or indirectly.
void drop_unused(Json& definitions, const Json& body) {
  Json used = Json::object();
  std::vector<std::string> open{json_text(body)};
  while (!open.empty()) {
    const std::string text = open.back();
    open.pop_back();
    for (const auto& [name, definition] : definitions.items()) {
      if (used.contains(name)) continue;
      if (text.find("\"#/definitions/" + name + "\"") == std::string::npos) continue;
      used[name] = definition;
      open.push_back(json_text(definition));
    }
  }
  Json kept = Json::object();
  for (const auto& [name, definition] : definitions.items()) {
    if (used.contains(name)) kept[name] = definition;
  }
  definitions = std::move(kept);
}

Json body_of(const std::string& kind, Json& definitions) {
  if (kind == "campaign") return campaign_schema(definitions);
  if (kind == "base") return base_schema(definitions);
  if (kind == "policy") return part_schema(definitions, {"schema", "policy"}, {"policy"});
  if (kind == "workload") return part_schema(definitions, {"schema", "workload"}, {"workload"});
  return kind == "model" ? model_schema(definitions) : gpu_table_schema();
}

const SchemaKind& kind_named(const std::string& name) {
  std::vector<std::string> names;
  for (const SchemaKind& kind : schema_kinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  throw UsageError(unknown_name_message("kind of file", name, names));
}

}  // namespace

const std::vector<SchemaKind>& schema_kinds() {
  static const std::vector<SchemaKind> kinds{
      {"campaign", "a campaign, as mimus run takes it"},
      {"base", "a part of campaigns, which they name as their base"},
      {"policy", "a policy, such as the presets in configs/policies"},
      {"workload", "a workload, such as a job list that mimus workload writes"},
      {"model", "a model footprint, such as those in workloads/models"},
      {"gpus", "the table of GPU types, kernels/gpus.yaml"}};
  return kinds;
}

std::string json_schema(const std::string& kind) {
  const SchemaKind& about = kind_named(kind);
  Json definitions = Json::object();
  const Json body = body_of(kind, definitions);
  drop_unused(definitions, body);
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
              {"title", "Mimus " + kind},
              {"description", about.summary + ". Written by: mimus schema " + kind}};
  schema.update(body);
  if (!definitions.empty()) schema["definitions"] = definitions;
  return json_text(schema, 1) + "\n";
}

}  // namespace mimus::emulator
