// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/sweep.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "campaign_folder.hpp"

namespace mimus::emulator {
namespace {

using test::config_error;
using testing::ElementsAre;
using testing::HasSubstr;

Sweep sweep_of(const std::string& yaml, const std::vector<Override>& overrides = {}) {
  const ConfigNode node = parse_yaml(yaml, "sweep.yaml");
  return read_sweep(&node, overrides);
}

/// Each point as "value,value".
std::vector<std::string> points(const Sweep& sweep) {
  std::vector<std::string> out;
  for (const SweepPoint& point : expand(sweep)) {
    std::string text;
    for (const auto& [path, value] : point.values) {
      text += (text.empty() ? "" : ",") + value_text(value);
    }
    out.push_back(text);
  }
  return out;
}

std::vector<std::string> points(const std::string& yaml) {
  return points(sweep_of(yaml));
}

std::string error_of(const std::string& yaml, const std::vector<Override>& overrides = {}) {
  return config_error([&] { (void)expand(sweep_of(yaml, overrides)); });
}

TEST(Sweep, NoSweepIsOnePointWithoutValues) {
  const auto expanded = expand(read_sweep(nullptr, {}));

  ASSERT_EQ(expanded.size(), 1U);
  EXPECT_TRUE(expanded[0].values.empty());
  EXPECT_EQ(expanded[0].number, 1);
}

TEST(Sweep, GridIsTheProductWithTheLastKeyFastest) {
  EXPECT_THAT(points("grid: {policy.order: [fifo, las], cluster.nodes: [1, 2, 4]}"),
              ElementsAre("fifo,1", "fifo,2", "fifo,4", "las,1", "las,2", "las,4"));
}

TEST(Sweep, ZippedListsAdvanceTogether) {
  EXPECT_THAT(points("zip: {cluster.nodes: [1, 2], workload.jobs: [10, 20]}"),
              ElementsAre("1,10", "2,20"));
}

TEST(Sweep, ZippedRowsComeAfterTheGridAndVaryFastest) {
  EXPECT_THAT(points("{zip: {cluster.nodes: [1, 2], workload.jobs: [10, 20]}, "
                     "grid: {policy.order: [fifo, las]}}"),
              ElementsAre("fifo,1,10", "fifo,2,20", "las,1,10", "las,2,20"));
}

TEST(Sweep, OnlyKeepsPointsThatMatchAnyEntry) {
  EXPECT_THAT(points("{grid: {policy.order: [fifo, las], cluster.nodes: [1, 2]}, "
                     "only: [{policy.order: las}, {policy.order: fifo, cluster.nodes: 2}]}"),
              ElementsAre("fifo,2", "las,1", "las,2"));
}

TEST(Sweep, ExcludeDropsPointsThatMatchAllOfAnEntry) {
  EXPECT_THAT(points("{grid: {policy.order: [fifo, las], cluster.nodes: [1, 2]}, "
                     "exclude: [{policy.order: las, cluster.nodes: 2}]}"),
              ElementsAre("fifo,1", "fifo,2", "las,1"));
}

TEST(Sweep, FilteringDoesNotRenumberPoints) {
  const auto expanded =
      expand(sweep_of("{grid: {policy.order: [fifo, las, sjf]}, exclude: [{policy.order: las}]}"));

  ASSERT_EQ(expanded.size(), 2U);
  EXPECT_EQ(expanded[0].number, 1);
  EXPECT_EQ(expanded[1].number, 3);
}

TEST(Sweep, NamedChoiceIsMatchedByItsNameOrItsParameters) {
  const std::string grid =
      "grid: {policy.sharing: [exclusive, {name: tenants, per_gpu: 2}, "
      "{name: tenants, per_gpu: 3}]}";

  EXPECT_THAT(points("{" + grid + ", only: [{policy.sharing: tenants}]}"),
              ElementsAre("tenants per_gpu=2", "tenants per_gpu=3"));
  EXPECT_THAT(points("{" + grid + ", exclude: [{policy.sharing: {per_gpu: 2}}]}"),
              ElementsAre("exclusive", "tenants per_gpu=3"));
}

TEST(Sweep, UnequalZipLengthsNameBothLists) {
  EXPECT_EQ(error_of("zip: {cluster.nodes: [1, 2], workload.jobs: [10]}"),
            "sweep.yaml:1:45: sweep.zip.workload.jobs: has 1 values, but cluster.nodes has 2; "
            "zipped lists advance together and must be equally long");
}

TEST(Sweep, UnknownPathInExcludeGetsTheNearestMatch) {
  EXPECT_THAT(error_of("{grid: {policy.order: [fifo]}, exclude: [{policy.ordr: fifo}]}"),
              HasSubstr("sweep.exclude[0]: unknown swept path \"policy.ordr\"; did you mean "
                        "\"policy.order\"?"));
}

TEST(Sweep, UnknownValueInOnlyGetsTheNearestMatch) {
  EXPECT_THAT(error_of("{grid: {policy.order: [fifo, las]}, only: [{policy.order: fifi}]}"),
              HasSubstr("unknown swept value \"fifi\"; did you mean \"fifo\"?"));
}

TEST(Sweep, NothingLeftIsAnError) {
  EXPECT_THAT(error_of("{grid: {policy.order: [fifo]}, exclude: [{policy.order: fifo}]}"),
              HasSubstr("\"only\" and \"exclude\" leave none of the 1 cells"));
}

TEST(Sweep, OnlySectionsOfACellCanBeSwept) {
  EXPECT_THAT(error_of("grid: {seed: [1, 2]}"), HasSubstr("unknown section to sweep \"seed\""));
}

TEST(Sweep, SamePathInGridAndZipIsRefused) {
  EXPECT_THAT(error_of("{grid: {cluster.nodes: [1]}, zip: {cluster.nodes: [2]}}"),
              HasSubstr("cluster.nodes is swept twice"));
}

TEST(Sweep, OverrideOfAGridPathPinsThatAxis) {
  const Sweep sweep = sweep_of("grid: {policy.order: [fifo, las], cluster.nodes: [1, 2]}",
                               {{"policy.order", "sjf"}});

  EXPECT_THAT(points(sweep), ElementsAre("sjf,1", "sjf,2"));
}

// The results of cells that the whole campaign has run are found by their numbers.
TEST(Sweep, OverrideWithASweptValueKeepsTheNumbersOfItsPoints) {
  const std::string grid =
      "grid: {policy.sharing: [exclusive, {name: tenants, per_gpu: 2}], cluster.nodes: [1, 2]}";
  const auto numbers = [&](const std::vector<Override>& overrides) {
    std::vector<int> out;
    for (const SweepPoint& point : expand(sweep_of(grid, overrides))) out.push_back(point.number);
    return out;
  };

  EXPECT_THAT(numbers({{"policy.sharing", "{per_gpu: 2, name: tenants}"}}), ElementsAre(3, 4));
  EXPECT_THAT(numbers({{"policy.sharing", "exclusive"}, {"cluster.nodes", "2"}}), ElementsAre(2));
  EXPECT_THAT(numbers({{"cluster.nodes", "8"}, {"cluster.nodes", "2"}}), ElementsAre(2, 4));
  EXPECT_THAT(numbers({{"cluster.nodes", "2"}, {"cluster.nodes", "8"}}), ElementsAre(1, 2));
}

TEST(Sweep, OverrideOfAZippedPathIsRefused) {
  EXPECT_EQ(error_of("zip: {cluster.nodes: [1, 2]}", {{"cluster.nodes", "4"}}),
            "--set cluster.nodes=4: cluster.nodes is swept together with others (sweep.zip) and "
            "cannot be set alone");
}

TEST(Sweep, OverrideInsideASweptValueIsRefused) {
  EXPECT_THAT(error_of("grid: {policy.sharing: [exclusive]}", {{"policy.sharing.per_gpu", "2"}}),
              HasSubstr("policy.sharing is swept as a whole; set all of it"));
}

TEST(Sweep, MoreThanAHundredThousandPointsAreRefusedBeforeExpansion) {
  std::string values;
  for (int i = 1; i <= 317; ++i) values += std::to_string(i) + ",";  // 317 x 317 = 100,489

  EXPECT_THAT(error_of("grid: {cluster.nodes: [" + values + "], workload.jobs: [" + values + "]}"),
              HasSubstr("more than 100,000 cells"));
}

/// Grid axes of 1 to 4 distinct values each, as YAML.
std::string grid_yaml(const std::vector<int>& sizes) {
  std::string yaml = "grid: {";
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    yaml += "policy.a" + std::to_string(axis) + ": [";
    for (int value = 0; value < sizes[axis]; ++value) yaml += "v" + std::to_string(value) + ",";
    yaml += "], ";
  }
  return yaml + "}";
}

TEST(Sweep, EveryCombinationAppearsExactlyOnce) {
  const bool holds = rc::check("product of the axes without repeats", [] {
    const auto axes = *rc::gen::inRange<std::size_t>(0, 6);
    const auto sizes = *rc::gen::container<std::vector<int>>(axes, rc::gen::inRange(1, 5));
    std::size_t product = 1;
    for (const int size : sizes) product *= static_cast<std::size_t>(size);

    const auto all = points(grid_yaml(sizes));

    RC_ASSERT(all.size() == product);
    RC_ASSERT(std::set<std::string>(all.begin(), all.end()).size() == product);
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace mimus::emulator
