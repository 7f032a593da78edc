// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/config_tree.hpp"

#include <cstdio>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/base/message_of.hpp"

namespace mimus {
namespace {

ConfigNode parse(const std::string& text) {
  return parse_yaml(text, "c.yaml");
}

std::string error_of(const std::string& text) {
  return test::message_of([&] { (void)parse(text); });
}

std::string at(const ConfigNode& root, std::string_view path) {
  const ConfigNode* node = find_path(root, path);
  return node == nullptr ? "absent" : node->scalar;
}

TEST(ParseYaml, KeepsPlacesOfValues) {
  const ConfigNode root = parse("a: 1\nb:\n  c: [x, y]\n");
  EXPECT_EQ(find_path(root, "a")->where.str(), "c.yaml:1:4");
  EXPECT_EQ(find_path(root, "b.c")->items[1].where.str(), "c.yaml:3:10");
}

TEST(ParseYaml, KeepsScalarsAsWritten) {
  const ConfigNode root = parse("{a: 010, b: yes, c: \"12\", d: 1e3, e: ~, f: }");
  EXPECT_EQ(at(root, "a"), "010");
  EXPECT_EQ(at(root, "b"), "yes");
  EXPECT_TRUE(find_path(root, "c")->quoted);
  EXPECT_FALSE(find_path(root, "d")->quoted);
  EXPECT_EQ(find_path(root, "e")->kind, ConfigNode::Kind::null);
  EXPECT_EQ(find_path(root, "f")->kind, ConfigNode::Kind::null);
}

TEST(ParseYaml, OfNothingIsNull) {
  EXPECT_EQ(parse("").kind, ConfigNode::Kind::null);
  EXPECT_EQ(parse("# only a comment\n").kind, ConfigNode::Kind::null);
}

TEST(ParseYaml, RefusesDuplicateKeys) {
  EXPECT_EQ(error_of("a:\n  b: 1\n  c: 2\n  b: 3\n"),
            "c.yaml:4:3: a: duplicate key \"b\"; first given at c.yaml:2:6");
}

TEST(ParseYaml, RefusesMergeKeys) {
  EXPECT_EQ(error_of("base: &b {x: 1}\nc:\n  <<: *b\n"),
            "c.yaml:3:3: c: merge keys (\"<<\") are not supported; use \"base:\"");
}

TEST(ParseYaml, RefusesKeysThatAreNoText) {
  EXPECT_EQ(error_of("? [a, b]\n: 1\n"), "c.yaml:1:3: a key must be plain text");
}

TEST(ParseYaml, RefusesSeveralDocuments) {
  EXPECT_THAT(
      error_of("a: 1\n---\nb: 2\n"),
      testing::HasSubstr("more than one YAML document in the file; put each in its own file"));
}

TEST(ParseYaml, RefusesWhatIsNotYaml) {
  EXPECT_THAT(error_of("a: [1, 2\n"), testing::StartsWith("c.yaml:"));
  EXPECT_THAT(error_of("a: [1, 2\n"), testing::HasSubstr("not valid YAML: "));
}

// yaml-cpp 0.7 would report an endless series of empty documents here.
TEST(ParseYaml, RefusesACommaOutsideOfAnyList) {
  EXPECT_EQ(error_of(", a"), "c.yaml:1:1: not valid YAML: a value cannot begin here");
  EXPECT_EQ(error_of("\n  ,"), "c.yaml:2:3: not valid YAML: a value cannot begin here");
}

TEST(ParseYaml, ExpandsAliases) {
  EXPECT_EQ(at(parse("a: &x {k: 1}\nb: *x\n"), "b.k"), "1");
}

TEST(ParseYaml, RefusesAliasesThatMultiply) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 8; ++i) {
    std::string line = "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) line += (k == 0 ? "*a" : ", *a") + std::to_string(i - 1);
    text += line + "]\n";
  }
  EXPECT_THAT(error_of(text), testing::HasSubstr("more than 250,000 values"));
}

TEST(ParseYaml, RefusesDeepNesting) {
  EXPECT_THAT(error_of(std::string(80, '[') + std::string(80, ']')),
              testing::HasSubstr("nested deeper than 64 levels"));
}

TEST(LoadYamlFile, NamesAFileThatCannotBeRead) {
  EXPECT_EQ(test::message_of([] { (void)load_yaml_file("no-such.yaml"); }),
            "no-such.yaml: cannot be opened; check the path, which is relative to the folder in "
            "which the command runs");
}

TEST(LoadYamlFile, ReadsAFile) {
  const std::string path = testing::TempDir() + "mimus_load_yaml.yaml";
  std::ofstream(path) << "a: {b: 3}\n";
  EXPECT_EQ(at(load_yaml_file(path), "a.b"), "3");
  std::remove(path.c_str());
}

TEST(LoadYamlFile, ReadsAnEmptyFileAsNull) {
  const std::string path = testing::TempDir() + "mimus_empty.yaml";
  std::ofstream(path).flush();
  EXPECT_EQ(load_yaml_file(path).kind, ConfigNode::Kind::null);
  std::remove(path.c_str());
}

TEST(Merged, OverlaysMappingsKeyByKey) {
  const ConfigNode out = merged(parse("{a: {x: 1, y: 2}, b: 1}"), parse("{a: {y: 3}, c: 4}"));
  EXPECT_EQ(at(out, "a.x"), "1");
  EXPECT_EQ(at(out, "a.y"), "3");
  EXPECT_EQ(at(out, "b"), "1");
  EXPECT_EQ(at(out, "c"), "4");
}

TEST(Merged, ReplacesListsAndScalarsWhole) {
  const ConfigNode out = merged(parse("{a: [1, 2, 3], b: {x: 1}}"), parse("{a: [9], b: 5}"));
  EXPECT_EQ(find_path(out, "a")->items.size(), 1U);
  EXPECT_EQ(at(out, "b"), "5");
}

TEST(FindPath, ReturnsNothingForAnAbsentPart) {
  const ConfigNode root = parse("{a: {b: 1}}");
  EXPECT_EQ(find_path(root, "a.c"), nullptr);
  EXPECT_EQ(find_path(root, "a.b.c"), nullptr);
  EXPECT_EQ(find_path(root, ""), &root);
}

TEST(SetPath, CreatesMappingsOnTheWay) {
  ConfigNode root;
  set_path(root, "a.b.c", ConfigNode::text("7"));
  EXPECT_EQ(at(root, "a.b.c"), "7");
}

TEST(SetPath, ReplacesAChoiceWhole) {
  ConfigNode root = parse("{policy: {order: {name: las, queues: 3}}}");
  set_path(root, "policy.order", ConfigNode::text("fifo"));
  EXPECT_EQ(at(root, "policy.order"), "fifo");
  EXPECT_EQ(find_path(root, "policy.order.queues"), nullptr);
}

TEST(SetPath, KeepsTheOtherKeys) {
  ConfigNode root = parse("{a: {x: 1, y: 2}}");
  set_path(root, "a.x", ConfigNode::text("5"));
  EXPECT_EQ(at(root, "a.y"), "2");
}

TEST(SetPath, RefusesPathsThroughScalars) {
  ConfigNode root = parse("{a: 1}");
  EXPECT_EQ(test::message_of([&] {
              set_path(root, "a.b", ConfigNode::text("2", {"--set", 0, 0}));
            }),
            "--set: a.b: cannot be set: a is 1, not a mapping; set a as a whole");
}

TEST(SetPath, RefusesEmptyKeys) {
  for (const char* path : {"", ".", "a..b", "a.", ".a"}) {
    ConfigNode root;
    EXPECT_THAT(test::message_of([&] { set_path(root, path, ConfigNode::text("1")); }),
                testing::HasSubstr("empty key in path"))
        << path;
  }
}

TEST(CanonicalText, IgnoresTheOrderOfKeysAndTheirPlaces) {
  EXPECT_EQ(canonical_text(parse("{a: 1, b: {x: 2, y: 3}}")),
            canonical_text(parse("b:\n  y: 3\n  x: 2\na: 1\n")));
}

TEST(CanonicalText, TellsOrderOfListsAndNesting) {
  EXPECT_NE(canonical_text(parse("[1, 2]")), canonical_text(parse("[2, 1]")));
  EXPECT_NE(canonical_text(parse("[[1], 2]")), canonical_text(parse("[[1, 2]]")));
  EXPECT_NE(canonical_text(parse("{a: b}")), canonical_text(parse("\"{1:a=1:b,}\"")));
  EXPECT_NE(canonical_text(parse("~")), canonical_text(parse("\"~\"")));
}

TEST(ToYaml, QuotesWhatWouldReadBackDifferently) {
  for (const char* text : {"a: \"\"", "a: \"null\"", "a: \"~\"", "a: \"- x\"", "a: \"x: y\"",
                           "a: \"# no comment\"", "a: \" padded \"", "a: \"line\nbreak\"",
                           "\"a b: c\": 1", "a: \"é\"", "a: \"%d\"", "a: \"true\""}) {
    const ConfigNode root = parse(text);
    EXPECT_EQ(canonical_text(parse(to_yaml(root))), canonical_text(root)) << to_yaml(root);
  }
}

TEST(ToYaml, KeepsQuotedNumbersText) {
  const ConfigNode root = parse("{a: \"12\", b: 12, c: -3}");
  const ConfigNode back = parse(to_yaml(root));
  EXPECT_TRUE(find_path(back, "a")->quoted);
  EXPECT_FALSE(find_path(back, "b")->quoted);
  EXPECT_FALSE(find_path(back, "c")->quoted);
}

TEST(ToYaml, WritesNestedListsAndEmptyContainers) {
  const ConfigNode root = parse("{a: [[1, 2], []], b: {}, c: [{x: 1}, ~]}");
  EXPECT_EQ(canonical_text(parse(to_yaml(root))), canonical_text(root)) << to_yaml(root);
}

}  // namespace
}  // namespace mimus
