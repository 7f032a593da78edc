// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"
#include "base/value_domain.hpp"

namespace mimus {
namespace {

std::string described(const ConfigNode& node) {
  switch (node.kind) {
    case ConfigNode::Kind::null:
      return "nothing";
    case ConfigNode::Kind::scalar:
      return fmt::format("\"{}\"", node.scalar);
    case ConfigNode::Kind::sequence:
      return "a list";
    case ConfigNode::Kind::mapping:
      return "a mapping";
  }
  return "something else";
}

[[noreturn]] void refuse(const ConfigNode& node, const std::string& path, std::string_view expected,
                         Limits limits) {
  const std::string range = limits_text(limits);
  throw ConfigError(node.where, path,
                    fmt::format("expected {}{}{}, got {}", expected, range.empty() ? "" : " ",
                                range, described(node)));
}

/// Limits of quantities are numbers in SI base units: seconds, bytes, bytes/s, FLOP/s.
double base_value(Duration d) {
  return to_seconds(d);
}
template <class U>
double base_value(Quantity<U> q) {
  return q.value;
}
double base_value(double v) {
  return v;
}
double base_value(std::int64_t v) {
  return static_cast<double>(v);
}

template <class T>
T checked(const ConfigNode& node, const std::string& path, std::optional<T> value,
          std::string_view expected, Limits limits) {
  const bool plain = node.kind == ConfigNode::Kind::scalar && !node.quoted;
  if (!plain || !value) refuse(node, path, expected, limits);
  const double base = base_value(*value);
  if (base < limits.min || base > limits.max) refuse(node, path, expected, limits);
  return *value;
}

/// Quantities may be quoted: many people write "90 s" for a value with a blank in it.
template <class T>
T checked_quantity(const ConfigNode& node, const std::string& path, std::optional<T> value,
                   std::string_view kind, std::string_view units, Limits limits) {
  ConfigNode plain = node;
  plain.quoted = false;
  return checked(plain, path, value, fmt::format("{} with a unit ({})", kind, units), limits);
}

}  // namespace

template <>
std::string read_scalar<std::string>(const ConfigNode& node, const std::string& path, Limits) {
  if (node.kind != ConfigNode::Kind::scalar) refuse(node, path, "text", kAny);
  return node.scalar;
}

template <>
bool read_scalar<bool>(const ConfigNode& node, const std::string& path, Limits) {
  const bool plain = node.kind == ConfigNode::Kind::scalar && !node.quoted;
  if (plain && node.scalar == "true") return true;
  if (plain && node.scalar == "false") return false;
  refuse(node, path, "true or false", kAny);
}

template <>
std::int64_t read_scalar<std::int64_t>(const ConfigNode& node, const std::string& path,
                                       Limits limits) {
  return checked(node, path, parse_integer(node.scalar), "an integer", limits);
}

template <>
double read_scalar<double>(const ConfigNode& node, const std::string& path, Limits limits) {
  return checked(node, path, parse_number(node.scalar), "a number", limits);
}

template <>
Duration read_scalar<Duration>(const ConfigNode& node, const std::string& path, Limits limits) {
  return checked_quantity(node, path, parse_duration(node.scalar), "a duration", kDurationUnits,
                          limits);
}

template <>
Bytes read_scalar<Bytes>(const ConfigNode& node, const std::string& path, Limits limits) {
  return checked_quantity(node, path, parse_bytes(node.scalar), "an amount of memory", kByteUnits,
                          limits);
}

template <>
BytesPerSecond read_scalar<BytesPerSecond>(const ConfigNode& node, const std::string& path,
                                           Limits limits) {
  return checked_quantity(node, path, parse_byte_rate(node.scalar), "a bandwidth", kByteRateUnits,
                          limits);
}

template <>
FlopPerSecond read_scalar<FlopPerSecond>(const ConfigNode& node, const std::string& path,
                                         Limits limits) {
  return checked_quantity(node, path, parse_flop_rate(node.scalar), "a compute rate",
                          kFlopRateUnits, limits);
}

YamlReader::YamlReader(const ConfigNode& node, std::string path)
    : node_(&node), path_(std::move(path)) {
  if (node.kind != ConfigNode::Kind::mapping) refuse(node, path_, "a mapping of keys", kAny);
}

bool YamlReader::has(std::string_view key) {
  known_.emplace(key);
  const ConfigNode* found = node_->find(key);
  return found != nullptr && found->kind != ConfigNode::Kind::null;
}

const ConfigNode& YamlReader::node(std::string_view key) {
  if (!has(key)) fail_missing(key);
  return *node_->find(key);
}

void YamlReader::fail_missing(std::string_view key) const {
  if (node_->find(key) != nullptr) fail(key, "has no value");
  const std::string missing = fmt::format("missing required key \"{}\"", key);
  for (const auto& [written, value] : node_->members) {
    if (known_.contains(written) || nearest_match(written, {std::string(key)}).empty()) continue;
    throw ConfigError(value.where, path_,
                      fmt::format("{}; did you write \"{}\" for it?", missing, written));
  }
  fail(key, missing);
}

const std::vector<ConfigNode>& read_list(const ConfigNode& node, const std::string& path) {
  if (node.kind != ConfigNode::Kind::sequence) refuse(node, path, "a list", kAny);
  return node.items;
}

const std::vector<ConfigNode>& YamlReader::sequence(std::string_view key) {
  return read_list(node(key), child_path(key));
}

std::string YamlReader::choice(std::string_view key, const std::vector<std::string>& allowed) {
  return allowed[read_word(node(key), child_path(key), allowed)];
}

std::string YamlReader::choice_or(std::string_view key, const std::vector<std::string>& allowed,
                                  std::string fallback) {
  return has(key) ? choice(key, allowed) : fallback;
}

void YamlReader::finish() const {
  for (const auto& [key, value] : node_->members) {
    if (known_.contains(key)) continue;
    const std::vector<std::string> allowed(known_.begin(), known_.end());
    throw ConfigError(value.where, path_, unknown_name_message("key", key, allowed));
  }
}

std::string YamlReader::child_path(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

void YamlReader::fail(std::string_view key, const std::string& what) const {
  const ConfigNode* found = node_->find(key);
  const bool at_key = found != nullptr;
  throw ConfigError(at_key ? found->where : node_->where, at_key ? child_path(key) : path_, what);
}

}  // namespace mimus
