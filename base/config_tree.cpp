// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/config_tree.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace mimus {
namespace {

SourceLocation location(const std::string& file, const YAML::Mark& mark) {
  if (mark.is_null()) return {file, 0, 0};
  return {file, mark.line + 1, mark.column + 1};  // yaml-cpp counts from 0
}

/// Deeper nesting than any configuration needs; keeps hostile input from exhausting the stack.
constexpr int kMaxDepth = 64;
/// Aliases multiply: ten levels of ten would be 10^10 nodes.
constexpr std::size_t kMaxNodes = 1'000'000;

class Converter {
 public:
  explicit Converter(std::string file) : file_(std::move(file)) {}

  ConfigNode convert(const YAML::Node& node, const std::string& path, int depth) {
    const SourceLocation where = location(file_, node.Mark());
    if (depth > kMaxDepth) throw ConfigError(where, path, "nested deeper than 64 levels");
    if (++nodes_ > kMaxNodes) throw ConfigError(where, path, "more than 1,000,000 values");
    ConfigNode out;
    out.where = where;
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        break;
      case YAML::NodeType::Scalar:
        convert_scalar(node, out);
        break;
      case YAML::NodeType::Sequence:
        convert_sequence(node, path, depth, out);
        break;
      case YAML::NodeType::Map:
        convert_mapping(node, path, depth, out);
        break;
    }
    return out;
  }

 private:
  static void convert_scalar(const YAML::Node& node, ConfigNode& out) {
    out.kind = ConfigNode::Kind::scalar;
    out.scalar = node.Scalar();
    out.quoted = node.Tag() == "!";  // yaml-cpp tags quoted scalars with "!" and plain with "?"
  }

  void convert_sequence(const YAML::Node& node, const std::string& path, int depth,
                        ConfigNode& out) {
    out.kind = ConfigNode::Kind::sequence;
    for (std::size_t i = 0; i < node.size(); ++i) {
      out.items.push_back(convert(node[i], fmt::format("{}[{}]", path, i), depth + 1));
    }
  }

  void convert_mapping(const YAML::Node& node, const std::string& path, int depth,
                       ConfigNode& out) {
    out.kind = ConfigNode::Kind::mapping;
    for (const auto& entry : node) {
      const SourceLocation where = location(file_, entry.first.Mark());
      if (!entry.first.IsScalar()) throw ConfigError(where, path, "a key must be plain text");
      const std::string key = entry.first.Scalar();
      if (key == "<<") {
        throw ConfigError(where, path, "merge keys (\"<<\") are not supported; use \"base:\"");
      }
      if (const ConfigNode* first = out.find(key)) {
        throw ConfigError(
            where, path,
            fmt::format("duplicate key \"{}\"; first given at {}", key, first->where.str()));
      }
      ConfigNode value = convert(entry.second, path.empty() ? key : path + "." + key, depth + 1);
      if (value.where.line == 0 || value.kind == ConfigNode::Kind::null) value.where = where;
      out.members.emplace_back(key, std::move(value));
    }
  }

  std::string file_;
  std::size_t nodes_ = 0;
};

bool is_plain_safe(const std::string& text) {
  if (text.empty()) return false;
  const bool safe = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-' || c == '/' || c == ' ' ||
           c == '+' || c == '%';
  });
  return safe && text.front() != ' ' && text.back() != ' ' && text.front() != '-' &&
         text.front() != '%' && text != "null" && text != "~";
}

std::string emit_scalar(const ConfigNode& node) {
  const bool negative_number = !node.quoted && node.scalar.size() > 1 && node.scalar[0] == '-' &&
                               std::isdigit(static_cast<unsigned char>(node.scalar[1])) != 0;
  if (!node.quoted && (is_plain_safe(node.scalar) || negative_number)) return node.scalar;
  YAML::Emitter emitter;
  emitter << YAML::DoubleQuoted << node.scalar;
  return emitter.c_str();
}

void emit(const ConfigNode& node, int indent, std::string& out);

void emit_child(const ConfigNode& child, int indent, std::string& out) {
  const bool nested = (child.kind == ConfigNode::Kind::mapping && !child.members.empty()) ||
                      (child.kind == ConfigNode::Kind::sequence && !child.items.empty());
  out += nested ? "\n" : " ";
  emit(child, indent + 2, out);
}

void emit(const ConfigNode& node, int indent, std::string& out) {
  const std::string pad(static_cast<std::size_t>(indent), ' ');
  switch (node.kind) {
    case ConfigNode::Kind::null:
      out += "null\n";
      return;
    case ConfigNode::Kind::scalar:
      out += emit_scalar(node) + "\n";
      return;
    case ConfigNode::Kind::sequence:
      if (node.items.empty()) out += "[]\n";
      for (const auto& item : node.items) {
        out += pad + "-";
        emit_child(item, indent, out);
      }
      return;
    case ConfigNode::Kind::mapping:
      if (node.members.empty()) out += "{}\n";
      for (const auto& [key, value] : node.members) {
        out += pad + emit_scalar(ConfigNode::text(key)) + ":";
        emit_child(value, indent, out);
      }
      return;
  }
}

}  // namespace

const ConfigNode* ConfigNode::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

ConfigNode* ConfigNode::find(std::string_view key) {
  return const_cast<ConfigNode*>(std::as_const(*this).find(key));
}

ConfigNode ConfigNode::text(std::string value, SourceLocation where) {
  ConfigNode node;
  node.kind = Kind::scalar;
  node.scalar = std::move(value);
  node.where = std::move(where);
  return node;
}

ConfigNode ConfigNode::mapping(SourceLocation where) {
  ConfigNode node;
  node.kind = Kind::mapping;
  node.where = std::move(where);
  return node;
}

ConfigNode parse_yaml(const std::string& text, const std::string& name) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() > 1) {
      throw ConfigError(location(name, documents[1].Mark()), "",
                        "more than one YAML document in the file; put each in its own file");
    }
    if (documents.empty()) return ConfigNode{};
    return Converter(name).convert(documents.front(), "", 0);
  } catch (const YAML::Exception& e) {
    throw ConfigError(location(name, e.mark), "", fmt::format("not valid YAML: {}", e.msg));
  }
}

ConfigNode load_yaml_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw ConfigError({path, 0, 0}, "",
                      "cannot be opened; check the path, which is taken relative to the folder "
                      "the command runs in");
  }
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad() || text.fail()) throw ConfigError({path, 0, 0}, "", "cannot be read as a file");
  return parse_yaml(text.str(), path);
}

ConfigNode merged(const ConfigNode& base, const ConfigNode& overlay) {
  using Kind = ConfigNode::Kind;
  if (base.kind != Kind::mapping || overlay.kind != Kind::mapping) return overlay;
  ConfigNode out = base;
  out.where = overlay.where;
  for (const auto& [key, value] : overlay.members) {
    if (ConfigNode* existing = out.find(key)) {
      *existing = merged(*existing, value);
    } else {
      out.members.emplace_back(key, value);
    }
  }
  return out;
}

const ConfigNode* find_path(const ConfigNode& root, std::string_view dotted_path) {
  const ConfigNode* node = &root;
  while (node != nullptr && !dotted_path.empty()) {
    const std::size_t dot = dotted_path.find('.');
    node = node->find(dotted_path.substr(0, dot));
    dotted_path = dot == std::string_view::npos ? "" : dotted_path.substr(dot + 1);
  }
  return node;
}

void set_path(ConfigNode& root, std::string_view dotted_path, ConfigNode value) {
  ConfigNode* node = &root;
  std::string_view rest = dotted_path;
  while (true) {
    if (node->kind == ConfigNode::Kind::null) node->kind = ConfigNode::Kind::mapping;
    if (node->kind != ConfigNode::Kind::mapping) {
      throw ConfigError(value.where, std::string(dotted_path),
                        "cannot be set: a part of the path is not a mapping");
    }
    const std::size_t dot = rest.find('.');
    const std::string key(rest.substr(0, dot));
    if (key.empty()) throw ConfigError(value.where, std::string(dotted_path), "empty key in path");
    ConfigNode* next = node->find(key);
    if (next == nullptr) {
      node->members.emplace_back(key, ConfigNode::mapping(value.where));
      next = &node->members.back().second;
    }
    if (dot == std::string_view::npos) {
      *next = std::move(value);
      return;
    }
    node = next;
    rest = rest.substr(dot + 1);
  }
}

std::string to_yaml(const ConfigNode& node) {
  std::string out;
  emit(node, 0, out);
  return out;
}

std::string canonical_text(const ConfigNode& node) {
  switch (node.kind) {
    case ConfigNode::Kind::null:
      return "~";
    case ConfigNode::Kind::scalar:
      return fmt::format("{}:{}", node.scalar.size(), node.scalar);
    case ConfigNode::Kind::sequence: {
      std::string out = "[";
      for (const auto& item : node.items) out += canonical_text(item) + ",";
      return out + "]";
    }
    case ConfigNode::Kind::mapping:
      break;
  }
  auto sorted = node.members;
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string out = "{";
  for (const auto& [key, value] : sorted) {
    out += fmt::format("{}:{}={},", key.size(), key, canonical_text(value));
  }
  return out + "}";
}

}  // namespace mimus
