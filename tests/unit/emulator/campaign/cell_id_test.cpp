// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/cell_id.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace mimus::emulator {
namespace {

constexpr const char* kConfig = R"(
cluster: {nodes: 2, gpus_per_node: 4, gpu: T4}
workload: {source: poisson, jobs: 24}
policy: {order: {name: fifo}}
engine: {time_scale: 60, stage_timeout: 30 s}
record: full
)";

std::string hash_of(const ConfigNode& config, std::uint64_t seed = 1, int repetition = 0,
                    std::vector<std::string> inputs = {}) {
  return content_hash({config, seed, repetition, std::move(inputs)});
}

std::string hash_of(const std::string& yaml) {
  return hash_of(parse_yaml(yaml, "x"));
}

std::string with(const std::string& path, const std::string& value) {
  ConfigNode config = parse_yaml(kConfig, "x");
  set_path(config, path, ConfigNode::text(value));
  return hash_of(config);
}

/// Golden value: a change would make every result on disk look stale, so it must be intended.
TEST(CellId, HashOfAKnownConfigurationStaysTheSame) {
  EXPECT_EQ(hash_of(kConfig), "2104f92c36d32979");
}

TEST(CellId, HashHasSixteenHexDigits) {
  const std::string hash = hash_of(kConfig);

  EXPECT_EQ(hash.size(), 16U);
  EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos);
}

void shuffle(ConfigNode& node) {
  for (std::size_t i = node.members.size(); i > 1; --i) {
    std::swap(node.members[i - 1], node.members[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  for (auto& [key, value] : node.members) shuffle(value);
}

TEST(CellId, OrderOfKeysDoesNotChangeTheHash) {
  const ConfigNode config = parse_yaml(kConfig, "x");

  const bool holds = rc::check("hash of shuffled mappings", [&] {
    ConfigNode shuffled = config;
    shuffle(shuffled);
    RC_ASSERT(hash_of(shuffled) == hash_of(config));
  });

  EXPECT_TRUE(holds);
}

TEST(CellId, EveryRelevantPartChangesTheHash) {
  const std::string plain = hash_of(kConfig);

  EXPECT_NE(with("cluster.nodes", "3"), plain);
  EXPECT_NE(with("workload.jobs", "25"), plain);
  EXPECT_NE(with("policy.order.name", "las"), plain);
  EXPECT_NE(with("engine.time_scale", "61"), plain);
  EXPECT_NE(with("record", "jobs"), plain);
}

TEST(CellId, SeedRepetitionAndInputsChangeTheHash) {
  const ConfigNode config = parse_yaml(kConfig, "x");
  const std::string plain = hash_of(config, 1, 0, {"a"});

  EXPECT_NE(hash_of(config, 2, 0, {"a"}), plain);
  EXPECT_NE(hash_of(config, 1, 1, {"a"}), plain);
  EXPECT_NE(hash_of(config, 1, 0, {"b"}), plain);
}

TEST(CellId, PatienceDoesNotChangeTheHash) {
  EXPECT_EQ(with("engine.stage_timeout", "5 min"), hash_of(kConfig));
}

TEST(CellId, SeedDependsOnStatedSeedAndRepetitionOnly) {
  const ConfigNode workload = parse_yaml("{source: poisson, jobs: 24}", "x");
  const ConfigNode other = parse_yaml("{source: philly-like, jobs: 25, load: 0.7}", "x");
  const std::uint64_t seed = cell_seed(7, workload, 0);

  EXPECT_EQ(cell_seed(7, other, 0), seed);
  EXPECT_NE(cell_seed(8, workload, 0), seed);
  EXPECT_NE(cell_seed(7, workload, 1), seed);
}

TEST(CellId, SeedOfTheWorkloadStandsForThatOfTheCampaign) {
  const ConfigNode workload = parse_yaml("{source: poisson, seed: 7}", "x");
  const ConfigNode none = parse_yaml("{source: poisson}", "x");

  EXPECT_EQ(cell_seed(1, workload, 2), cell_seed(7, none, 2));
  EXPECT_EQ(cell_seed(1, workload, 2), seed_of_repetition(7, 2));
  EXPECT_NE(cell_seed(1, workload, 2), cell_seed(1, workload, 3));
}

TEST(CellId, RefusesASeedThatIsNone) {
  EXPECT_THROW((void)cell_seed(1, parse_yaml("{source: poisson, seed: -1}", "x.yaml"), 0),
               ConfigError);
}

TEST(CellId, IdIsNumberLabelAndShortHash) {
  EXPECT_EQ(cell_id(3, "pack-tenants-2", "0123456789abcdef", 0, 1), "003-pack-tenants-2-01234567");
}

TEST(CellId, RepetitionIsAppendedWhenThereAreSeveral) {
  EXPECT_EQ(cell_id(3, "pack", "0123456789abcdef", 1, 2), "003-pack-01234567-r1");
}

TEST(CellId, AnyLabelGivesASafeFileName) {
  const bool holds = rc::check("letters, digits, dots and dashes only", [](std::string label) {
    const std::string id = cell_id(1, label, "0123456789abcdef", 0, 1);
    RC_ASSERT(id.size() <= 3U + 1U + 60U + 1U + 8U);
    RC_ASSERT(std::all_of(id.begin(), id.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '.' || c == '-';
    }));
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace mimus::emulator
