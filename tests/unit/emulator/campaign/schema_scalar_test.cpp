// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/schema/schema_scalar.hpp"

#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "emulator/campaign/schema/json_schema.hpp"

namespace mimus::emulator {
namespace {

Json parsed(const char* text) {
  return Json::parse(text);
}

using Type = ValueSpec::Type;

ValueSpec of(Type type, Limits limits = kAny) {
  return {.type = type, .limits = limits};
}

TEST(SchemaScalar, HasTheLimits) {
  EXPECT_EQ(scalar_schema(of(Type::integer, kAtLeastOne)),
            parsed(R"({"type": "integer", "minimum": 1})"));
  EXPECT_EQ(scalar_schema(of(Type::number, {.min = kPositive.min, .max = 1.0})),
            parsed(R"({"type": "number", "exclusiveMinimum": 0, "maximum": 1})"));
  EXPECT_EQ(scalar_schema(of(Type::integer, between(1, 64))),
            parsed(R"({"type": "integer", "minimum": 1, "maximum": 64})"));
}

TEST(SchemaScalar, LeavesLimitsThatAreWordsToTheDescription) {
  EXPECT_EQ(scalar_schema({.type = Type::integer, .beyond = "divides gpus_per_node"}),
            parsed(R"({"type": "integer"})"));
  EXPECT_FALSE(is_range_in_schema({.type = Type::integer, .beyond = "divides gpus_per_node"}));
  EXPECT_FALSE(is_range_in_schema({.type = Type::duration, .beyond = ">= rack_after"}));
  EXPECT_FALSE(is_range_in_schema(of(Type::duration, between(1, 3600))));
  EXPECT_TRUE(is_range_in_schema(of(Type::integer, kAtLeastOne)));
  EXPECT_TRUE(is_range_in_schema({.words = {"first", "last"}}));
}

TEST(SchemaScalar, TakesWordsAsChoices) {
  EXPECT_EQ(scalar_schema({.words = {"first", "last"}}),
            parsed(R"({"type": "string", "enum": ["first", "last"]})"));
  EXPECT_FALSE(scalar_schema({.beyond = "letters, digits, . _ -"}).contains("enum"));
}

bool matches(Type type, Limits limits, const std::string& text) {
  const auto pattern = scalar_schema(of(type, limits)).at("pattern").get<std::string>();
  return std::regex_search(text, std::regex(pattern));
}

TEST(SchemaScalar, MatchesQuantitiesAsTheReaderDoes) {
  for (const char* good : {"90 s", "90s", "0.5 h", "1e-3 s", "-2 min", "0 s"}) {
    EXPECT_TRUE(matches(Type::duration, kAny, good)) << good;
  }
  for (const char* bad : {"90", "90  s", "010 s", "+1 s", "1. s", ".5 s", "s", "1 S", "1 s "}) {
    EXPECT_FALSE(matches(Type::duration, kAny, bad)) << bad;
  }
  EXPECT_TRUE(matches(Type::duration, kNotNegative, "0 s"));
  EXPECT_FALSE(matches(Type::duration, kNotNegative, "-1 s"));
  EXPECT_FALSE(matches(Type::duration, kPositive, "0.0 s"));
  EXPECT_TRUE(matches(Type::duration, kPositive, "0.01 s"));
  EXPECT_TRUE(matches(Type::bandwidth, kPositive, "25 Gbit/s"));
  EXPECT_FALSE(matches(Type::bandwidth, kPositive, "25 GB"));
  EXPECT_TRUE(matches(Type::memory, kPositive, "16 GiB"));
  EXPECT_TRUE(matches(Type::compute_rate, kPositive, "312 TFLOP/s"));
}

TEST(SchemaScalar, KnowsWhichDefaultsAreValues) {
  const auto value = [](Type type, const char* text) {
    return default_value({"a", {.type = type}, text, ""});
  };
  EXPECT_EQ(value(Type::duration, "60 s"), Json("60 s"));
  EXPECT_EQ(value(Type::duration, "by gang, else 1196 s"), std::nullopt);
  EXPECT_EQ(value(Type::integer, "all"), std::nullopt);
  EXPECT_EQ(value(Type::integer, "3"), Json(3));
  EXPECT_EQ(default_value({"a", {.form = ValueSpec::Form::list}, "[user, gang]", ""}),
            parsed(R"(["user", "gang"])"));
  EXPECT_EQ(value(Type::integer, "= nodes"), std::nullopt);
}

TEST(JsonSchema, CanBeMadeOfEveryKind) {
  for (const SchemaKind& kind : schema_kinds()) {
    const Json schema = Json::parse(json_schema(kind.name));
    EXPECT_EQ(schema.at("$schema"), "http://json-schema.org/draft-07/schema#");
    EXPECT_EQ(schema.at("additionalProperties"), false) << kind.name;
  }
  EXPECT_THROW((void)json_schema("campain"), UsageError);
}

}  // namespace
}  // namespace mimus::emulator
