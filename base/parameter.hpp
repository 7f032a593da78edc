// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/value_domain.hpp"

namespace mimus {

/// One key of a mapping, such as a parameter of a registered choice: what the CLI, the docs and the
/// JSON Schema say of it. Made by a Param or a Field (base/fields.hpp), which read the value, too.
struct ParameterInfo {
  std::string name;           ///< "*" stands for any name
  ValueSpec spec;             ///< what is allowed
  std::string default_value;  ///< as it would be written in YAML; "" required, "-" optional
  std::string summary;        ///< one line
  std::vector<ParameterInfo> fields{};  ///< keys of a mapping, or of each of a list of mappings

  /// "integer", "number", "duration", "text", "list of durations", …
  [[nodiscard]] std::string type() const {
    const bool of_mappings = spec.form == ValueSpec::Form::list && !fields.empty();
    return of_mappings ? "list of mappings" : type_text(spec);
  }
  /// For people, e.g. ">= 1" or "first, last".
  [[nodiscard]] std::string range() const { return range_text(spec); }
  [[nodiscard]] bool is_required() const { return default_value.empty(); }
  /// Whether leaving the key out is the same as writing a value down.
  [[nodiscard]] bool has_default() const { return !is_required() && default_value != "-"; }
};

/// The declaration of one key, through which its value is read: name, default and limits that
/// readers are told of are those that are read with.
template <class T, class Allowed = Domain<T>>
class Param {
 public:
  /// `fallback`: what leaving the key out means. Without one the key is required, unless `T` is an
  /// optional.
  Param(std::string name, std::optional<T> fallback, Allowed allowed, std::string summary)
      : fallback_(std::move(fallback)), allowed_(std::move(allowed)) {
    info_ = {std::move(name), allowed_.spec(), fallback_ ? allowed_.text(*fallback_) : "",
             std::move(summary)};
  }

  [[nodiscard]] T read(YamlReader& reader) const {
    if (fallback_ && !reader.has(info_.name)) return *fallback_;
    return allowed_.read(reader.node(info_.name), reader.child_path(info_.name));
  }
  [[nodiscard]] const ParameterInfo& info() const { return info_; }

 private:
  std::optional<T> fallback_;
  Allowed allowed_;
  ParameterInfo info_;
};

}  // namespace mimus
