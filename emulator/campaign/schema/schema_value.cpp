// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/schema/schema_value.hpp"

#include "base/error.hpp"
#include "emulator/campaign/schema/schema_scalar.hpp"

namespace mimus::emulator {
namespace {

Json list_of(Json items, const std::string& range) {
  Json schema{{"type", "array"}, {"items", std::move(items)}};
  if (range == "at least one") schema["minItems"] = 1;
  return schema;
}

/// "durations" → "duration"; "memory" has no plural in the tables.
std::string singular(const std::string& plural) {
  return plural.ends_with("s") ? plural.substr(0, plural.size() - 1) : plural;
}

Json list_schema(const ParameterInfo& field, const std::string& of) {
  if (of == "mappings") {
    return list_of(mapping_schema(field.fields, Completeness::whole), field.range);
  }
  if (of == "layers") return list_of(reference("layer"), field.range);
  return list_of(scalar_schema(singular(of), field.range), field.range);
}

/// Without fields, a mapping is from names to numbers: weights, quotas.
Json free_mapping(const ParameterInfo& field) {
  Json values = scalar_schema("number", field.range);
  return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}

Json declared_schema(const ParameterInfo& field, Completeness completeness) {
  using Form = ValueSpec::Form;
  const ValueSpec& spec = *field.spec;
  const bool has_keys = !field.fields.empty();
  if (spec.form == Form::list) {
    return list_of(
        has_keys ? mapping_schema(field.fields, Completeness::whole) : scalar_schema(spec), "");
  }
  if (spec.form == Form::single) return scalar_schema(spec);
  if (has_keys) return mapping_schema(field.fields, completeness);
  Json values = scalar_schema(spec);
  for (int level = 0; level < spec.levels; ++level) {
    values = {{"type", "object"}, {"additionalProperties", std::move(values)}};
  }
  return values;
}

Json bare_schema(const ParameterInfo& field, Completeness completeness) {
  if (field.spec) return declared_schema(field, completeness);
  constexpr std::string_view kListOf = "list of ";
  if (field.type.starts_with(kListOf)) {
    return list_schema(field, field.type.substr(kListOf.size()));
  }
  if (field.type == "list") return list_of(scalar_schema("text", field.range), "");
  if (field.type == "path or list") {
    const Json path = scalar_schema("text", "");
    return {{"anyOf", Json::array({path, list_of(path, "at least one")})}};
  }
  if (field.type == "link") {
    const Json rate = scalar_schema("bandwidth", field.range);
    return {{"anyOf", Json::array({rate, mapping_schema(field.fields, completeness)})}};
  }
  if (field.type == "machine type") {
    return {{"anyOf", Json::array({scalar_schema("text", ""), Json{{"type", "object"}}})}};
  }
  if (field.type == "arguments") return {{"type", "object"}};
  constexpr std::string_view kChoiceOf = "choice of ";
  if (field.type.starts_with(kChoiceOf)) {
    return reference("policy." + field.type.substr(kChoiceOf.size()));
  }
  if (field.type != "mapping") return scalar_schema(field.type, field.range);
  return field.fields.empty() ? free_mapping(field) : mapping_schema(field.fields, completeness);
}

/// What an editor shows: the summary, and what of range and default is words alone.
std::string description(const ParameterInfo& field, const Json& schema) {
  std::string text = field.summary;
  const bool says_all =
      field.spec ? is_range_in_schema(*field.spec) : is_range_in_schema(field.type, field.range);
  const bool in_words = !field.range.empty() && !says_all;
  if (in_words) text += "; " + field.range;
  if (field.default_value.starts_with("= ")) {
    return text + "; default: as " + field.default_value.substr(2);
  }
  if (!field.has_default() || schema.contains("default")) return text;
  return text + "; default: " + field.default_value;
}

Json choice_branch(const std::string& key, const ChoiceInfo& choice, Completeness completeness) {
  Json then = mapping_schema(choice.parameters, completeness);
  then.erase("type");
  then["properties"][key] = {{"description", choice.summary}};
  const Json named{{"required", {key}}, {"properties", {{key, {{"const", choice.name}}}}}};
  return {{"if", named}, {"then", std::move(then)}};
}

}  // namespace

Json value_schema(const ParameterInfo& field, Completeness completeness) {
  Json schema = bare_schema(field, completeness);
  if (field.has_default()) {
    if (const auto value = default_value(field)) schema["default"] = *value;
  }
  Json described{{"description", description(field, schema)}};
  described.update(schema);
  return described;
}

Json mapping_schema(const std::vector<ParameterInfo>& fields, Completeness completeness) {
  Json schema{{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
  for (const ParameterInfo& field : fields) {
    if (field.name == "*") {
      schema["additionalProperties"] = value_schema(field, completeness);
    } else {
      schema["properties"][field.name] = value_schema(field, completeness);
    }
  }
  const Json required = required_names(fields);
  if (completeness == Completeness::whole && !required.empty()) schema["required"] = required;
  return schema;
}

Json choice_schema(const std::string& key, const std::vector<ChoiceInfo>& choices,
                   const Json& nameless, Completeness completeness) {
  Json branches = Json::array();
  for (const ChoiceInfo& choice : choices) {
    branches.push_back(choice_branch(key, choice, completeness));
  }
  return {{"type", "object"},
          {"properties", {{key, name_schema(choices)}}},
          {"allOf", std::move(branches)},
          {"if", {{"not", {{"required", {key}}}}}},
          {"then", nameless}};
}

Json name_schema(const std::vector<ChoiceInfo>& choices) {
  Json names = Json::array();
  Json summaries = Json::array();
  for (const ChoiceInfo& choice : choices) {
    names.push_back(choice.name);
    summaries.push_back(choice.summary);
  }
  return {{"type", "string"}, {"enum", names}, {"enumDescriptions", summaries}};
}

Json required_names(const std::vector<ParameterInfo>& fields) {
  Json names = Json::array();
  for (const ParameterInfo& field : fields) {
    if (field.is_required() && field.name != "*") names.push_back(field.name);
  }
  return names;
}

Json reference(const std::string& name) {
  return {{"$ref", "#/definitions/" + name}};
}

}  // namespace mimus::emulator
