// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_tree.hpp"
#include "base/units.hpp"

namespace mimus {

/// Closed range a value must lie in. For quantities the limits are in SI base units.
struct Limits {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};
inline constexpr Limits kAny{};
inline constexpr Limits kNotNegative{.min = 0.0};
inline constexpr Limits kPositive{.min = std::numeric_limits<double>::denorm_min()};
inline constexpr Limits kAtLeastOne{.min = 1.0};
inline constexpr Limits kFraction{.min = 0.0, .max = 1.0};
[[nodiscard]] constexpr Limits at_least(double min) {
  return {.min = min};
}
[[nodiscard]] constexpr Limits between(double min, double max) {
  return {.min = min, .max = max};
}

/// Types a scalar can be read as.
template <class T>
concept ScalarValue = std::same_as<T, std::string> || std::same_as<T, bool> ||
    std::same_as<T, std::int64_t> || std::same_as<T, double> || std::same_as<T, Duration> ||
    std::same_as<T, Bytes> || std::same_as<T, BytesPerSecond> || std::same_as<T, FlopPerSecond>;

/// Reads one scalar. Throws ConfigError with the place, the path, the value and what is allowed.
template <ScalarValue T>
[[nodiscard]] T read_scalar(const ConfigNode& node, const std::string& path, Limits limits = kAny);
template <>
std::string read_scalar<std::string>(const ConfigNode& node, const std::string& path,
                                     Limits limits);
template <>
bool read_scalar<bool>(const ConfigNode& node, const std::string& path, Limits limits);
template <>
std::int64_t read_scalar<std::int64_t>(const ConfigNode& node, const std::string& path,
                                       Limits limits);
template <>
double read_scalar<double>(const ConfigNode& node, const std::string& path, Limits limits);
template <>
Duration read_scalar<Duration>(const ConfigNode& node, const std::string& path, Limits limits);
template <>
Bytes read_scalar<Bytes>(const ConfigNode& node, const std::string& path, Limits limits);
template <>
BytesPerSecond read_scalar<BytesPerSecond>(const ConfigNode& node, const std::string& path,
                                           Limits limits);
template <>
FlopPerSecond read_scalar<FlopPerSecond>(const ConfigNode& node, const std::string& path,
                                         Limits limits);

/// The items of a list, which may be empty. Throws ConfigError for anything else.
[[nodiscard]] const std::vector<ConfigNode>& read_list(const ConfigNode& node,
                                                       const std::string& path);

/// Reads one mapping strictly. Every key that is asked for becomes valid, and finish() refuses
/// every other key and names the nearest valid one. The reading code is the schema.
class YamlReader {
 public:
  /// `path` is the dotted path of `node`, "" for the root. Throws ConfigError when `node` is not
  /// a mapping. `node` must outlive the reader.
  YamlReader(const ConfigNode& node, std::string path);

  [[nodiscard]] bool has(std::string_view key);
  template <ScalarValue T>
  [[nodiscard]] T get(std::string_view key, Limits limits = kAny) {
    return read_scalar<T>(node(key), child_path(key), limits);
  }
  template <ScalarValue T>
  [[nodiscard]] T get_or(std::string_view key, T fallback, Limits limits = kAny) {
    return has(key) ? get<T>(key, limits) : fallback;
  }
  template <ScalarValue T>
  [[nodiscard]] std::optional<T> get_if(std::string_view key, Limits limits = kAny) {
    return has(key) ? std::optional<T>(get<T>(key, limits)) : std::nullopt;
  }
  /// One of `allowed`; otherwise ConfigError with the nearest match.
  [[nodiscard]] std::string choice(std::string_view key, const std::vector<std::string>& allowed);
  [[nodiscard]] std::string choice_or(std::string_view key, const std::vector<std::string>& allowed,
                                      std::string fallback);
  /// The value under a required key; ConfigError when it is missing, misspelt or empty.
  [[nodiscard]] const ConfigNode& node(std::string_view key);
  [[nodiscard]] YamlReader map(std::string_view key) { return {node(key), child_path(key)}; }
  /// The items of a required sequence.
  [[nodiscard]] const std::vector<ConfigNode>& sequence(std::string_view key);

  /// Refuses keys that were not read. Call it after the last read.
  void finish() const;

  [[nodiscard]] std::string child_path(std::string_view key) const;
  [[nodiscard]] const ConfigNode& mapping() const { return *node_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// ConfigError at `key` (or at the mapping when the key is absent).
  [[noreturn]] void fail(std::string_view key, const std::string& what) const;

 private:
  [[noreturn]] void fail_missing(std::string_view key) const;

  const ConfigNode* node_;
  std::string path_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace mimus
