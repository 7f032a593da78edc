// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/parameter.hpp"
#include "base/registry.hpp"

namespace mimus {

/// A key whose value is stored in a member of the settings `S`. The member's initial value is the
/// default.
template <class S>
struct Field {
  ParameterInfo info;
  std::function<void(YamlReader&, S&)> read;

  Field(ParameterInfo about, std::function<void(YamlReader&, S&)> reads)
      : info(std::move(about)), read(std::move(reads)) {}
  template <class Base>
  requires(std::derived_from<S, Base> && !std::same_as<S, Base>)
      Field(const Field<Base>& base)  // NOLINT(google-explicit-constructor)
      : info(base.info), read(base.read) {}

  /// States in words a condition that limits cannot express, e.g. ">= rack_after". The code that
  /// builds from the settings checks it.
  [[nodiscard]] Field beyond(std::string words) && {
    info.spec.beyond = std::move(words);
    return std::move(*this);
  }
  /// For a required key: its default is the value of this sibling key.
  [[nodiscard]] Field copies(const std::string& sibling) && {
    return std::move(*this).or_else("= " + sibling);
  }
  /// Says in words what leaving the key out means, where that is no value of it.
  [[nodiscard]] Field or_else(std::string words) && {
    info.default_value = std::move(words);
    return std::move(*this);
  }
  /// Looks at the settings once the key is read: for limits that depend on others. `check` takes
  /// the reader, to fail with, and the settings.
  template <class Check>
  [[nodiscard]] Field then(Check check) && {
    read = [before = std::move(read), check = std::move(check)](YamlReader& reader, S& settings) {
      before(reader, settings);
      check(reader, settings);
    };
    return std::move(*this);
  }
};

template <class S>
using Fields = std::vector<Field<S>>;

template <class S, class T, class Allowed>
[[nodiscard]] Field<S> bound(const Param<T, Allowed>& param, T S::*member) {
  return {param.info(), [param, member](YamlReader& reader, S& settings) {
            settings.*member = param.read(reader);
          }};
}

template <class S, class T>
[[nodiscard]] Field<S> field(std::string name, T S::*member,
                             std::type_identity_t<Domain<T>> allowed, std::string summary) {
  return bound(Param<T>(std::move(name), S{}.*member, std::move(allowed), std::move(summary)),
               member);
}

/// A key whose omission means another value than the member's initial one.
template <class S, class T>
[[nodiscard]] Field<S> field_or(std::string name, T S::*member, std::type_identity_t<T> fallback,
                                std::type_identity_t<Domain<T>> allowed, std::string summary) {
  return bound(
      Param<T>(std::move(name), std::move(fallback), std::move(allowed), std::move(summary)),
      member);
}

/// A key that takes a boolean or any text.
template <class S, class T>
[[nodiscard]] Field<S> field(std::string name, T S::*member, std::string summary) {
  return field(std::move(name), member, Domain<T>{}, std::move(summary));
}

/// A key that takes words for values which are not an enumeration.
template <class S, class T>
[[nodiscard]] Field<S> words_field(std::string name, T S::*member,
                                   std::type_identity_t<Words<T>> words, std::string summary) {
  const Param<T, Words<T>> param(std::move(name), S{}.*member, std::move(words),
                                 std::move(summary));
  return bound(param, member);
}

/// A required key.
template <class S, class T>
[[nodiscard]] Field<S> required_field(std::string name, T S::*member,
                                      std::type_identity_t<Domain<T>> allowed,
                                      std::string summary) {
  return bound(Param<T>(std::move(name), std::nullopt, std::move(allowed), std::move(summary)),
               member);
}

/// An optional key; without it the member stays as it is.
template <class S, class T>
[[nodiscard]] Field<S> optional_field(std::string name, T S::*member,
                                      std::type_identity_t<Domain<T>> allowed,
                                      std::string summary) {
  const Param<std::optional<T>> param(std::move(name), std::optional<T>{}, std::move(allowed),
                                      std::move(summary));
  return {param.info(), [param, member](YamlReader& reader, S& settings) {
            if (auto given = param.read(reader)) settings.*member = std::move(*given);
          }};
}

/// A key that names a choice of another table, which must outlive the field.
template <class S, class Interface>
[[nodiscard]] Field<S> choice_field(std::string name, std::shared_ptr<Interface> S::*member,
                                    const Registry<Interface>& table, const std::string& fallback,
                                    std::string summary) {
  const ValueSpec spec{.type = ValueSpec::Type::choice, .registry = table.kind()};
  ParameterInfo info{name, spec, fallback, std::move(summary)};
  return {std::move(info),
          [name, member, table = &table, fallback](YamlReader& reader, S& settings) {
            const ConfigNode node =
                reader.has(name) ? reader.node(name) : ConfigNode::text(fallback, {});
            settings.*member = table->make(node, reader.child_path(name));
          }};
}

template <class S>
[[nodiscard]] S read_fields(const Fields<S>& fields, YamlReader& reader) {
  S settings{};
  // All are known before one is missed: none is then taken for another one misspelt.
  for (const Field<S>& field : fields) (void)reader.has(field.info.name);
  for (const Field<S>& field : fields) field.read(reader, settings);
  return settings;
}

template <class S>
[[nodiscard]] std::vector<ParameterInfo> parameters_of(const Fields<S>& fields) {
  std::vector<ParameterInfo> all;
  for (const Field<S>& field : fields) all.push_back(field.info);
  return all;
}

/// Keys beside the others that are stored in a part of the settings.
template <class S, class Part>
[[nodiscard]] Fields<S> within(Part S::*member, const Fields<Part>& parts) {
  Fields<S> fields;
  for (const Field<Part>& part : parts) {
    fields.push_back({part.info, [read = part.read, member](YamlReader& reader, S& settings) {
                        read(reader, settings.*member);
                      }});
  }
  return fields;
}

template <class S>
[[nodiscard]] Fields<S> all_of(std::initializer_list<Fields<S>> parts) {
  Fields<S> all;
  for (const Fields<S>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// A line of a table: something that is built from settings that are read field by field. `make`
/// takes the settings, and also the reader if it has more to check.
template <class Interface, class S, class Make>
[[nodiscard]] Choice<Interface> choice_from(std::string name, std::string summary, Fields<S> fields,
                                            Make make) {
  auto parameters = parameters_of(fields);
  return {std::move(name), std::move(summary), std::move(parameters),
          [fields = std::move(fields), make](YamlReader& reader) -> std::unique_ptr<Interface> {
            S settings = read_fields(fields, reader);
            if constexpr (std::invocable<Make, S, const YamlReader&>) {
              return make(std::move(settings), std::as_const(reader));
            } else {
              return make(std::move(settings));
            }
          }};
}

/// The same for a class that has Settings.
template <class Interface, class Made, class Make>
[[nodiscard]] Choice<Interface> choice(std::string name, std::string summary,
                                       Fields<typename Made::Settings> fields, Make make) {
  return choice_from<Interface>(std::move(name), std::move(summary), std::move(fields),
                                std::move(make));
}
template <class Interface, class Made>
[[nodiscard]] Choice<Interface> choice(std::string name, std::string summary,
                                       Fields<typename Made::Settings> fields) {
  return choice_from<Interface>(
      std::move(name), std::move(summary), std::move(fields),
      [](typename Made::Settings settings) { return std::make_unique<Made>(std::move(settings)); });
}

/// A choice without parameters.
template <class Interface, class Make>
[[nodiscard]] Choice<Interface> plain_choice(std::string name, std::string summary, Make make) {
  return {
      std::move(name), std::move(summary), {}, [make](YamlReader&) -> std::unique_ptr<Interface> {
        return make();
      }};
}
template <class Interface, class Made>
[[nodiscard]] Choice<Interface> choice(std::string name, std::string summary) {
  return plain_choice<Interface>(std::move(name), std::move(summary),
                                 [] { return std::make_unique<Made>(); });
}

}  // namespace mimus
