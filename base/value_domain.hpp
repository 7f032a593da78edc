// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/yaml_reader.hpp"

namespace mimus {

/// The allowed values of a key, for programs: schemas and completion are made from it.
struct ValueSpec {
  enum class Type {
    boolean,
    integer,
    number,
    text,
    path,
    duration,
    memory,
    bandwidth,
    compute_rate,
    extent,   ///< `7`, or height x width as `41x11`
    choice,   ///< of a registry
    layer,    ///< of a model file
    script,   ///< text that the program fills in
    anything  ///< in a mapping that is handed on
  };
  /// A mapping is from any names, unless it has fields.
  enum class Form { single, list, one_or_list, mapping, one_or_mapping };
  Type type = Type::text;
  Form form = Form::single;
  int levels = 1;                    ///< depth of nested mappings
  bool at_least_one = false;         ///< item of a list
  Limits limits = kAny;              ///< of each number
  std::vector<std::string> words{};  ///< all allowed texts, any if empty; or words besides a number
  std::string registry{};            ///< of a choice: its kind
  std::string beyond{};              ///< a further condition for readers, e.g. ">= rack_after"
};

/// "integer", "list of durations", "mapping", …
[[nodiscard]] std::string type_text(const ValueSpec& spec);
/// ">= 1", "> 0 and <= 1", "first, last", …; `beyond` replaces it.
[[nodiscard]] std::string range_text(const ValueSpec& spec);
/// The same for limits alone, in SI base units.
[[nodiscard]] std::string limits_text(Limits limits);

/// The value as written in YAML; it reads back as the same value.
[[nodiscard]] std::string value_text(bool value);
[[nodiscard]] std::string value_text(std::int64_t value);
[[nodiscard]] std::string value_text(double value);
[[nodiscard]] std::string value_text(Duration value);
[[nodiscard]] std::string value_text(Bytes value);
[[nodiscard]] std::string value_text(BytesPerSecond value);
[[nodiscard]] std::string value_text(FlopPerSecond value);

template <ScalarValue T>
constexpr ValueSpec::Type type_of_value() {
  using Type = ValueSpec::Type;
  if constexpr (std::same_as<T, bool>) return Type::boolean;
  if constexpr (std::same_as<T, std::int64_t>) return Type::integer;
  if constexpr (std::same_as<T, double>) return Type::number;
  if constexpr (std::same_as<T, Duration>) return Type::duration;
  if constexpr (std::same_as<T, Bytes>) return Type::memory;
  if constexpr (std::same_as<T, BytesPerSecond>) return Type::bandwidth;
  if constexpr (std::same_as<T, FlopPerSecond>) return Type::compute_rate;
  return Type::text;
}

/// The values of type T that a key takes, and how they are read and written: numbers and quantities
/// with limits, booleans.
template <class T>
struct Domain {
  static_assert(ScalarValue<T>);
  Limits limits = kAny;

  Domain() = default;
  Domain(Limits all) : limits(all) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] T read(const ConfigNode& node, const std::string& path) const {
    return read_scalar<T>(node, path, limits);
  }
  [[nodiscard]] std::string text(const T& value) const { return value_text(value); }
  [[nodiscard]] ValueSpec spec() const { return {.type = type_of_value<T>(), .limits = limits}; }
};

template <>
struct Domain<int> {
  static constexpr double kLeast = std::numeric_limits<int>::min();
  static constexpr double kMost = std::numeric_limits<int>::max();
  Limits limits{kLeast, kMost};

  Domain() = default;
  Domain(Limits all)  // NOLINT(google-explicit-constructor)
      : limits{std::max(all.min, kLeast), std::min(all.max, kMost)} {}
  [[nodiscard]] int read(const ConfigNode& node, const std::string& path) const {
    return static_cast<int>(read_scalar<std::int64_t>(node, path, limits));
  }
  [[nodiscard]] std::string text(int value) const { return value_text(std::int64_t{value}); }
  [[nodiscard]] ValueSpec spec() const {
    ValueSpec spec{.type = ValueSpec::Type::integer, .limits = limits};
    if (limits.min == kLeast) spec.limits.min = kAny.min;
    if (limits.max == kMost) spec.limits.max = kAny.max;
    return spec;
  }
};

/// The index of the scalar among `words`; ConfigError if it is none of them.
[[nodiscard]] std::size_t read_word(const ConfigNode& node, const std::string& path,
                                    const std::vector<std::string>& words);
/// "[a, b]"
[[nodiscard]] std::string list_text(const std::vector<std::string>& items);
/// Throws ConfigError when two items have the same text.
void refuse_twice(const ConfigNode& list, const std::string& path);

/// Words, each with the value that it means.
template <class V>
struct Words {
  std::vector<std::string> words;
  std::vector<V> values;

  Words(std::initializer_list<std::pair<const char*, V>> all) {
    for (const auto& [word, value] : all) {
      words.emplace_back(word);
      values.push_back(value);
    }
  }
  [[nodiscard]] V read(const ConfigNode& node, const std::string& path) const {
    return values[read_word(node, path, words)];
  }
  /// "-" for a value without a word: omitting the key means it.
  [[nodiscard]] std::string text(const V& value) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == value) return words[i];
    }
    return "-";
  }
  [[nodiscard]] ValueSpec spec() const { return {.words = words}; }
};

template <class E>
requires std::is_enum_v<E>
struct Domain<E> : Words<E> {
  using Words<E>::Words;
};

/// Any text, or one of some words.
template <>
struct Domain<std::string> {
  std::vector<std::string> words;

  Domain() = default;
  Domain(std::initializer_list<const char*> all) : words(all.begin(), all.end()) {}
  [[nodiscard]] std::string read(const ConfigNode& node, const std::string& path) const {
    return words.empty() ? read_scalar<std::string>(node, path)
                         : words[read_word(node, path, words)];
  }
  [[nodiscard]] std::string text(const std::string& value) const { return value; }
  [[nodiscard]] ValueSpec spec() const { return {.words = words}; }
};

/// An optional key; its absence is not a value of T.
template <class T>
struct Domain<std::optional<T>> : Domain<T> {
  using Domain<T>::Domain;
  Domain() = default;
  Domain(Domain<T> given) : Domain<T>(std::move(given)) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] std::optional<T> read(const ConfigNode& node, const std::string& path) const {
    return Domain<T>::read(node, path);
  }
  [[nodiscard]] std::string text(const std::optional<T>& value) const {
    return value ? Domain<T>::text(*value) : "-";
  }
};

template <class T>
struct Domain<std::vector<T>> : Domain<T> {
  using Domain<T>::Domain;
  Domain() = default;
  Domain(Domain<T> item) : Domain<T>(std::move(item)) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] std::vector<T> read(const ConfigNode& node, const std::string& path) const {
    std::vector<T> all;
    const auto& items = read_list(node, path);
    if constexpr (std::is_enum_v<T>) refuse_twice(node, path);
    for (std::size_t i = 0; i < items.size(); ++i) {
      all.push_back(Domain<T>::read(items[i], path + "[" + std::to_string(i) + "]"));
    }
    return all;
  }
  [[nodiscard]] std::string text(const std::vector<T>& all) const {
    std::vector<std::string> items;
    for (const T& value : all) items.push_back(Domain<T>::text(value));
    return list_text(items);
  }
  [[nodiscard]] ValueSpec spec() const {
    ValueSpec spec = Domain<T>::spec();
    spec.form = ValueSpec::Form::list;
    return spec;
  }
};

/// A mapping from any names to values.
template <class T>
struct Domain<std::map<std::string, T>> : Domain<T> {
  using Domain<T>::Domain;
  Domain() = default;
  [[nodiscard]] std::map<std::string, T> read(const ConfigNode& node,
                                              const std::string& path) const {
    std::map<std::string, T> all;
    const YamlReader reader(node, path);
    for (const auto& [name, value] : node.members) {
      all[name] = Domain<T>::read(value, reader.child_path(name));
    }
    return all;
  }
  [[nodiscard]] ValueSpec spec() const {
    ValueSpec spec = Domain<T>::spec();
    if (spec.form == ValueSpec::Form::mapping) ++spec.levels;
    spec.form = ValueSpec::Form::mapping;
    return spec;
  }
  [[nodiscard]] std::string text(const std::map<std::string, T>& all) const {
    std::vector<std::string> items;
    for (const auto& [name, value] : all) items.push_back(name + ": " + Domain<T>::text(value));
    const std::string list = list_text(items);
    return "{" + list.substr(1, list.size() - 2) + "}";
  }
};

}  // namespace mimus
