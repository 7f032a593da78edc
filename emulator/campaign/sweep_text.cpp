// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <filesystem>

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

/// "tenants per_gpu=2", or "tenants-2" without the keys. The latter leaves mappings out, which may
/// be long: cells that differ in them alone are told apart by the former.
std::string mapping_text(const ConfigNode& mapping, const std::string& separator, bool with_keys) {
  std::string out;
  for (const auto& [key, value] : mapping.members) {
    if (!with_keys && value.kind == ConfigNode::Kind::mapping) continue;
    const bool bare = !with_keys || is_choice_key(key);
    out += (out.empty() ? "" : separator) + (bare ? "" : key + "=") + value_text(value);
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
  return mapping_text(value, " ", true);
}

std::string value_label(const std::string& path, const ConfigNode& value) {
  const std::string last_key = path.substr(path.rfind('.') + 1);
  if (value.kind == ConfigNode::Kind::mapping) {
    const bool is_choice = value.find("name") != nullptr || value.find("source") != nullptr;
    return mapping_text(value, "-", !is_choice);
  }
  const std::string text = value_text(value);
  if (last_key == "path" && !text.empty()) return std::filesystem::path(text).stem().string();
  const bool is_bare = starts_like_a_number(text) || text == "true" || text == "false";
  return is_bare ? last_key + "=" + text : text;
}

}  // namespace mimus::emulator
