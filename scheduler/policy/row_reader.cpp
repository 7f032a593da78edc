// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policy/row_reader.hpp"

#include "base/quantity_text.hpp"

namespace mimus::scheduler {

std::string comparable(const ConfigNode& node) {
  if (node.kind == ConfigNode::Kind::sequence) {
    std::vector<std::string> items;
    for (const ConfigNode& item : node.items) items.push_back(comparable(item));
    return fmt::format("[{}]", fmt::join(items, " "));
  }
  if (node.kind != ConfigNode::Kind::scalar) return canonical_text(node);
  if (const auto duration = parse_duration(node.scalar)) return format_duration(*duration);
  if (const auto number = parse_number(node.scalar)) return fmt::format("{}", *number);
  return node.scalar;
}

std::string shown(const ConfigNode& node) {
  if (node.kind == ConfigNode::Kind::scalar) return node.scalar;
  std::vector<std::string> parts;
  for (const ConfigNode& item : node.items) parts.push_back(shown(item));
  for (const auto& [key, value] : node.members) {
    parts.push_back(fmt::format("{}={}", key, shown(value)));
  }
  return fmt::format("[{}]", fmt::join(parts, " "));
}

// Each text is parsed once: a campaign reads the same few defaults for every cell.
const std::string& comparable_default(const ParameterInfo& parameter) {
  static std::map<std::string, std::string, std::less<>> known{{"", ""}};
  if (!parameter.has_default()) return known.at("");
  const auto found = known.find(parameter.default_value);
  if (found != known.end()) return found->second;
  std::string text = comparable(parse_yaml(parameter.default_value, parameter.name));
  return known.emplace(parameter.default_value, std::move(text)).first->second;
}

}  // namespace mimus::scheduler
