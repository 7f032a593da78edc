// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_reader.hpp"

#include <gtest/gtest.h>

#include "tests/unit/base/message_of.hpp"

namespace mimus {
namespace {

struct Document {
  explicit Document(const std::string& yaml)
      : root(parse_yaml(yaml, "r.yaml")), reader(root, "cluster") {}
  ConfigNode root;
  YamlReader reader;
};

TEST(YamlReader, ReadsEveryScalarType) {
  Document d("{t: word, b: true, i: -3, n: 2.5, d: 90 s, m: 16 GB, r: 25 Gbit/s, f: 8.1 TFLOP/s}");
  EXPECT_EQ(d.reader.get<std::string>("t"), "word");
  EXPECT_TRUE(d.reader.get<bool>("b"));
  EXPECT_EQ(d.reader.get<std::int64_t>("i"), -3);
  EXPECT_DOUBLE_EQ(d.reader.get<double>("n"), 2.5);
  EXPECT_EQ(d.reader.get<Duration>("d"), std::chrono::seconds(90));
  EXPECT_EQ(d.reader.get<Bytes>("m"), Bytes{16e9});
  EXPECT_EQ(d.reader.get<BytesPerSecond>("r"), BytesPerSecond{3.125e9});
  EXPECT_EQ(d.reader.get<FlopPerSecond>("f"), FlopPerSecond{8.1e12});
  EXPECT_NO_THROW(d.reader.finish());
}

TEST(YamlReader, TakesQuotedQuantitiesAndQuotedText) {
  Document d("{d: \"90 s\", t: \"12\"}");
  EXPECT_EQ(d.reader.get<Duration>("d"), std::chrono::seconds(90));
  EXPECT_EQ(d.reader.get<std::string>("t"), "12");
}

TEST(YamlReader, TakesIntegersAsNumbers) {
  Document d("{n: 3}");
  EXPECT_DOUBLE_EQ(d.reader.get<double>("n"), 3.0);
}

TEST(YamlReader, FallsBackWhenAKeyIsAbsentOrEmpty) {
  Document d("{empty: }");
  EXPECT_EQ(d.reader.get_or<std::int64_t>("absent", 7), 7);
  EXPECT_EQ(d.reader.get_or<std::int64_t>("empty", 7), 7);
  EXPECT_EQ(d.reader.get_if<std::int64_t>("absent"), std::nullopt);
}

TEST(YamlReader, ChecksAPresentValueEvenWithAFallback) {
  Document d("{n: x}");
  EXPECT_THROW((void)d.reader.get_or<std::int64_t>("n", 7), ConfigError);
}

TEST(YamlReader, ReadsChoices) {
  Document d("{mode: live}");
  EXPECT_EQ(d.reader.choice("mode", {"live", "virtual"}), "live");
  EXPECT_EQ(d.reader.choice_or("pace", {"none"}, "none"), "none");
}

TEST(YamlReader, DescendsIntoMappingsAndLists) {
  Document d("{a: {b: 3}, l: [x, y]}");
  YamlReader a = d.reader.map("a");
  EXPECT_EQ(a.get<std::int64_t>("b"), 3);
  EXPECT_EQ(a.path(), "cluster.a");
  EXPECT_EQ(d.reader.sequence("l").size(), 2U);
}

TEST(YamlReader, FinishAcceptsKeysThatWereOnlyAskedFor) {
  Document d("{a: 1}");
  EXPECT_TRUE(d.reader.has("a"));
  EXPECT_NO_THROW(d.reader.finish());
}

TEST(YamlReader, LimitsOfQuantitiesAreInBaseUnits) {
  Document d("{d: 1500 ms}");
  EXPECT_NO_THROW((void)d.reader.get<Duration>("d", {.min = 1.5, .max = 1.5}));
  EXPECT_THROW((void)d.reader.get<Duration>("d", {.max = 1.4}), ConfigError);
}

}  // namespace
}  // namespace mimus
