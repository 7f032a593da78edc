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

TEST(SchemaScalar, TakesLimitsFromRanges) {
  EXPECT_EQ(scalar_schema("integer", ">= 1"), parsed(R"({"type": "integer", "minimum": 1})"));
  EXPECT_EQ(scalar_schema("number", "> 0 and <= 1"),
            parsed(R"({"type": "number", "exclusiveMinimum": 0, "maximum": 1})"));
  EXPECT_EQ(scalar_schema("integer", "1 to 64"),
            parsed(R"({"type": "integer", "minimum": 1, "maximum": 64})"));
  EXPECT_EQ(scalar_schema("integer", "1"),
            parsed(R"({"type": "integer", "minimum": 1, "maximum": 1})"));
  EXPECT_EQ(scalar_schema("number", "weights >= 0"), parsed(R"({"type": "number", "minimum": 0})"));
}

TEST(SchemaScalar, LeavesLimitsThatAreWordsToTheDescription) {
  EXPECT_EQ(scalar_schema("integer", "divides gpus_per_node"), parsed(R"({"type": "integer"})"));
  EXPECT_FALSE(is_range_in_schema("integer", "divides gpus_per_node"));
  EXPECT_FALSE(is_range_in_schema("duration", ">= rack_after"));
  EXPECT_FALSE(is_range_in_schema("duration", "1 s to 1 h"));
  EXPECT_TRUE(is_range_in_schema("integer", ">= 1"));
  EXPECT_TRUE(is_range_in_schema("text", "first or last"));
}

TEST(SchemaScalar, TakesListedWordsAsChoices) {
  const Json two = parsed(R"({"type": "string", "enum": ["first", "last"]})");
  EXPECT_EQ(scalar_schema("text", "first or last"), two);
  EXPECT_EQ(scalar_schema("text", "first, last"), two);
  EXPECT_FALSE(scalar_schema("text", "letters, digits, . _ -").contains("enum"));
  EXPECT_FALSE(scalar_schema("text", "names").contains("enum"));
}

bool matches(const std::string& type, const std::string& range, const std::string& text) {
  const auto pattern = scalar_schema(type, range).at("pattern").get<std::string>();
  return std::regex_search(text, std::regex(pattern));
}

TEST(SchemaScalar, MatchesQuantitiesAsTheReaderDoes) {
  for (const char* good : {"90 s", "90s", "0.5 h", "1e-3 s", "-2 min", "0 s"}) {
    EXPECT_TRUE(matches("duration", "", good)) << good;
  }
  for (const char* bad : {"90", "90  s", "010 s", "+1 s", "1. s", ".5 s", "s", "1 S", "1 s "}) {
    EXPECT_FALSE(matches("duration", "", bad)) << bad;
  }
  EXPECT_TRUE(matches("duration", ">= 0", "0 s"));
  EXPECT_FALSE(matches("duration", ">= 0", "-1 s"));
  EXPECT_FALSE(matches("duration", "> 0", "0.0 s"));
  EXPECT_TRUE(matches("duration", "> 0", "0.01 s"));
  EXPECT_TRUE(matches("bandwidth", "> 0", "25 Gbit/s"));
  EXPECT_FALSE(matches("bandwidth", "> 0", "25 GB"));
  EXPECT_TRUE(matches("memory", "> 0", "16 GiB"));
  EXPECT_TRUE(matches("compute rate", "> 0", "312 TFLOP/s"));
}

TEST(SchemaScalar, KnowsWhichDefaultsAreValues) {
  EXPECT_EQ(default_value({"a", "duration", "60 s", "", ""}), Json("60 s"));
  EXPECT_EQ(default_value({"a", "duration", "by gang, else 1196 s", "", ""}), std::nullopt);
  EXPECT_EQ(default_value({"a", "integer", "all", "", ""}), std::nullopt);
  EXPECT_EQ(default_value({"a", "integer", "3", "", ""}), Json(3));
  EXPECT_EQ(default_value({"a", "list", "[user, gang]", "", ""}), parsed(R"(["user", "gang"])"));
  EXPECT_EQ(default_value({"a", "integer", "= nodes", "", ""}), std::nullopt);
}

TEST(SchemaScalar, RefusesTypesThatNoReaderHas) {
  EXPECT_THROW((void)scalar_schema("colour", ""), InternalError);
}

/// Every type in every field table is known, or this throws.
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
