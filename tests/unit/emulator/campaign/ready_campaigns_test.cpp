// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/config_keys.hpp"
#include "workloads/workload_sources.hpp"

namespace mimus::emulator {
namespace {

namespace fs = std::filesystem;

fs::path source_dir() {
  const char* folder = std::getenv("MIMUS_SOURCE_DIR");
  return folder == nullptr ? fs::current_path() : fs::path(folder);
}

fs::path shared_dir() {
  const char* folder = std::getenv("MIMUS_SHARED");
  return folder == nullptr ? source_dir() / "../shared" : fs::path(folder);
}

// They are read at run time without a search for a second document.
TEST(EmbeddedText, IsOneYamlDocumentEach) {
  int files = 0;
  for (const char* folder : {"workloads/models", "configs/policies", "kernels"}) {
    for (const auto& entry : fs::directory_iterator(source_dir() / folder)) {
      if (entry.path().extension() != ".yaml") continue;
      EXPECT_NO_THROW((void)load_yaml_file(entry.path().string())) << entry.path();
      ++files;
    }
  }
  EXPECT_GT(files, 10);
}

class ReadyCampaign : public testing::TestWithParam<const char*> {};

TEST_P(ReadyCampaign, LoadsAndFitsALaptop) {
  const Campaign campaign = load_campaign((source_dir() / "configs" / GetParam()).string(), {});

  EXPECT_EQ(campaign.name + ".yaml", GetParam());
  EXPECT_LE(campaign.world_size(), 33);
  for (const CellFacts& facts : campaign.facts) {
    EXPECT_LT(facts.wall_estimate, std::chrono::minutes(10));
  }
}

INSTANTIATE_TEST_SUITE_P(Configs, ReadyCampaign,
                         testing::Values("quickstart.yaml", "validity-locality.yaml",
                                         "twin-sharing.yaml", "twin-phases.yaml",
                                         "validity-interference.yaml", "validity-batch.yaml",
                                         "validity-strict.yaml"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           name = name.substr(0, name.find('.'));
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(ReadyCampaigns, QuickstartComparesEightCellsOnTheSameJobs) {
  const Campaign campaign = load_campaign((source_dir() / "configs/quickstart.yaml").string(), {});

  ASSERT_EQ(campaign.cells.size(), 8U);
  EXPECT_EQ(campaign.world_size(), 17);
  for (const Cell& cell : campaign.cells) EXPECT_EQ(cell.seed, campaign.cells[0].seed);
  for (const CellFacts& facts : campaign.facts) EXPECT_EQ(facts.jobs, 24);
}

TEST(ReadyCampaigns, PolluxTakesFortyJobsOfThePublicWorkload) {
  const fs::path trace = shared_dir() / "data/pollux/workloads/workload-1.csv";
  if (!fs::exists(trace)) GTEST_SKIP() << "skipped: no shared data";
  setenv("MIMUS_SHARED", shared_dir().c_str(), 1);

  const Campaign campaign = load_campaign((source_dir() / "configs/pollux-live.yaml").string(), {});

  ASSERT_EQ(campaign.cells.size(), 3U);
  EXPECT_EQ(campaign.facts[0].jobs, 40);
}

/// The key reference in the documentation must be complete.
TEST(ReadyCampaigns, KeyReferenceNamesEveryKey) {
  std::string text;
  for (const char* page : {"docs/campaign-keys.md", "docs/workloads.md"}) {
    std::ifstream file(source_dir() / page);
    text.append(std::istreambuf_iterator<char>(file), {});
  }
  const auto named = [&](std::string_view key) {
    const std::string quoted = "`" + std::string(key);
    return text.find(quoted + "`") != std::string::npos ||
           text.find(quoted + ":") != std::string::npos;
  };

  for (const ConfigKey& key : config_keys()) EXPECT_TRUE(named(key.path)) << key.path;
  for (const EngineChoice& choice : engine_choices()) {
    EXPECT_TRUE(named(choice.name)) << choice.name;
    for (const auto& parameter : choice.parameters) {
      EXPECT_TRUE(named(parameter.name)) << choice.name << " " << parameter.name;
    }
  }
  for (const auto& source : workloads::workload_sources().choices()) {
    EXPECT_TRUE(named(source.name)) << source.name;
    for (const auto& parameter : source.parameters) {
      EXPECT_TRUE(named(parameter.name)) << source.name << " " << parameter.name;
    }
  }
}

}  // namespace
}  // namespace mimus::emulator
