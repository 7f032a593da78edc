// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/parameter.hpp"
#include "base/yaml_reader.hpp"

namespace mimus {

/// A named choice as listed in the docs and the JSON Schema.
struct ChoiceInfo {
  std::string name;
  std::string summary;
  std::vector<ParameterInfo> parameters;
};

/// One line of a registration table: a named way to build an `Interface`.
template <class Interface>
struct Choice {
  std::string name;
  std::string summary;  ///< one line
  std::vector<ParameterInfo> parameters;
  /// Reads its parameters from the mapping that named it; `name` has already been read.
  std::function<std::unique_ptr<Interface>(YamlReader&)> make;
};

/// A table of choices. Each seam has one explicit list, because the linker would silently drop
/// static self-registration from a static library.
template <class Interface>
class Registry {
 public:
  Registry(std::string kind, std::vector<Choice<Interface>> choices)
      : kind_(std::move(kind)), choices_(std::move(choices)) {}

  [[nodiscard]] const std::string& kind() const { return kind_; }
  [[nodiscard]] const std::vector<Choice<Interface>>& choices() const { return choices_; }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& choice : choices_) out.push_back(choice.name);
    return out;
  }

  /// Builds from `order: fifo` or `order: {name: fifo, parameter: value}`.
  [[nodiscard]] std::unique_ptr<Interface> make(const ConfigNode& node,
                                                const std::string& path) const {
    ConfigNode shorthand;
    const ConfigNode* mapping = &node;
    if (node.kind == ConfigNode::Kind::scalar) {
      shorthand = ConfigNode::mapping(node.where);
      shorthand.members.emplace_back("name", node);
      mapping = &shorthand;
    }
    YamlReader reader(*mapping, path);
    const auto name = reader.get<std::string>("name");
    for (const auto& choice : choices_) {
      if (choice.name != name) continue;
      auto made = choice.make(reader);
      reader.finish();
      return made;
    }
    reader.fail("name", unknown_name_message(kind_, name, names()));
  }
  /// Builds the choice with the defaults of its parameters.
  [[nodiscard]] std::unique_ptr<Interface> make_default(const std::string& name) const {
    return make(ConfigNode::text(name, {}), kind_);
  }

 private:
  std::string kind_;
  std::vector<Choice<Interface>> choices_;
};

}  // namespace mimus
