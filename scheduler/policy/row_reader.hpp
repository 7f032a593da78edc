// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/registry.hpp"
#include "base/yaml_reader.hpp"

namespace mimus::scheduler {

/// A value as text for comparison: equal quantities give equal texts, however they were written.
[[nodiscard]] std::string comparable(const ConfigNode& node);
/// A value as text for labels.
[[nodiscard]] std::string shown(const ConfigNode& node);
/// The default of a parameter as text for comparison; "" if it has none.
[[nodiscard]] const std::string& comparable_default(const ParameterInfo& parameter);

/// A choice as text: `name` or `name(parameter=value,…)` with the parameters that differ from their
/// defaults, written by `value_text`.
template <class Interface, class ValueText>
std::string label_of(const Registry<Interface>& registry, const ConfigNode& node,
                     ValueText&& value_text) {
  if (node.kind == ConfigNode::Kind::scalar) return node.scalar;
  const std::string name = node.find("name")->scalar;
  const auto choice = std::find_if(registry.choices().begin(), registry.choices().end(),
                                   [&](const auto& c) { return c.name == name; });
  std::vector<std::string> changed;
  for (const ParameterInfo& parameter : choice->parameters) {
    const ConfigNode* value = node.find(parameter.name);
    if (value == nullptr || value->kind == ConfigNode::Kind::null) continue;
    if (parameter.spec.type == ValueSpec::Type::script) continue;
    if (comparable(*value) == comparable_default(parameter)) continue;
    changed.push_back(fmt::format("{}={}", parameter.name, value_text(*value)));
  }
  return changed.empty() ? name : fmt::format("{}({})", name, fmt::join(changed, ","));
}

/// Reads one seam after the other and builds the label.
class RowReader {
 public:
  RowReader(const ConfigNode& node, const std::string& path) : reader_(node, path) {}

  template <class Interface>
  std::unique_ptr<Interface> read(const Registry<Interface>& registry, const char* seam,
                                  const std::string& fallback) {
    const ConfigNode chosen =
        reader_.has(seam) ? reader_.node(seam) : ConfigNode::text(fallback, {});
    auto made = registry.make(chosen, reader_.child_path(seam));
    const std::string label = label_of(registry, chosen, shown);
    content_ += fmt::format("{}={};", seam, label_of(registry, chosen, comparable));
    labels_[seam] = label;
    const bool in_every_label = registry.kind() == "order" || registry.kind() == "placement" ||
                                registry.kind() == "sharing" || registry.kind() == "batch";
    if (in_every_label || label != fallback) parts_.push_back(label);
    return made;
  }

  YamlReader& yaml() { return reader_; }
  /// The text of a seam that has been read.
  [[nodiscard]] const std::string& label(const std::string& seam) const { return labels_.at(seam); }
  [[nodiscard]] std::string label() const { return fmt::format("{}", fmt::join(parts_, "/")); }
  /// Equal for equal policies.
  [[nodiscard]] const std::string& content() const { return content_; }

 private:
  YamlReader reader_;
  std::string content_;
  std::vector<std::string> parts_;
  std::map<std::string, std::string> labels_;
};

}  // namespace mimus::scheduler
