// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/config_tree.hpp"

#include <utility>

#include <fmt/format.h>

namespace mimus {

ConfigNode::ConfigNode() = default;
ConfigNode::ConfigNode(const ConfigNode&) = default;
ConfigNode::ConfigNode(ConfigNode&&) noexcept = default;
ConfigNode& ConfigNode::operator=(const ConfigNode&) = default;
ConfigNode& ConfigNode::operator=(ConfigNode&&) noexcept = default;
ConfigNode::~ConfigNode() = default;

const ConfigNode* ConfigNode::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

ConfigNode* ConfigNode::find(std::string_view key) {
  return const_cast<ConfigNode*>(std::as_const(*this).find(key));
}

ConfigNode ConfigNode::text(std::string value, SourceLocation where) {
  ConfigNode node;
  node.kind = Kind::scalar;
  node.scalar = std::move(value);
  node.where = std::move(where);
  return node;
}

ConfigNode ConfigNode::mapping(SourceLocation where) {
  ConfigNode node;
  node.kind = Kind::mapping;
  node.where = std::move(where);
  return node;
}

ConfigNode merged(const ConfigNode& base, const ConfigNode& overlay) {
  using Kind = ConfigNode::Kind;
  if (base.kind != Kind::mapping || overlay.kind != Kind::mapping) return overlay;
  ConfigNode out = base;
  out.where = overlay.where;
  for (const auto& [key, value] : overlay.members) {
    if (ConfigNode* existing = out.find(key)) {
      *existing = merged(*existing, value);
    } else {
      out.members.emplace_back(key, value);
    }
  }
  return out;
}

const ConfigNode* find_path(const ConfigNode& root, std::string_view dotted_path) {
  const ConfigNode* node = &root;
  while (node != nullptr && !dotted_path.empty()) {
    const std::size_t dot = dotted_path.find('.');
    node = node->find(dotted_path.substr(0, dot));
    dotted_path = dot == std::string_view::npos ? "" : dotted_path.substr(dot + 1);
  }
  return node;
}

namespace {

/// Says why `rest`, the end of `path`, cannot be set inside `node`.
std::string not_inside(std::string_view path, std::string_view rest, const ConfigNode& node) {
  const std::size_t above = path.size() - rest.size();
  const std::string_view part = path.substr(0, above == 0 ? 0 : above - 1);
  const std::string what = node.kind == ConfigNode::Kind::sequence ? "a list" : node.scalar;
  return fmt::format("cannot be set: {} is {}, not a mapping; set {} as a whole",
                     part.empty() ? "the document" : part, what, part.empty() ? "it" : part);
}

}  // namespace

void set_path(ConfigNode& root, std::string_view dotted_path, ConfigNode value) {
  ConfigNode* node = &root;
  std::string_view rest = dotted_path;
  while (true) {
    if (node->kind == ConfigNode::Kind::null) node->kind = ConfigNode::Kind::mapping;
    if (node->kind != ConfigNode::Kind::mapping) {
      throw ConfigError(value.where, std::string(dotted_path),
                        not_inside(dotted_path, rest, *node));
    }
    const std::size_t dot = rest.find('.');
    const std::string key(rest.substr(0, dot));
    if (key.empty()) throw ConfigError(value.where, std::string(dotted_path), "empty key in path");
    ConfigNode* next = node->find(key);
    if (next == nullptr) {
      node->members.emplace_back(key, ConfigNode::mapping(value.where));
      next = &node->members.back().second;
    }
    if (dot == std::string_view::npos) {
      *next = std::move(value);
      return;
    }
    node = next;
    rest = rest.substr(dot + 1);
  }
}

}  // namespace mimus
