// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <gtest/gtest.h>

#include "emulator/run/solo_baselines.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator {
namespace {

struct BaselineCacheTest : testing::Test {
  TemporaryFolder folder;
  std::string path = folder.file("solo-baselines.json");

  static BaselineCache::Entry seconds(double step) {
    return {.step_seconds = step, .busy_seconds = 0.1, .modelled_seconds = 0.5, .steps = 10};
  }
};

TEST_F(BaselineCacheTest, KeepsEveryEntryOverRuns) {
  {
    BaselineCache first(path);
    first.put("a", seconds(0.25));
    first.put("b", seconds(0.75));
  }

  const BaselineCache second(path);

  ASSERT_NE(second.find("a"), nullptr);
  ASSERT_NE(second.find("b"), nullptr);
  EXPECT_EQ(second.find("a")->step_seconds, 0.25);
  EXPECT_EQ(second.find("b")->busy_seconds, 0.1);
  EXPECT_EQ(second.find("b")->modelled_seconds, 0.5);
  EXPECT_EQ(second.find("b")->steps, 10);
}

TEST_F(BaselineCacheTest, ProcessesThatShareAFileKeepEachOthersEntries) {
  BaselineCache one(path);
  BaselineCache other(path);
  one.put("a", seconds(1.0));
  other.put("b", seconds(2.0));
  one.put("c", seconds(3.0));

  const BaselineCache later(path);

  for (const char* key : {"a", "b", "c"}) EXPECT_NE(later.find(key), nullptr) << key;
  EXPECT_NE(one.find("b"), nullptr);  // need not be measured again
}

TEST_F(BaselineCacheTest, EntriesThatDoNotTellAllAreMeasuredAgain) {
  folder.write("solo-baselines.json",
               R"({"a": {"step_seconds": 1.0, "modelled_seconds": 1.0, "steps": 10}})");

  EXPECT_EQ(BaselineCache(path).find("a"), nullptr);
}

TEST_F(BaselineCacheTest, IsStartedAfreshWhenTheFileIsNone) {
  folder.write("solo-baselines.json", R"({"a": {"step_seconds": 1.0}})");

  BaselineCache cache(path);
  cache.put("b", seconds(2.0));

  EXPECT_EQ(cache.find("a"), nullptr);
  EXPECT_NE(BaselineCache(path).find("b"), nullptr);
}

}  // namespace
}  // namespace mimus::emulator
