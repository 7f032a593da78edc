// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/schema/schema_value.hpp"

#include "base/error.hpp"
#include "emulator/campaign/schema/schema_scalar.hpp"

namespace mimus::emulator {
namespace {

Json list_of(Json items, const ValueSpec& spec) {
  Json schema{{"type", "array"}, {"items", std::move(items)}};
  if (spec.at_least_one) schema["minItems"] = 1;
  return schema;
}

Json free_mapping(const ValueSpec& spec) {
  if (spec.type == ValueSpec::Type::anything) return {{"type", "object"}};
  Json values = scalar_schema(spec);
  for (int level = 0; level < spec.levels; ++level) {
    values = {{"type", "object"}, {"additionalProperties", std::move(values)}};
  }
  return values;
}

Json bare_schema(const ParameterInfo& field, Completeness completeness) {
  using Form = ValueSpec::Form;
  const ValueSpec& spec = field.spec;
  const auto mapping = [&](Completeness how) { return mapping_schema(field.fields, how); };
  const bool has_keys = !field.fields.empty();
  switch (spec.form) {
    case Form::single:
      return scalar_schema(spec);
    case Form::list:
      return list_of(has_keys ? mapping(Completeness::whole) : scalar_schema(spec), spec);
    case Form::one_or_list:
      return {{"anyOf", Json::array({scalar_schema(spec), list_of(scalar_schema(spec), spec)})}};
    case Form::one_or_mapping:
      return {{"anyOf", Json::array({scalar_schema(spec), has_keys ? mapping(completeness)
                                                                   : Json{{"type", "object"}}})}};
    case Form::mapping:
      break;
  }
  return has_keys ? mapping(completeness) : free_mapping(spec);
}

/// The text that an editor shows: the summary, and the range and default as far as they are words.
std::string description(const ParameterInfo& field, const Json& schema) {
  std::string text = field.summary;
  if (!field.range().empty() && !is_range_in_schema(field.spec)) text += "; " + field.range();
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
