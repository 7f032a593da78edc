// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/campaign_document.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/relative_path.hpp"
#include "base/yaml_reader.hpp"

namespace mimus::emulator {
namespace {

namespace fs = std::filesystem;

/// Far above any campaign, and far below what would exhaust the memory during parsing.
constexpr std::uintmax_t kMaxFileBytes = 16U << 20U;

/// YAML is text. A NUL byte near the front indicates a program or an archive.
bool looks_binary(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string front(4096, ' ');
  stream.read(front.data(), static_cast<std::streamsize>(front.size()));
  front.resize(static_cast<std::size_t>(stream.gcount()));
  return front.find('\0') != std::string::npos;
}

/// What is wrong with the file, or "".
std::string fault_of(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return "does not exist; check the path";
  if (fs::is_directory(status)) return "is a folder; name the YAML file in it";
  if (fs::is_fifo(status)) return "";
  if (!fs::is_regular_file(status)) return "is not a file";
  const std::uintmax_t size = fs::file_size(path, error);
  if (size == 0) return "is empty; it must begin with \"schema: 1\"";
  if (size > kMaxFileBytes) return "is larger than 16 MiB";
  return looks_binary(path) ? "is a binary file, not YAML" : "";
}

void check_schema(const ConfigNode& document) {
  YamlReader reader(document, "");
  const auto schema = reader.get_or<std::int64_t>("schema", 1);
  if (schema == 1) return;
  reader.fail(
      "schema",
      fmt::format(
          "{} is not the version that this program reads, which is 1; check mimus --version",
          schema));
}

ConfigNode load_mapping(const std::string& path, const SourceLocation& named_at) {
  check_input_file(path, named_at, "base");
  ConfigNode document = load_yaml_file(path);
  if (document.kind == ConfigNode::Kind::null) {
    throw ConfigError({path, 0, 0}, "", "has no content; it must begin with \"schema: 1\"");
  }
  check_schema(document);
  return document;
}

std::vector<ConfigNode> base_paths(const ConfigNode& base) {
  if (base.kind != ConfigNode::Kind::sequence) return {base};
  return base.items;
}

void erase_key(ConfigNode& mapping, std::string_view key) {
  std::erase_if(mapping.members, [&](const auto& member) { return member.first == key; });
}

/// One name per file, whatever path leads to it. A pipe keeps its own name, because it has no place
/// in the file system.
std::string canonical_name(const std::string& path) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(path, error);
  return error ? path : canonical.string();
}

/// `open` lists the files that are being merged, outermost first.
ConfigNode load_chain(const std::string& path, const SourceLocation& named_at,
                      std::vector<std::string>& open) {
  const std::string canonical = canonical_name(path);
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

void check_input_file(const std::string& path, const SourceLocation& named_at,
                      const std::string& key) {
  const std::string fault = fault_of(path);
  if (fault.empty()) return;
  if (named_at.file.empty()) throw ConfigError({path, 0, 0}, "", fault);
  throw ConfigError(named_at, key, fmt::format("\"{}\" {}", path, fault));
}

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

ConfigNode load_document(const std::string& path, const std::vector<Override>& overrides) {
  std::vector<std::string> open;
  ConfigNode document = load_chain(path, {}, open);
  for (const Override& setting : overrides) {
    if (setting.path == "base" || setting.path == "schema") {
      throw ConfigError(location_of(setting), "", "can only be set in a file");
    }
    set_key(document, setting.path, value_of(setting));
  }
  return document;
}

void set_key(ConfigNode& document, const std::string& path, const ConfigNode& value) {
  ConfigNode* policy = document.find("policy");
  const bool is_preset = policy != nullptr && policy->kind == ConfigNode::Kind::scalar;
  if (is_preset && path.starts_with("policy.")) {
    ConfigNode row = ConfigNode::mapping(policy->where);
    row.members.emplace_back("preset", *policy);
    *policy = std::move(row);
  }
  set_path(document, path, value);
}

}  // namespace mimus::emulator
