// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/schema/schema_scalar.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"

namespace mimus::emulator {
namespace {

struct Bounds {
  std::optional<double> min, max;
  bool above_min = false;  ///< "> min" instead of ">= min"
};

Json json_number(double value) {
  const bool whole = std::abs(value) < 1e15 && value == static_cast<double>(std::int64_t(value));
  return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Bounds bounds_of(Limits limits) {
  Bounds bounds;
  bounds.above_min = limits.min == kPositive.min;
  if (limits.min > kAny.min) bounds.min = bounds.above_min ? 0.0 : limits.min;
  if (limits.max < kAny.max) bounds.max = limits.max;
  return bounds;
}

Json number_schema(const char* type, const Bounds& bounds) {
  Json schema{{"type", type}};
  if (bounds.min)
    schema[bounds.above_min ? "exclusiveMinimum" : "minimum"] = json_number(*bounds.min);
  if (bounds.max) schema["maximum"] = json_number(*bounds.max);
  return schema;
}

Json text_schema(const std::vector<std::string>& words) {
  if (!words.empty()) return {{"type", "string"}, {"enum", words}};
  // The reader accepts any scalar as text: `name: 2024` is a name.
  return {{"type", {"string", "number", "boolean"}}};
}

/// The units of a quantity, or "" if the type is not a quantity.
std::string_view units_of(ValueSpec::Type type) {
  using Type = ValueSpec::Type;
  if (type == Type::duration) return kDurationUnits;
  if (type == Type::memory) return kByteUnits;
  if (type == Type::bandwidth) return kByteRateUnits;
  return type == Type::compute_rate ? kFlopRateUnits : std::string_view{};
}

/// A number, at most one blank, a unit. Limits other than "not negative" and "not zero" would need
/// one pattern per unit.
Json quantity_schema(ValueSpec::Type type, const Bounds& bounds) {
  const bool positive = bounds.min && (bounds.above_min || *bounds.min > 0.0);
  std::string units(units_of(type));
  for (std::size_t at = 0; (at = units.find(", ", at)) != std::string::npos;) {
    units.replace(at, 2, "|");
  }
  const std::string sign = bounds.min && *bounds.min >= 0.0 ? "" : "-?";
  const std::string nonzero = positive ? "(?=[0-9.]*[1-9])" : "";
  const char* limit = positive ? " > 0" : sign.empty() ? " >= 0" : "";
  return {{"type", "string"},
          {"pattern", fmt::format("^{}{}(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)? ?({})$",
                                  nonzero, sign, units)},
          // Editors show this instead of the pattern.
          {"patternErrorMessage", fmt::format("expected a {}{} with a unit ({})",
                                              type_text({.type = type}), limit, units_of(type))}};
}

/// A grid size: `7` or `41x11`.
Json extent_schema() {
  return {{"type", {"integer", "string"}},
          {"minimum", 1},
          {"maximum", 1'000'000},
          {"pattern", "^[1-9][0-9]*(x[1-9][0-9]*)?$"}};
}

Json as_json(const ConfigNode& node) {
  switch (node.kind) {
    case ConfigNode::Kind::null:
      return nullptr;
    case ConfigNode::Kind::sequence: {
      Json list = Json::array();
      for (const ConfigNode& item : node.items) list.push_back(as_json(item));
      return list;
    }
    case ConfigNode::Kind::mapping: {
      Json mapping = Json::object();
      for (const auto& [key, value] : node.members) mapping[key] = as_json(value);
      return mapping;
    }
    case ConfigNode::Kind::scalar:
      break;
  }
  if (node.scalar == "true" || node.scalar == "false") return node.scalar == "true";
  if (const auto number = parse_number(node.scalar)) return json_number(*number);
  return node.scalar;
}

bool fits_one(const ValueSpec& spec, const Json& value) {
  using Type = ValueSpec::Type;
  const auto& words = spec.words;
  const bool is_word = value.is_string() && std::find(words.begin(), words.end(),
                                                      value.get<std::string>()) != words.end();
  if (spec.type == Type::boolean) return value.is_boolean();
  if (spec.type == Type::integer) return value.is_number_integer();
  if (spec.type == Type::number) return value.is_number() || is_word;
  static const std::regex extent("[0-9]+(x[0-9]+)?");
  static const std::regex quantity("-?[0-9.]+ ?[A-Za-z/]+");
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  if (spec.type == Type::extent) return std::regex_match(text, extent);
  if (!units_of(spec.type).empty()) return is_word || std::regex_match(text, quantity);
  return is_word || (words.empty() && !value.is_object() && !value.is_array());
}

bool fits(const ValueSpec& spec, const Json& value) {
  using Form = ValueSpec::Form;
  if (spec.form == Form::list) return value.is_array();
  if (spec.form == Form::mapping) return value.is_object();
  return fits_one(spec, value);
}

Json or_word(Json schema, const ValueSpec& spec) {
  if (spec.words.empty()) return schema;
  return {{"anyOf", Json::array({std::move(schema), Json{{"const", spec.words.front()}}})}};
}

}  // namespace

Json scalar_schema(const ValueSpec& spec) {
  using Type = ValueSpec::Type;
  const Bounds bounds = bounds_of(spec.limits);
  switch (spec.type) {
    case Type::boolean:
      return {{"type", "boolean"}};
    case Type::integer:
      return number_schema("integer", bounds);
    case Type::number:
      return or_word(number_schema("number", bounds), spec);
    case Type::text:
    case Type::path:
    case Type::script:
      return text_schema(spec.words);
    case Type::extent:
      return extent_schema();
    case Type::choice:
      return reference("policy." + spec.registry);
    case Type::layer:
      return reference("layer");
    case Type::anything:
      return Json::object();
    default:
      return or_word(quantity_schema(spec.type, bounds), spec);
  }
}

bool is_range_in_schema(const ValueSpec& spec) {
  if (!spec.beyond.empty()) return false;
  const bool is_quantity = !units_of(spec.type).empty();
  const bool signs_alone = spec.limits.max == kAny.max && spec.limits.min <= kPositive.min;
  return !is_quantity || signs_alone;
}

std::optional<Json> default_value(const ParameterInfo& field) {
  Json value;
  try {
    value = as_json(parse_yaml(field.default_value, field.name));
  } catch (const ConfigError&) {
    return std::nullopt;
  }
  if (field.default_value.starts_with("= ")) return std::nullopt;
  return fits(field.spec, value) ? std::optional<Json>(value) : std::nullopt;
}

}  // namespace mimus::emulator
