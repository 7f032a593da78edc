// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/campaign.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_folder.hpp"

namespace mimus::emulator {
namespace {

using test::CampaignFolder;
using test::config_error;
using testing::HasSubstr;
using testing::Pair;

constexpr const char* kPoisson = R"(
schema: 1
name: many
seed: 7
cluster: {nodes: 2, gpus_per_node: 4, gpu: T4, network: 25 Gbit/s}
workload: {source: poisson, jobs: 5, mean_interarrival: 30 s, mix: {resnet18: 1}}
)";

Campaign load(const std::string& text, const std::vector<Override>& overrides = {}) {
  const CampaignFolder folder;
  return load_campaign(folder.write("campaign.yaml", text), overrides);
}

std::string error_of(const std::string& text) {
  return config_error([&] { (void)load(text); });
}

TEST(Campaign, WithoutASweepThereIsOneCell) {
  const Campaign campaign = load(test::kOneCell);

  ASSERT_EQ(campaign.cells.size(), 1U);
  EXPECT_EQ(campaign.cells[0].label, "base");
  EXPECT_TRUE(campaign.cells[0].id.starts_with("001-base-"));
  EXPECT_EQ(campaign.world_size(), 9);
}

TEST(Campaign, CellsCarryTheirSweptValues) {
  const Campaign campaign =
      load(std::string(test::kOneCell) +
           "sweep: {grid: {policy.placement: [pack, spread], cluster.nodes: [2, 3]}}\n");

  ASSERT_EQ(campaign.cells.size(), 4U);
  EXPECT_EQ(campaign.cells[2].label, "spread / nodes=2");
  EXPECT_THAT(campaign.cells[2].swept,
              testing::ElementsAre(Pair("policy.placement", "spread"), Pair("cluster.nodes", "2")));
  EXPECT_EQ(campaign.cells[2].id.substr(0, 19), "003-spread-nodes-2-");
}

TEST(Campaign, AChoiceIsSetBesideAPresetThatStandsAlone) {
  const std::string with_preset = std::string(kPoisson) + "policy: las\n";
  const auto at = [](const Campaign& campaign, std::size_t cell, const char* path) {
    return find_path(campaign.cells[cell].config, path)->scalar;
  };

  const Campaign set = load(with_preset, {{"policy.placement", "spread"}});
  const Campaign swept = load(
      with_preset + "sweep: {grid: {policy: [fifo, las], policy.placement: [pack, spread]}}\n");

  EXPECT_EQ(at(set, 0, "policy.order.name"), "las");
  EXPECT_EQ(at(set, 0, "policy.placement.name"), "spread");
  ASSERT_EQ(swept.cells.size(), 4U);
  EXPECT_EQ(swept.cells[3].label, "las / spread");
  EXPECT_EQ(at(swept, 1, "policy.order.name"), "fifo");
  EXPECT_EQ(at(swept, 3, "policy.order.name"), "las");
  EXPECT_EQ(at(swept, 3, "policy.placement.name"), "spread");
}

TEST(Campaign, LabelsThatTwoCellsWouldShareAreSpelledOut) {
  const Campaign campaign =
      load(std::string(test::kOneCell) +
           "sweep: {grid: {policy.order: [las, {name: las, limits: [5 min]}, {name: las, quantum: "
           "5 min}], cluster.nodes: [2, 3]}}\n");

  ASSERT_EQ(campaign.cells.size(), 6U);
  EXPECT_EQ(campaign.cells[0].label, "las / nodes=2");
  EXPECT_EQ(campaign.cells[2].label, "las limits=5 min / nodes=2");
  EXPECT_EQ(campaign.cells[5].label, "las quantum=5 min / nodes=3");
  EXPECT_EQ(campaign.cells[2].id.substr(0, 22), "003-las-5-min-nodes-2-");
}

TEST(Campaign, WorldFitsTheLargestCell) {
  const Campaign campaign =
      load(std::string(test::kOneCell) + "sweep: {grid: {cluster.nodes: [1, 4, 2]}}\n");

  EXPECT_EQ(campaign.world_size(), 17);  // 4 nodes x 4 GPUs and rank 0
}

TEST(Campaign, CellsThatDifferInPolicyGetTheSameJobs) {
  const Campaign campaign =
      load(std::string(kPoisson) + "sweep: {grid: {policy.placement: [pack, spread]}}\n");

  EXPECT_EQ(campaign.cells[0].seed, campaign.cells[1].seed);
  EXPECT_NE(campaign.cells[0].config_hash, campaign.cells[1].config_hash);
}

TEST(Campaign, RepetitionsFollowEachOtherWithSeedsOfTheirOwn) {
  const Campaign campaign = load(std::string(kPoisson) + "repetitions: 3\n");

  std::set<std::uint64_t> seeds;
  ASSERT_EQ(campaign.cells.size(), 3U);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(campaign.cells[static_cast<std::size_t>(k)].repetition, k);
    seeds.insert(campaign.cells[static_cast<std::size_t>(k)].seed);
  }
  EXPECT_EQ(seeds.size(), 3U);
  EXPECT_TRUE(campaign.cells[2].id.ends_with("-r2"));
}

TEST(Campaign, LoadingTwiceGivesTheSameIds) {
  const Campaign a = load(kPoisson);
  const Campaign b = load(kPoisson);

  EXPECT_EQ(a.cells[0].id, b.cells[0].id);
}

TEST(Campaign, WordsForReadersAndResourcesDoNotChangeTheHash) {
  const Campaign plain = load(kPoisson);
  const Campaign worded =
      load(std::string(kPoisson) + "description: other words\nresources: {ranks_per_node: 99}\n",
           {{"name", "renamed"}});

  EXPECT_EQ(plain.cells[0].config_hash, worded.cells[0].config_hash);
}

TEST(Campaign, WritingOutADefaultDoesNotChangeTheHash) {
  const Campaign plain = load(kPoisson);
  const Campaign written = load(
      kPoisson,
      {{"engine.min_step", "25 ms"}, {"policy.placement", "{name: pack}"}, {"record", "full"}});

  EXPECT_EQ(plain.cells[0].config_hash, written.cells[0].config_hash);
}

TEST(Campaign, CampaignSeedChangesTheHash) {
  EXPECT_NE(load(kPoisson).cells[0].config_hash,
            load(kPoisson, {{"seed", "8"}}).cells[0].config_hash);
}

TEST(Campaign, OrderOfKeysDoesNotChangeTheHash) {
  const Campaign ordered = load(kPoisson);
  const Campaign reordered = load(R"(
workload: {mix: {resnet18: 1}, mean_interarrival: 30 s, jobs: 5, source: poisson}
seed: 7
cluster: {network: 25 Gbit/s, gpu: T4, gpus_per_node: 4, nodes: 2}
name: many
schema: 1
)");

  EXPECT_EQ(ordered.cells[0].config_hash, reordered.cells[0].config_hash);
}

TEST(Campaign, ErrorsOfLaterCellsShowAtLoad) {
  EXPECT_THAT(
      error_of(std::string(test::kOneCell) + "sweep: {grid: {policy.placement: [pack, pakc]}}\n"),
      HasSubstr("did you mean \"pack\"?"));
}

TEST(Campaign, TwoCellsWithEqualMeaningAreRefused) {
  EXPECT_THAT(error_of(std::string(test::kOneCell) +
                       "sweep: {grid: {engine.pace: [datasheet], policy.placement: [pack, "
                       "{name: pack}]}}\n"),
              HasSubstr("have the same configuration once defaults are filled in"));
}

TEST(Campaign, WorldLargerThanTheResourcesIsRefused) {
  const std::string two_nodes = "resources: {nodes: 2, ranks_per_node: ";

  EXPECT_THAT(error_of(std::string(test::kOneCell) + two_nodes + "4}\n"),
              HasSubstr("2 nodes x 4 ranks are 8, but the largest cell needs a world of 9"));
  EXPECT_EQ(error_of(std::string(test::kOneCell) + two_nodes + "5}\n"), "no error");
}

TEST(Campaign, CellThatOutlastsTheWalltimeIsNoted) {
  const Campaign campaign = load(std::string(test::kOneCell) + "resources: {walltime: 1 s}\n");

  EXPECT_THAT(campaign.facts[0].notes,
              testing::ElementsAre(HasSubstr("but resources.walltime is 1 s")));
}

TEST(Campaign, OfTheWalltimeOnlyWhatComesBeforeTheSignalCounts) {
  const auto notes = [](const std::string& resources) {
    return load(std::string(test::kOneCell) + "resources: {" + resources + "}\n").facts[0].notes;
  };

  EXPECT_THAT(notes("walltime: 2 min"),
              testing::ElementsAre(HasSubstr("of which 0 s have passed")));
  EXPECT_THAT(notes("walltime: 1 h, signal_before: 59 min"), testing::SizeIs(1));
  EXPECT_THAT(notes("walltime: 1 h"), testing::IsEmpty());
}

TEST(Campaign, ModelsOfTheCampaignJoinTheCatalogueAndTheHash) {
  const CampaignFolder folder;
  const std::string model = R"(
schema: 1
name: resnet18
summary: a small stand-alone network
source: this test
optimiser: sgd_momentum
precision: fp32
batch: {reference: 128, per_gpu_min: 32, per_gpu_max: 1024, total_max: 4096}
noise_scale: [{progress: 0, samples: 1000}]
input: 12288 B
buffers: 0 B
workspace: 1.5 GB
data_set: {epoch_samples: 50000, epochs: 1}
host: {startup: 1 s, default: {per_step: 1 ms, per_sample: 0 us}}
reference_throughput: 1000
efficiency: {default: {compute: 0.5, memory: 0.75}}
layers:
  - {op: convolution, in: 3, out: 64, kernel: 3, size: 32, input_gradient: false, saves: input}
)";
  folder.write("models/own.yaml", model);
  for (const char* models : {"models/own.yaml", "models"}) {
    const auto path =
        folder.write("campaign.yaml", std::string(kPoisson) + "models: [" + models + "]\n");

    const Campaign own = load_campaign(path, {});

    EXPECT_EQ(own.models.at("resnet18").source, "this test");
    EXPECT_NE(own.cells[0].config_hash, load(kPoisson).cells[0].config_hash);
  }
}

TEST(Campaign, PathOfATraceIsRelativeToTheFileThatNamesIt) {
  const CampaignFolder folder;
  folder.write("traces/jobs.csv", "arrival,gang,run_time\n0,1,60\n");
  folder.write("under/base.yaml", R"(
schema: 1
cluster: {nodes: 2, gpus_per_node: 4, gpu: T4, network: 25 Gbit/s}
workload: {source: csv, path: ../traces/jobs.csv}
engine: {kind: virtual, step_time: duration, interference: none}
)");
  const auto path =
      folder.write("campaign.yaml", "schema: 1\nname: relative\nbase: under/base.yaml\n");

  EXPECT_EQ(load_campaign(path, {}).facts[0].jobs, 1);
  EXPECT_THAT(config_error([&] {
                (void)load_campaign(path, {{"workload.path", "traces/jobs.csv"}});
              }),
              HasSubstr("workload.path: \"traces/jobs.csv\" does not exist; check the path"));
}

TEST(Campaign, NameMustBeSafeAsAFolder) {
  EXPECT_THAT(config_error([] {
                (void)load(kPoisson, {{"name", "a/b"}});
              }),
              HasSubstr("--set name=a/b: name: \"a/b\" names the result folder"));
}

}  // namespace
}  // namespace mimus::emulator
