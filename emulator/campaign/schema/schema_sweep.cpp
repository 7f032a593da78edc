// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/schema/schema_parts.hpp"
#include "results/metrics/metric.hpp"

namespace mimus::emulator {
namespace {

/// A path into the sections of a campaign that can be swept.
constexpr const char* kSweptPath = "^(cluster|workload|policy|engine|record)(\\..+)?$";
/// Below these paths the keys depend on the choice, which may be swept itself.
constexpr const char* kInsideChoice =
    "^(workload|cluster\\.[a-z_]+|policy\\.[a-z]+|engine\\.(step_time|interference|costs))\\..+$";

Json values_of(const Json& value) {
  return {{"type", "array"}, {"items", value}, {"minItems", 1}};
}

/// Every key of a section as a path, e.g. "cluster.nodes".
void add_keys(Json& axes, const std::string& section, const Json& schema) {
  for (const auto& [key, value] : schema.at("properties").items()) {
    axes[section + "." + key] = values_of(value);
  }
}

Json axes_schema(const Json& definitions) {
  Json axes = Json::object();
  add_keys(axes, "cluster", definitions.at("cluster"));
  add_keys(axes, "engine", definitions.at("engine"));
  add_keys(axes, "policy", definitions.at("policy").at("anyOf").at(1));
  axes["workload.source"] = values_of(definitions.at("workload").at("properties").at("source"));
  for (const char* section : {"cluster", "workload", "policy", "engine"}) {
    axes[section] = values_of(reference(section));
  }
  axes["record"] = values_of({{"enum", {"full", "jobs", "summary"}}});
  return {{"type", "object"},
          {"properties", axes},
          {"patternProperties", {{kInsideChoice, {{"type", "array"}, {"minItems", 1}}}}},
          {"additionalProperties", false}};
}

Json match_schema() {
  return {{"type", "object"}, {"propertyNames", {{"pattern", kSweptPath}}}, {"minProperties", 1}};
}

Json matches_schema() {
  return {{"type", "array"}, {"items", match_schema()}};
}

Json described(const std::string& description, Json schema) {
  Json out{{"description", description}};
  out.update(schema);
  return out;
}

}  // namespace

Json sweep_schema(Json& definitions) {
  definitions["axes"] = axes_schema(definitions);
  const Json matches = matches_schema();
  const Json properties{
      {"grid", described("path: list of values; cells are their product",
                         {{"allOf", Json::array({reference("axes")})}})},
      {"zip", described("path: list of values; the lists have the same length and advance together",
                        {{"allOf", Json::array({reference("axes")})}})},
      {"only", described("keep cells that match any: swept path: value", matches)},
      {"exclude", described("drop cells that match any: swept path: value", matches)}};
  return {{"description", "keys whose values differ between cells"},
          {"type", "object"},
          {"properties", properties},
          {"additionalProperties", false}};
}

Json published_schema() {
  Json names = Json::array();
  for (const auto& metric : results::metrics()) names.push_back(metric.name);
  const Json figures =
      described("name of a figure: quantity",
                {{"type", "object"}, {"propertyNames", {{"enum", names}}}, {"minProperties", 1}});
  const Json properties{
      {"cells", described("of these cells: swept path: value; of all when absent", match_schema())},
      {"figures", figures},
      {"source", described("who printed them", {{"type", "string"}})}};
  const Json entry{{"type", "object"},
                   {"properties", properties},
                   {"required", {"figures", "source"}},
                   {"additionalProperties", false}};
  return described("published figures of cells, which reports show beside their own",
                   {{"type", "array"}, {"items", entry}});
}

}  // namespace mimus::emulator
