// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/registry.hpp"

#include <gtest/gtest.h>

#include "tests/unit/base/message_of.hpp"

namespace mimus {
namespace {

struct Shape {
  explicit Shape(double a) : area(a) {}
  double area;
};

const Registry<Shape>& shapes() {
  static const Registry<Shape> registry(
      "shape",
      {{.name = "point",
        .summary = "no area",
        .parameters = {},
        .make = [](YamlReader&) { return std::make_unique<Shape>(0.0); }},
       {.name = "square",
        .summary = "a side",
        .parameters =
            {{"side", {.type = ValueSpec::Type::number, .limits = kPositive}, "1", "length"}},
        .make = [](YamlReader& reader) {
          const auto side = reader.get_or<double>("side", 1.0, kPositive);
          return std::make_unique<Shape>(side * side);
        }}});
  return registry;
}

double area(const std::string& yaml) {
  return shapes().make(parse_yaml(yaml, "s.yaml"), "shape")->area;
}

TEST(Registry, BuildsFromABareName) {
  EXPECT_DOUBLE_EQ(area("square"), 1.0);
}

TEST(Registry, BuildsFromAMappingWithParameters) {
  EXPECT_DOUBLE_EQ(area("{name: square, side: 3}"), 9.0);
}

TEST(Registry, NamesTheNearestChoice) {
  EXPECT_EQ(test::message_of([] { (void)area("squares"); }),
            "s.yaml:1:1: shape.name: unknown shape \"squares\"; did you mean \"square\"? allowed: "
            "point, square");
}

TEST(Registry, RefusesParametersOfOtherChoices) {
  EXPECT_EQ(test::message_of([] { (void)area("{name: point, side: 3}"); }),
            "s.yaml:1:21: shape: unknown key \"side\"; allowed: name");
}

TEST(Registry, ListsItsChoicesInOrder) {
  EXPECT_EQ(shapes().kind(), "shape");
  EXPECT_EQ(shapes().names(), (std::vector<std::string>{"point", "square"}));
  EXPECT_EQ(shapes().choices()[1].parameters[0].range(), "> 0");
}

}  // namespace
}  // namespace mimus
