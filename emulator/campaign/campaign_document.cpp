// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/campaign_document.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/yaml_reader.hpp"

namespace mimus::emulator {
namespace {

namespace fs = std::filesystem;

/// Far above any campaign, far below what would exhaust memory while parsing.
constexpr std::uintmax_t kMaxFileBytes = 16U << 20U;

void check_readable(const std::string& path, const SourceLocation& named_at) {
  const auto refuse = [&](const std::string& what) {
    const bool named = !named_at.file.empty();
    throw ConfigError(named ? named_at : SourceLocation{path, 0, 0}, named ? "base" : "",
                      named ? fmt::format("\"{}\" {}", path, what) : what);
  };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) refuse("does not exist; check the path");
  if (fs::is_directory(status)) refuse("is a folder; name the YAML file in it");
  if (!fs::is_regular_file(status) && !fs::is_fifo(status)) refuse("is not a file");
  if (!fs::is_regular_file(status)) return;
  const std::uintmax_t size = fs::file_size(path, error);
  if (size == 0) refuse("is empty; a campaign starts with \"schema: 1\"");
  if (size > kMaxFileBytes) refuse("is larger than 16 MiB, which no campaign is");
}

ConfigNode load_mapping(const std::string& path, const SourceLocation& named_at) {
  check_readable(path, named_at);
  ConfigNode document = load_yaml_file(path);
  if (document.kind == ConfigNode::Kind::null) {
    throw ConfigError({path, 0, 0}, "", "has no content; a campaign starts with \"schema: 1\"");
  }
  YamlReader reader(document, "");
  (void)reader.get_or<std::int64_t>("schema", 1, {.min = 1, .max = 1});
  return document;
}

std::vector<ConfigNode> base_paths(const ConfigNode& base) {
  if (base.kind != ConfigNode::Kind::sequence) return {base};
  return base.items;
}

void erase_key(ConfigNode& mapping, std::string_view key) {
  std::erase_if(mapping.members, [&](const auto& member) { return member.first == key; });
}

/// `open` holds the files that are being merged, outermost first.
ConfigNode load_chain(const std::string& path, const SourceLocation& named_at,
                      std::vector<std::string>& open) {
  const std::string canonical = fs::weakly_canonical(path).string();
  if (std::find(open.begin(), open.end(), canonical) != open.end()) {
    throw ConfigError(named_at, "base",
                      fmt::format("\"{}\" leads back to itself; a base must not name a file that "
                                  "names it",
                                  path));
  }
  ConfigNode document = load_mapping(path, named_at);
  const ConfigNode* base = document.find("base");
  if (base == nullptr) return document;
  open.push_back(canonical);
  ConfigNode under = ConfigNode::mapping(document.where);
  for (const ConfigNode& item : base_paths(*base)) {
    const auto name = read_scalar<std::string>(item, "base");
    under = merged(under, load_chain(relative_to(item.where, name), item.where, open));
  }
  open.pop_back();
  erase_key(document, "base");
  return merged(under, document);
}

void relocate(ConfigNode& node, const SourceLocation& where) {
  node.where = where;
  for (ConfigNode& item : node.items) relocate(item, where);
  for (auto& [key, value] : node.members) relocate(value, where);
}

}  // namespace

SourceLocation location_of(const Override& setting) {
  return {fmt::format("--set {}={}", setting.path, setting.value), 0, 0};
}

ConfigNode parse_value(const std::string& yaml, const SourceLocation& where) {
  ConfigNode value = parse_yaml(yaml, where.file);
  relocate(value, where);
  return value;
}

ConfigNode value_of(const Override& setting) {
  const SourceLocation where = location_of(setting);
  try {
    return parse_value(setting.value, where);
  } catch (const ConfigError&) {
    throw ConfigError(where, "", "the value is not valid YAML; quote it for the shell");
  }
}

std::string relative_to(const SourceLocation& where, const std::string& path) {
  const bool on_command_line = where.line == 0;
  if (on_command_line || fs::path(path).is_absolute()) return path;
  return (fs::path(where.file).parent_path() / path).lexically_normal().string();
}

ConfigNode load_document(const std::string& path, const std::vector<Override>& overrides) {
  std::vector<std::string> open;
  ConfigNode document = load_chain(path, {}, open);
  for (const Override& setting : overrides) {
    if (setting.path == "base" || setting.path == "schema") {
      throw ConfigError(location_of(setting), "", "only a file can say this");
    }
    set_path(document, setting.path, value_of(setting));
  }
  return document;
}

}  // namespace mimus::emulator
