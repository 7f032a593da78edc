// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "base/config_tree.hpp"
#include "base/text_file.hpp"
#include "base/utf8.hpp"

namespace mimus {
namespace {

SourceLocation location(const std::string& file, const YAML::Mark& mark) {
  if (mark.is_null()) return {file, 0, 0};
  return {file, mark.line + 1, mark.column + 1};  // yaml-cpp counts from 0
}

/// Deeper nesting than any configuration needs; keeps hostile input from exhausting the stack.
constexpr int kMaxDepth = 64;
/// Aliases multiply: ten levels of ten would be 10^10 nodes.
constexpr std::size_t kMaxNodes = 250'000;
/// A YAML key may have at most 1024 characters. Writing it again may escape every one of its bytes.
constexpr std::size_t kLongestKey = 256;

class Converter {
 public:
  explicit Converter(std::string file) : file_(std::move(file)) {}

  ConfigNode convert(const YAML::Node& node, const std::string& path, int depth) {
    const SourceLocation where = location(file_, node.Mark());
    if (depth > kMaxDepth) throw ConfigError(where, path, "nested deeper than 64 levels");
    if (++nodes_ > kMaxNodes) throw ConfigError(where, path, "more than 250,000 values");
    ConfigNode out;
    out.where = where;
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        break;
      case YAML::NodeType::Scalar:
        convert_scalar(node, path, out);
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
  /// yaml-cpp accepts any bytes, but replaces those that are not valid text when it writes them.
  static void check_text(const std::string& text, const SourceLocation& where,
                         const std::string& path) {
    if (is_utf8_text(text)) return;
    throw ConfigError(
        where, path,
        "is not valid UTF-8 text; save the file in that encoding, without control characters");
  }

  static void convert_scalar(const YAML::Node& node, const std::string& path, ConfigNode& out) {
    out.kind = ConfigNode::Kind::scalar;
    out.scalar = node.Scalar();
    check_text(out.scalar, out.where, path);
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
      check_text(key, where, path);
      if (key.size() > kLongestKey) {
        throw ConfigError(
            where, path,
            fmt::format("a key of {} bytes; keys have at most {}, so that they can be "
                        "written on one line",
                        key.size(), kLongestKey));
      }
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

/// Notes where the last document began and ignores what is in it.
class DocumentStart final : public YAML::EventHandler {
 public:
  [[nodiscard]] const YAML::Mark& mark() const { return mark_; }

  void OnDocumentStart(const YAML::Mark& mark) override { mark_ = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  YAML::Mark mark_;
};

/// Looks at no more than two documents. Where the text cannot continue (a comma outside of any
/// list), yaml-cpp 0.7 reports an endless series of empty documents at the same place.
void refuse_several_documents(const std::string& text, const std::string& name) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStart document;
  if (!parser.HandleNextDocument(document)) return;
  const YAML::Mark first = document.mark();
  if (!parser.HandleNextDocument(document)) return;
  const SourceLocation where = location(name, document.mark());
  if (document.mark().pos == first.pos) {
    throw ConfigError(where, "", "not valid YAML: a value cannot begin here");
  }
  throw ConfigError(where, "", "more than one YAML document in the file; put each in its own file");
}

ConfigNode parse(const std::string& text, const std::string& name, bool one_document_known) {
  try {
    if (!one_document_known) refuse_several_documents(text, name);
    ConfigNode root = Converter(name).convert(YAML::Load(text), "", 0);
    root.where.file = name;
    return root;
  } catch (const YAML::Exception& e) {
    throw ConfigError(location(name, e.mark), "", fmt::format("not valid YAML: {}", e.msg));
  }
}

}  // namespace

ConfigNode parse_yaml(const std::string& text, const std::string& name) {
  return parse(text, name, false);
}

ConfigNode parse_embedded_yaml(const std::string& text, const std::string& name) {
  return parse(text, name, true);
}

ConfigNode load_yaml_file(const std::string& path) {
  return parse_yaml(read_text_file(path), path);
}

}  // namespace mimus
