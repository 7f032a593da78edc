// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/yaml_reader.hpp"
#include "campaign_folder.hpp"
#include "emulator/campaign/config_keys.hpp"
#include "kernels/footprint/gpu_spec.hpp"
#include "scheduler/policy/policy.hpp"

namespace mimus::emulator {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

ConfigNode resolved(const std::string& yaml) {
  return resolved_cell(parse_yaml(yaml, "x"));
}

std::string value(const ConfigNode& config, const std::string& path) {
  const ConfigNode* node = find_path(config, path);
  return node == nullptr ? "absent" : node->scalar;
}

TEST(Resolve, FillsInDefaultsOfEngineAndCluster) {
  const ConfigNode config = resolved(test::kOneCell);

  EXPECT_EQ(value(config, "engine.min_step"), "25 ms");
  EXPECT_EQ(value(config, "engine.host_load"), "0.4");
  EXPECT_EQ(value(config, "engine.stage_timeout"), "30 s");
  EXPECT_EQ(value(config, "cluster.network_latency"), "20 us");
  EXPECT_EQ(value(config, "cluster.storage"), "1 GB/s");
  EXPECT_EQ(value(config, "record"), "full");
}

TEST(Resolve, CopiesDefaultsThatFollowASibling) {
  const ConfigNode config = resolved(test::kOneCell);

  EXPECT_EQ(value(config, "cluster.gpus_per_island"), "4");
  EXPECT_EQ(value(config, "cluster.nodes_per_rack"), "2");
  EXPECT_EQ(value(config, "cluster.rack_network"), "25 Gbit/s");
}

TEST(Resolve, KeepsWhatIsGiven) {
  const ConfigNode config = resolved("engine: {time_scale: 9}\nrecord: jobs\n");

  EXPECT_EQ(value(config, "engine.time_scale"), "9");
  EXPECT_EQ(value(config, "record"), "jobs");
}

TEST(Resolve, EmptySectionsAndValuesTakeDefaults) {
  const ConfigNode config = resolved("engine:\n  time_scale:\npolicy:\nrecord:\n");

  EXPECT_EQ(value(config, "engine.time_scale"), "1");
  EXPECT_EQ(value(config, "policy.order.name"), "fifo");
  EXPECT_EQ(value(config, "record"), "full");
}

TEST(Resolve, CudaDeviceIsNotPacedByDefault) {
  EXPECT_EQ(value(resolved("engine: {device: cuda}"), "engine.pace"), "none");
  EXPECT_EQ(value(resolved("engine: {device: cpu}"), "engine.pace"), "datasheet");
}

TEST(Resolve, ShorthandChoiceBecomesAMappingWithItsDefaults) {
  const ConfigNode config = resolved("policy: {sharing: tenants}");

  EXPECT_EQ(value(config, "policy.sharing.name"), "tenants");
  EXPECT_EQ(value(config, "policy.sharing.per_gpu"), "2");
}

TEST(Resolve, ShorthandAndMappingResolveToTheSame) {
  const ConfigNode a = resolved("policy: {order: fifo}");
  const ConfigNode b = resolved("policy: {order: {name: fifo}}");
  const ConfigNode c = resolved("schema: 1");

  EXPECT_EQ(canonical_text(a), canonical_text(b));
  EXPECT_EQ(canonical_text(a), canonical_text(c));
}

TEST(Resolve, ResolvingTwiceChangesNothing) {
  const ConfigNode once = resolved(test::kOneCell);

  EXPECT_EQ(to_yaml(resolved_cell(once)), to_yaml(once));
}

TEST(Resolve, TextOfAResolvedCellReadsBackAsTheSame) {
  const ConfigNode once = resolved(test::kOneCell);

  EXPECT_EQ(canonical_text(parse_yaml(to_yaml(once), "y")), canonical_text(once));
}

/// Every default that a choice states must be a value that the choice accepts. A parameter without
/// a default may be required.
TEST(Resolve, EveryChoiceAcceptsItsOwnDefaults) {
  for (const auto& choice : scheduler::describe_policies()) {
    const std::string planner = choice.choice == "utility_band" ? "planner: search, " : "";
    const std::string yaml = "policy: {" + planner + choice.seam + ": " + choice.choice + "}";
    const ConfigNode config = resolved(yaml);

    const std::string error = test::config_error(
        [&] { (void)scheduler::read_policy(*config.find("policy"), "policy", {}); });

    EXPECT_THAT(error, AnyOf("no error", HasSubstr("missing required key"))) << yaml;
  }
}

TEST(ConfigKeys, EveryDefaultIsAccepted) {
  EXPECT_EQ(test::config_error([] {
              const Cell cell = test::cell_of(resolved(test::kOneCell));
              (void)read_cell(cell, workloads::ModelCatalogue::built_in());
            }),
            "no error");
}

TEST(ConfigKeys, TableNamesAllKeysOfEngineAndCluster) {
  for (const std::string section : {"cluster", "engine"}) {
    ConfigNode document = parse_yaml(test::kOneCell, "x");
    set_path(document, section + ".no_such_key", ConfigNode::text("1"));
    const Cell cell = test::cell_of(resolved_cell(document));

    const std::string error =
        test::config_error([&] { (void)read_cell(cell, workloads::ModelCatalogue::built_in()); });

    for (const ConfigKey& key : config_keys()) {
      if (!key.path.starts_with(section + ".")) continue;
      EXPECT_THAT(error, HasSubstr(std::string(key.path.substr(section.size() + 1))));
    }
  }
}

TEST(ConfigKeys, EveryGpuTypeIsListed) {
  for (const ConfigKey& key : config_keys()) {
    if (key.path != "cluster.gpu") continue;
    for (const std::string& name : kernels::gpu_names()) {
      EXPECT_THAT(key.range(), HasSubstr(name));
    }
  }
}

}  // namespace
}  // namespace mimus::emulator
