// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "base/config_tree.hpp"

namespace mimus {
namespace {

/// Whether `text` without quotes reads back as itself and not as a null or a document marker.
bool is_plain_safe(std::string_view text) {
  if (text.empty()) return false;
  const bool safe = std::all_of(text.begin(), text.end(), [](char c) {
    constexpr std::string_view kHarmless = "_.-/ +%";
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           kHarmless.find(c) != std::string_view::npos;
  });
  return safe && text.front() != ' ' && text.back() != ' ' && text.front() != '-' &&
         text.front() != '%' && text != "null" && text != "Null" && text != "NULL" &&
         !text.starts_with("...");
}

std::string emit_scalar(const ConfigNode& node) {
  const std::string_view text = node.scalar;
  const bool negative_number = text.size() > 1 && text[0] == '-' &&
                               std::isdigit(static_cast<unsigned char>(text[1])) != 0 &&
                               is_plain_safe(text.substr(1));
  if (!node.quoted && (is_plain_safe(text) || negative_number)) return node.scalar;
  YAML::Emitter emitter;
  emitter << YAML::DoubleQuoted << node.scalar;
  return emitter.c_str();
}

void emit(const ConfigNode& node, int indent, std::string& out);

void emit_child(const ConfigNode& child, int indent, std::string& out) {
  const bool nested = (child.kind == ConfigNode::Kind::mapping && !child.members.empty()) ||
                      (child.kind == ConfigNode::Kind::sequence && !child.items.empty());
  out += nested ? "\n" : " ";
  emit(child, indent + 2, out);
}

void emit(const ConfigNode& node, int indent, std::string& out) {
  const std::string pad(static_cast<std::size_t>(indent), ' ');
  switch (node.kind) {
    case ConfigNode::Kind::null:
      out += "null\n";
      return;
    case ConfigNode::Kind::scalar:
      out += emit_scalar(node) + "\n";
      return;
    case ConfigNode::Kind::sequence:
      if (node.items.empty()) out += "[]\n";
      for (const auto& item : node.items) {
        out += pad + "-";
        emit_child(item, indent, out);
      }
      return;
    case ConfigNode::Kind::mapping:
      if (node.members.empty()) out += "{}\n";
      for (const auto& [key, value] : node.members) {
        out += pad + emit_scalar(ConfigNode::text(key)) + ":";
        emit_child(value, indent, out);
      }
      return;
  }
}

}  // namespace

std::string to_yaml(const ConfigNode& node) {
  std::string out;
  emit(node, 0, out);
  return out;
}

std::string canonical_text(const ConfigNode& node) {
  switch (node.kind) {
    case ConfigNode::Kind::null:
      return "~";
    case ConfigNode::Kind::scalar:
      return fmt::format("{}:{}", node.scalar.size(), node.scalar);
    case ConfigNode::Kind::sequence: {
      std::string out = "[";
      for (const auto& item : node.items) out += canonical_text(item) + ",";
      return out + "]";
    }
    case ConfigNode::Kind::mapping:
      break;
  }
  auto sorted = node.members;
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string out = "{";
  for (const auto& [key, value] : sorted) {
    out += fmt::format("{}:{}={},", key.size(), key, canonical_text(value));
  }
  return out + "}";
}

}  // namespace mimus
