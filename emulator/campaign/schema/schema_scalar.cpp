// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/schema/schema_scalar.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <string_view>
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

std::optional<double> number_in(const std::ssub_match& text) {
  return text.matched ? parse_number(text.str()) : std::nullopt;
}

/// ">= 1", "> 0 and <= 1", "weights >= 0", "1 to 64", "0 s to 1 s" and "1"; limits that are words
/// (">= rack_after") are none. Units are left out: only the sign of a quantity's limit is used.
Bounds bounds_of(const std::string& range) {
  static const std::string number = R"((-?[0-9.]+(?:e[+-]?[0-9]+)?)(?: [A-Za-z/]+)?)";
  static const std::regex compared("(?:^|[ ,])(>=|>) " + number + "(?: and <= " + number + ")?$");
  static const std::regex between("^" + number + " to " + number + "$");
  static const std::regex single("^([0-9]+)$");
  std::smatch match;
  if (std::regex_search(range, match, compared)) {
    return {number_in(match[2]), number_in(match[3]), match[1] == ">"};
  }
  if (std::regex_match(range, match, between)) return {number_in(match[1]), number_in(match[2])};
  if (std::regex_match(range, match, single)) return {number_in(match[1]), number_in(match[1])};
  return {};
}

/// "first, last" and "first or last" list words; anything with more than words is prose.
std::vector<std::string> words_of(const std::string& range) {
  static const std::regex separator(", | or ");
  static const std::regex word("[A-Za-z0-9_-]+");
  std::vector<std::string> words(
      std::sregex_token_iterator(range.begin(), range.end(), separator, -1), {});
  const bool all = std::all_of(words.begin(), words.end(),
                               [](const std::string& w) { return std::regex_match(w, word); });
  return all && words.size() > 1 ? words : std::vector<std::string>{};
}

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
  // The reader takes any scalar for text: `name: 2024` is a name.
  return {{"type", {"string", "number", "boolean"}}};
}

struct QuantityType {
  std::string_view type;
  std::string_view units;
};
constexpr std::array kQuantities{
    QuantityType{"duration", kDurationUnits}, QuantityType{"memory", kByteUnits},
    QuantityType{"bandwidth", kByteRateUnits}, QuantityType{"compute rate", kFlopRateUnits}};

const QuantityType* quantity_named(const std::string& type) {
  const auto found = std::find_if(kQuantities.begin(), kQuantities.end(),
                                  [&](const QuantityType& q) { return q.type == type; });
  return found == kQuantities.end() ? nullptr : &*found;
}

/// A number, at most one blank, a unit. Limits other than "not negative" and "not zero" would need
/// a pattern per unit.
Json quantity_schema(const QuantityType& quantity, const Bounds& bounds) {
  const bool positive = bounds.min && (bounds.above_min || *bounds.min > 0.0);
  std::string units(quantity.units);
  for (std::size_t at = 0; (at = units.find(", ", at)) != std::string::npos;) {
    units.replace(at, 2, "|");
  }
  const std::string sign = bounds.min && *bounds.min >= 0.0 ? "" : "-?";
  const std::string nonzero = positive ? "(?=[0-9.]*[1-9])" : "";
  const char* limit = positive ? " > 0" : sign.empty() ? " >= 0" : "";
  return {{"type", "string"},
          {"pattern", fmt::format("^{}{}(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)? ?({})$",
                                  nonzero, sign, units)},
          // Shown by editors in place of the pattern.
          {"patternErrorMessage",
           fmt::format("expected a {}{} with a unit ({})", quantity.type, limit, quantity.units)}};
}

/// `7` or `41x11`.
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

/// "number or max": a number, or that word.
std::optional<std::string> word_beside_number(const std::string& type) {
  constexpr std::string_view kNumberOr = "number or ";
  return type.starts_with(kNumberOr) ? std::optional(type.substr(kNumberOr.size())) : std::nullopt;
}

bool fits(const std::string& type, const std::string& range, const Json& value) {
  if (type.starts_with("list")) return value.is_array();
  if (type == "mapping") return value.is_object();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number" || type == "fraction") return value.is_number();
  if (const auto word = word_beside_number(type)) return value.is_number() || value == *word;
  if (quantity_named(type) == nullptr) {
    const auto words = words_of(range);
    const bool is_word = value.is_string() && std::find(words.begin(), words.end(),
                                                        value.get<std::string>()) != words.end();
    return is_word || (words.empty() && !value.is_object() && !value.is_array());
  }
  static const std::regex quantity("-?[0-9.]+ ?[A-Za-z/]+");
  return value.is_string() && std::regex_match(value.get<std::string>(), quantity);
}

}  // namespace

Json scalar_schema(const std::string& type, const std::string& range) {
  if (type == "integer") return number_schema("integer", bounds_of(range));
  if (type == "number" || type == "fraction") return number_schema("number", bounds_of(range));
  if (type == "boolean") return {{"type", "boolean"}};
  if (type == "text" || type == "choice" || type == "path" || type == "script")
    return text_schema(words_of(range));
  if (type == "extent") return extent_schema();
  if (const auto word = word_beside_number(type)) {
    return {{"anyOf",
             Json::array({number_schema("number", bounds_of(range)), Json{{"const", *word}}})}};
  }
  const QuantityType* quantity = quantity_named(type);
  ensure(quantity != nullptr, "a field table has a type that JSON Schema does not know: " + type);
  return quantity_schema(*quantity, bounds_of(range));
}

Json scalar_schema(const ValueSpec& spec) {
  using Type = ValueSpec::Type;
  const Bounds bounds = bounds_of(spec.limits);
  switch (spec.type) {
    case Type::boolean:
      return {{"type", "boolean"}};
    case Type::integer:
      return number_schema("integer", bounds);
    case Type::number:
      if (spec.words.empty()) return number_schema("number", bounds);
      return {{"anyOf", Json::array({number_schema("number", bounds),
                                     Json{{"const", spec.words.front()}}})}};
    case Type::text:
    case Type::path:
      return text_schema(spec.words);
    case Type::choice:
      return reference("policy." + spec.registry);
    default:
      return quantity_schema(*quantity_named(type_text({.type = spec.type})), bounds);
  }
}

bool is_range_in_schema(const ValueSpec& spec) {
  if (!spec.beyond.empty()) return false;
  const bool is_quantity = quantity_named(type_text({.type = spec.type})) != nullptr;
  const bool signs_alone = spec.limits.max == kAny.max && spec.limits.min <= kPositive.min;
  return !is_quantity || signs_alone;
}

bool is_range_in_schema(const std::string& type, const std::string& range) {
  if (type == "boolean" || range == "at least one" || !words_of(range).empty()) return true;
  if (quantity_named(type) != nullptr) {
    return range == "> 0" || range == "> 0 s" || range == ">= 0" || range == ">= 0 s";
  }
  const bool starts_with_limit =
      !range.empty() && (range.front() == '>' || std::isdigit(range.front()) != 0);
  return starts_with_limit && bounds_of(range).min.has_value();
}

std::optional<Json> default_value(const ParameterInfo& field) {
  Json value;
  try {
    value = as_json(parse_yaml(field.default_value, field.name));
  } catch (const ConfigError&) {
    return std::nullopt;
  }
  if (field.default_value.starts_with("= ")) return std::nullopt;
  if (field.spec) return value;
  return fits(field.type, field.range, value) ? std::optional<Json>(value) : std::nullopt;
}

}  // namespace mimus::emulator
