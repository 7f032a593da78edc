// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <span>

#include "emulator/campaign/sweep.hpp"

namespace mimus::emulator {
namespace {

bool is_choice_key(const std::string& key) {
  return key == "name" || key == "source";
}

std::string joined_items(const ConfigNode& list) {
  std::string out;
  for (const ConfigNode& item : list.items) out += (out.empty() ? "" : "+") + value_text(item);
  return out;
}

/// "tenants per_gpu=2".
std::string mapping_text(const ConfigNode& mapping) {
  std::string out;
  for (const auto& [key, value] : mapping.members) {
    out += (out.empty() ? "" : " ") + (is_choice_key(key) ? "" : key + "=") + value_text(value);
  }
  return out;
}

/// The name of a choice or of a preset; "" for other values.
std::string name_in(const ConfigNode& value) {
  for (const char* key : {"name", "source", "preset"}) {
    const ConfigNode* name = value.find(key);
    if (name != nullptr && name->kind == ConfigNode::Kind::scalar) return name->scalar;
  }
  return "";
}

/// A mapping of mappings that are no choices, such as slowdowns of models beside models.
bool is_table(const ConfigNode& value) {
  return std::ranges::any_of(value.members, [](const auto& member) {
    return member.second.kind == ConfigNode::Kind::mapping && name_in(member.second).empty();
  });
}

/// "tenants-2", "optimus-greedy"; with keys where the mapping has no name.
std::string mapping_label(const ConfigNode& mapping) {
  const bool has_name = !name_in(mapping).empty();
  std::string out;
  for (const auto& [key, value] : mapping.members) {
    if (has_name && is_table(value)) continue;
    const std::string inner = name_in(value);
    out += (out.empty() ? "" : "-") + (has_name ? "" : key + "=") +
           (inner.empty() ? value_text(value) : inner);
  }
  return out;
}

/// Values by their keys, "planner.round": "60 s". Names of choices are left out.
using Leaves = std::map<std::string, std::string>;

void add_leaves(const ConfigNode& node, const std::string& path, Leaves& leaves) {
  for (const auto& [key, value] : node.members) {
    if (value.kind == ConfigNode::Kind::mapping) add_leaves(value, path + key + ".", leaves);
    if (value.kind != ConfigNode::Kind::mapping) leaves[path + key] = value_text(value);
  }
}

Leaves leaves_of(const ConfigNode& value) {
  Leaves leaves;
  add_leaves(value, "", leaves);
  for (const char* key : {"name", "source", "preset"}) leaves.erase(key);
  return leaves;
}

/// The label of one of several values, by what the others do not have.
std::string label_among(const std::string& path, const ConfigNode& value,
                        std::span<const ConfigNode* const> all) {
  if (path.ends_with(".path")) return value_text(value);
  if (value.kind != ConfigNode::Kind::mapping) return value_label(path, value);
  std::string out = name_in(value);
  for (const auto& leaf : leaves_of(value)) {
    const bool in_all = std::ranges::all_of(all, [&](const ConfigNode* other) {
      const Leaves leaves = leaves_of(*other);
      const auto found = leaves.find(leaf.first);
      return found != leaves.end() && found->second == leaf.second;
    });
    if (!in_all) out += (out.empty() ? "" : " ") + leaf.first + "=" + leaf.second;
  }
  return out.empty() ? value_label(path, value) : out;
}

/// The same for points with the same label, whose values differ.
std::string label_among(const SweepPoint& point, std::span<const SweepPoint* const> alike) {
  std::string out;
  for (std::size_t axis = 0; axis < point.values.size(); ++axis) {
    std::vector<const ConfigNode*> all;
    for (const SweepPoint* other : alike) all.push_back(&other->values[axis].second);
    const auto& [path, value] = point.values[axis];
    out += (axis == 0 ? "" : " / ") + label_among(path, value, all);
  }
  return out;
}

bool starts_like_a_number(const std::string& text) {
  return !text.empty() &&
         (std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '-');
}

}  // namespace

std::string value_text(const ConfigNode& value) {
  switch (value.kind) {
    case ConfigNode::Kind::null:
      return "";
    case ConfigNode::Kind::scalar:
      return value.scalar;
    case ConfigNode::Kind::sequence:
      return joined_items(value);
    case ConfigNode::Kind::mapping:
      break;
  }
  return mapping_text(value);
}

std::string value_label(const std::string& path, const ConfigNode& value) {
  const std::string last_key = path.substr(path.rfind('.') + 1);
  if (value.kind == ConfigNode::Kind::mapping) return mapping_label(value);
  const std::string text = value_text(value);
  if (last_key == "path" && !text.empty()) return std::filesystem::path(text).stem().string();
  const bool is_bare = starts_like_a_number(text) || text == "true" || text == "false";
  return is_bare ? last_key + "=" + text : text;
}

std::string label_of(const SweepPoint& point, const std::string& separator) {
  std::string label;
  for (const auto& [path, value] : point.values) {
    label += (label.empty() ? "" : separator) + value_label(path, value);
  }
  return label.empty() ? "base" : label;
}

std::vector<std::string> labels_of(std::span<const SweepPoint> points) {
  std::map<std::string, std::vector<const SweepPoint*>> by_label;
  for (const SweepPoint& point : points) by_label[label_of(point, " / ")].push_back(&point);
  std::vector<std::string> labels;
  for (const SweepPoint& point : points) {
    std::string label = label_of(point, " / ");
    const auto& alike = by_label.at(label);
    labels.push_back(alike.size() == 1 ? std::move(label) : label_among(point, alike));
  }
  return labels;
}

}  // namespace mimus::emulator
