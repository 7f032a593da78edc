// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/fields.hpp"

namespace mimus {

/// One mapping, whose keys are `parts` and no others.
template <class Part>
[[nodiscard]] Part read_mapping(const Fields<Part>& parts, YamlReader reader) {
  Part part = read_fields(parts, reader);
  reader.finish();
  return part;
}

/// A mapping that may be left out, whose keys go into a part of the settings.
template <class S, class Member, class Part>
[[nodiscard]] Field<S> mapping_field(std::string name, Member S::*member, Fields<Part> parts,
                                     std::string range, std::string summary) {
  ValueSpec spec{.form = ValueSpec::Form::mapping, .beyond = std::move(range)};
  ParameterInfo info{name, std::move(spec), "-", std::move(summary), parameters_of(parts)};
  return {std::move(info),
          [name, member, parts = std::move(parts)](YamlReader& reader, S& settings) {
            if (reader.has(name)) settings.*member = read_mapping(parts, reader.map(name));
          }};
}

/// The same of one that must be given.
template <class S, class Member, class Part>
[[nodiscard]] Field<S> required_mapping(std::string name, Member S::*member, Fields<Part> parts,
                                        std::string summary) {
  Field<S> field = mapping_field(name, member, std::move(parts), "", std::move(summary));
  field.read = [name, read = std::move(field.read)](YamlReader& reader, S& settings) {
    (void)reader.node(name);
    read(reader, settings);
  };
  return std::move(field).or_else("");
}

/// From any names to mappings of one kind.
template <class S, class Part>
[[nodiscard]] Field<S> named_mappings(std::string name, std::map<std::string, Part> S::*member,
                                      Fields<Part> parts, std::string of_name,
                                      std::string summary) {
  const ValueSpec spec{.form = ValueSpec::Form::mapping};
  ParameterInfo any{"*", spec, "-", std::move(of_name), parameters_of(parts)};
  ParameterInfo info{name, spec, "-", std::move(summary), {std::move(any)}};
  return {std::move(info),
          [name, member, parts = std::move(parts)](YamlReader& reader, S& settings) {
            if (!reader.has(name)) return;
            YamlReader entries = reader.map(name);
            for (const auto& [key, node] : entries.mapping().members) {
              (settings.*member)[key] = read_mapping(parts, entries.map(key));
            }
          }};
}

/// A list of mappings of one kind.
template <class S, class Part>
[[nodiscard]] Field<S> list_field(std::string name, std::vector<Part> S::*member,
                                  Fields<Part> parts, std::string summary) {
  ParameterInfo info{
      name, {.form = ValueSpec::Form::list}, "-", std::move(summary), parameters_of(parts)};
  return {std::move(info),
          [name, member, parts = std::move(parts)](YamlReader& reader, S& settings) {
            if (!reader.has(name)) return;
            const auto& items = reader.sequence(name);
            for (std::size_t i = 0; i < items.size(); ++i) {
              const std::string path = reader.child_path(name) + "[" + std::to_string(i) + "]";
              (settings.*member).push_back(read_mapping(parts, YamlReader(items[i], path)));
            }
          }};
}

/// The same of one that must be given and not be empty. `none`: what is wrong with it then.
template <class S, class Part>
[[nodiscard]] Field<S> required_list(std::string name, std::vector<Part> S::*member,
                                     Fields<Part> parts, std::string none, std::string summary) {
  Field<S> field = list_field(name, member, std::move(parts), std::move(summary));
  field.info.spec.at_least_one = true;
  return std::move(field).or_else("").then(
      [name, none = std::move(none)](YamlReader& reader, const S&) {
        if (reader.sequence(name).empty()) reader.fail(name, none);
      });
}

}  // namespace mimus
