// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace mimus {

/// A configuration document after reading: plain data that keeps the position of each value.
/// YAML::Node is not used because it silently keeps the first of two equal keys, reads `010` as 8
/// and `yes` as true, and loses positions when trees are merged.
struct ConfigNode {
  enum class Kind { null, scalar, sequence, mapping };

  // Defined where the type is complete: clang's library check of std::pair needs that.
  ConfigNode();
  ConfigNode(const ConfigNode&);
  ConfigNode(ConfigNode&&) noexcept;
  ConfigNode& operator=(const ConfigNode&);
  ConfigNode& operator=(ConfigNode&&) noexcept;
  ~ConfigNode();

  Kind kind = Kind::null;
  std::string scalar;   ///< as written, without quotes
  bool quoted = false;  ///< a quoted scalar is text, never a number or boolean
  std::vector<ConfigNode> items;
  std::vector<std::pair<std::string, ConfigNode>> members;  ///< in document order, keys unique
  SourceLocation where;

  [[nodiscard]] const ConfigNode* find(std::string_view key) const;
  [[nodiscard]] ConfigNode* find(std::string_view key);

  [[nodiscard]] static ConfigNode text(std::string value, SourceLocation where = {});
  [[nodiscard]] static ConfigNode mapping(SourceLocation where = {});
};

/// Reads one YAML document. Duplicate keys, merge keys (`<<`) and non-text keys are refused.
/// Throws IoError when the file cannot be read and ConfigError when it is not such a document.
[[nodiscard]] ConfigNode load_yaml_file(const std::string& path);
[[nodiscard]] ConfigNode parse_yaml(const std::string& text, const std::string& name);
/// The same for a text that was embedded at build time. A test has checked that it is one document,
/// so this is not checked again.
[[nodiscard]] ConfigNode parse_embedded_yaml(const std::string& text, const std::string& name);

/// `overlay` over `base`: mappings merge key by key, everything else is replaced.
[[nodiscard]] ConfigNode merged(const ConfigNode& base, const ConfigNode& overlay);

/// The node at a dotted path such as "policy.order", or nullptr.
[[nodiscard]] const ConfigNode* find_path(const ConfigNode& root, std::string_view dotted_path);

/// Puts `value` at a dotted path and creates the mappings on the way. A named choice
/// (`order: fifo`, or a mapping with `name`) is replaced as a whole. Throws ConfigError when the
/// path runs through something that is not a mapping.
void set_path(ConfigNode& root, std::string_view dotted_path, ConfigNode value);

/// Emits YAML that reads back as the same tree. Keys keep their order.
[[nodiscard]] std::string to_yaml(const ConfigNode& node);

/// One line of text that is equal for equal content, whatever the order of keys. Hashes and cell
/// ids are made from it.
[[nodiscard]] std::string canonical_text(const ConfigNode& node);

}  // namespace mimus
