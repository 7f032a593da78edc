// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/config_tree.hpp"
#include "base/error.hpp"

namespace mimus {
namespace {

/// Texts that YAML tends to misread, besides arbitrary printable ones.
std::string draw_text() {
  static const std::vector<std::string> traps{
      "",   "~",  "null", "true", "yes", "010", "-",    "- a",  "a: b",  "a #b", " a",   "a ",
      "\"", "'",  "{}",   "[]",   "&a",  "*a",  "!t",   "%x",   "@a",    "\n",   "a\nb", "\t",
      "?",  ": ", "|",    ">",    "-1",  "1e3", "Null", "NULL", "null ", "---",  "..."};
  if (*rc::gen::inRange(0, 3) == 0) return *rc::gen::elementOf(traps);
  return *rc::gen::container<std::string>(rc::gen::inRange<char>(0x20, 0x7f));
}

ConfigNode draw_tree(int depth) {
  ConfigNode node;
  const int kind = *rc::gen::inRange(0, depth > 0 ? 4 : 2);
  if (kind == 0) return node;
  if (kind == 1) {
    node = ConfigNode::text(draw_text());
    node.quoted = *rc::gen::arbitrary<bool>();
    return node;
  }
  const int size = *rc::gen::inRange(0, 4);
  node.kind = kind == 2 ? ConfigNode::Kind::sequence : ConfigNode::Kind::mapping;
  for (int i = 0; i < size; ++i) {
    if (kind == 2) {
      node.items.push_back(draw_tree(depth - 1));
    } else if (const std::string key = draw_text(); key != "<<" && node.find(key) == nullptr) {
      node.members.emplace_back(key, draw_tree(depth - 1));
    }
  }
  return node;
}

RC_GTEST_PROP(ConfigTreeProperty, EmittedYamlReadsBackAsTheSameTree, ()) {
  const ConfigNode tree = draw_tree(4);
  const std::string text = to_yaml(tree);
  RC_LOG() << text;
  RC_ASSERT(canonical_text(parse_yaml(text, "p.yaml")) == canonical_text(tree));
}

RC_GTEST_PROP(ConfigTreeProperty, CanonicalTextIgnoresKeyOrder, ()) {
  ConfigNode tree = draw_tree(3);
  const std::string before = canonical_text(tree);
  std::reverse(tree.members.begin(), tree.members.end());
  RC_ASSERT(canonical_text(tree) == before);
}

RC_GTEST_PROP(ConfigTreeProperty, MergingATreeOverItselfChangesNothing, ()) {
  const ConfigNode tree = draw_tree(3);
  RC_ASSERT(canonical_text(merged(tree, tree)) == canonical_text(tree));
}

RC_GTEST_PROP(ConfigTreeProperty, AnOverlayWinsWhereItSpeaks, ()) {
  const ConfigNode base = draw_tree(3);
  const ConfigNode overlay = draw_tree(3);
  const ConfigNode out = merged(base, overlay);
  RC_ASSERT(canonical_text(merged(out, overlay)) == canonical_text(out));
}

RC_GTEST_PROP(ConfigTreeProperty, SetPathsAreFoundAgain, ()) {
  ConfigNode tree;
  const std::string path = *rc::gen::elementOf(
      std::vector<std::string>{"a", "a.b", "a.b.c", "policy.order.name", "x1.y_2.z-3"});
  const ConfigNode value = draw_tree(2);
  set_path(tree, path, value);
  RC_ASSERT(find_path(tree, path) != nullptr);
  RC_ASSERT(canonical_text(*find_path(tree, path)) == canonical_text(value));
}

RC_GTEST_PROP(ConfigTreeProperty, ArbitraryTextParsesOrIsRefusedAsConfiguration, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("ab:-[]{}#&*!|>'\"%@`,?~ \n\t\r\\01.")));
  try {
    (void)parse_yaml(text, "p.yaml");
  } catch (const ConfigError&) {
    RC_SUCCEED("refused");
  }
}

}  // namespace
}  // namespace mimus
