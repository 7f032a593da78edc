// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/value_domain.hpp"

namespace mimus {

/// One key of a mapping, such as a parameter of a registered choice, as the CLI, the docs and the
/// JSON Schema describe it. It is made by a Param or a Field (base/fields.hpp), which also read the
/// value.
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
  /// Whether omitting the key is the same as writing some value.
  [[nodiscard]] bool has_default() const { return !is_required() && default_value != "-"; }
};

/// The declaration of one key. Its value is read through it, so the documented name, default and
/// limits are those that reading uses.
template <class T, class Allowed = Domain<T>>
class Param {
 public:
  /// `fallback` is the default. Without one the key is required, unless `T` is an optional.
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
