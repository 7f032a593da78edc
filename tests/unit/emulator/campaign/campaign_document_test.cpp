// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/campaign_document.hpp"

#include <array>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/relative_path.hpp"
#include "campaign_folder.hpp"

namespace mimus::emulator {
namespace {

using test::CampaignFolder;
using test::config_error;
using testing::EndsWith;
using testing::HasSubstr;

TEST(CampaignDocument, FileWinsOverItsBase) {
  const CampaignFolder folder;
  folder.write("base.yaml", "schema: 1\ncluster: {nodes: 2, gpu: T4}\n");
  const auto path = folder.write("top.yaml", "base: base.yaml\ncluster: {nodes: 4}\n");

  const ConfigNode document = load_document(path, {});

  EXPECT_EQ(find_path(document, "cluster.nodes")->scalar, "4");
  EXPECT_EQ(find_path(document, "cluster.gpu")->scalar, "T4");
}

TEST(CampaignDocument, LaterBaseWinsOverEarlierOne) {
  const CampaignFolder folder;
  folder.write("a.yaml", "seed: 1\nname: a\n");
  folder.write("b.yaml", "seed: 2\n");
  const auto path = folder.write("top.yaml", "base: [a.yaml, b.yaml]\n");

  const ConfigNode document = load_document(path, {});

  EXPECT_EQ(document.find("seed")->scalar, "2");
  EXPECT_EQ(document.find("name")->scalar, "a");
}

TEST(CampaignDocument, BasePathsAreRelativeToTheFileThatNamesThem) {
  const CampaignFolder folder;
  folder.write("shared/deep/ground.yaml", "seed: 9\n");
  folder.write("shared/base.yaml", "base: deep/ground.yaml\n");
  const auto path = folder.write("top.yaml", "base: shared/base.yaml\n");

  const ConfigNode document = load_document(path, {});

  EXPECT_EQ(document.find("seed")->scalar, "9");
}

TEST(CampaignDocument, OneBaseMayBeReachedTwice) {
  const CampaignFolder folder;
  folder.write("ground.yaml", "seed: 3\n");
  folder.write("left.yaml", "base: ground.yaml\n");
  folder.write("right.yaml", "base: ground.yaml\n");
  const auto path = folder.write("top.yaml", "base: [left.yaml, right.yaml]\n");

  EXPECT_EQ(load_document(path, {}).find("seed")->scalar, "3");
}

TEST(CampaignDocument, CycleIsRefusedWhereItCloses) {
  const CampaignFolder folder;
  folder.write("b.yaml", "base: a.yaml\n");
  const auto path = folder.write("a.yaml", "base: b.yaml\n");

  const std::string error = config_error([&] { (void)load_document(path, {}); });

  EXPECT_THAT(error, HasSubstr("b.yaml:1:7: base: "));
  EXPECT_THAT(error, HasSubstr("leads back to itself"));
}

TEST(CampaignDocument, BaseKeyDoesNotSurviveMerging) {
  const CampaignFolder folder;
  folder.write("base.yaml", "seed: 1\n");
  const auto path = folder.write("top.yaml", "base: base.yaml\n");

  EXPECT_EQ(load_document(path, {}).find("base"), nullptr);
}

TEST(CampaignDocument, ErrorsInABasePointIntoThatFile) {
  const CampaignFolder folder;
  folder.write("base.yaml", "schema: 2\n");
  const auto path = folder.write("top.yaml", "base: base.yaml\n");

  const std::string error = config_error([&] { (void)load_document(path, {}); });

  EXPECT_THAT(error, HasSubstr("base.yaml:1:9: schema: "));
}

TEST(CampaignDocument, OverrideWinsOverTheFile) {
  const CampaignFolder folder;
  const auto path = folder.write("top.yaml", "cluster: {nodes: 4, gpu: T4}\n");

  const ConfigNode document = load_document(path, {{"cluster.nodes", "8"}});

  EXPECT_EQ(find_path(document, "cluster.nodes")->scalar, "8");
  EXPECT_EQ(find_path(document, "cluster.gpu")->scalar, "T4");
}

TEST(CampaignDocument, OverrideCreatesMissingMappings) {
  const CampaignFolder folder;
  const auto path = folder.write("top.yaml", "name: x\n");

  const ConfigNode document = load_document(path, {{"engine.time_scale", "60"}});

  EXPECT_EQ(find_path(document, "engine.time_scale")->scalar, "60");
}

TEST(CampaignDocument, OverrideValueIsReadAsYaml) {
  const Override setting{"policy.sharing", "{name: tenants, per_gpu: 2}"};

  const ConfigNode value = value_of(setting);

  ASSERT_EQ(value.kind, ConfigNode::Kind::mapping);
  EXPECT_EQ(value.find("per_gpu")->scalar, "2");
}

TEST(CampaignDocument, EveryPartOfAnOverrideNamesTheCommandLine) {
  const Override setting{"policy.sharing", "{name: tenants}"};

  const ConfigNode value = value_of(setting);

  EXPECT_EQ(value.find("name")->where.str(), "--set policy.sharing={name: tenants}");
}

TEST(CampaignDocument, LaterOverrideWins) {
  const CampaignFolder folder;
  const auto path = folder.write("top.yaml", "seed: 1\n");

  EXPECT_EQ(load_document(path, {{"seed", "2"}, {"seed", "3"}}).find("seed")->scalar, "3");
}

TEST(CampaignDocument, UnfinishedOverrideValueIsRefused) {
  const CampaignFolder folder;
  const auto path = folder.write("top.yaml", "seed: 1\n");

  const std::string error = config_error([&] { (void)load_document(path, {{"policy", "{a: "}}); });

  EXPECT_EQ(error, "--set policy={a: : the value is not valid YAML; quote it for the shell");
}

TEST(CampaignDocument, PathsOfTheCommandLineAreRelativeToThePresentFolder) {
  EXPECT_EQ(relative_to(location_of({"models", "[m.yaml]"}), "m.yaml"), "m.yaml");
  EXPECT_EQ(relative_to({"configs/a.yaml", 3, 1}, "m.yaml"), "configs/m.yaml");
  EXPECT_EQ(relative_to({"configs/a.yaml", 3, 1}, "../m.yaml"), "m.yaml");
  EXPECT_EQ(relative_to({"configs/a.yaml", 3, 1}, "/m.yaml"), "/m.yaml");
}

TEST(CampaignDocument, PipeIsReadLikeAFile) {
  // In "generate | mimus validate /dev/stdin", /dev/stdin is a link to "pipe:[4711]".
  const std::string text = "schema: 1\nname: piped\n";
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  ASSERT_EQ(write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  close(ends[1]);

  const ConfigNode document = load_document("/proc/self/fd/" + std::to_string(ends[0]), {});
  close(ends[0]);

  EXPECT_EQ(document.find("name")->scalar, "piped");
}

TEST(CampaignDocument, FolderAndEmptyFileAreNamedForWhatTheyAre) {
  const CampaignFolder folder;
  const auto empty = folder.write("empty.yaml", "");
  const auto parent = std::filesystem::path(empty).parent_path().string();

  EXPECT_THAT(config_error([&] { (void)load_document(parent, {}); }), HasSubstr("is a folder"));
  EXPECT_THAT(config_error([&] { (void)load_document(empty, {}); }), HasSubstr("is empty"));
  EXPECT_THAT(config_error([&] { (void)load_document(empty + "x", {}); }),
              EndsWith("does not exist; check the path"));
}

}  // namespace
}  // namespace mimus::emulator
