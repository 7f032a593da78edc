// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/published.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_folder.hpp"

namespace mimus::emulator {
namespace {

using testing::HasSubstr;

Campaign with_published(const std::string& published, const std::vector<Override>& overrides = {}) {
  const test::CampaignFolder folder;
  const std::string text = R"(
schema: 1
name: published
cluster: {nodes: 2, gpus_per_node: 4, gpu: T4, network: 25 Gbit/s}
workload: {source: poisson, jobs: 5, mean_interarrival: 30 s, mix: {resnet18: 1}}
sweep: {grid: {policy: [fifo, las]}}
)" + published;
  return load_campaign(folder.write("campaign.yaml", text), overrides);
}

constexpr const char* kOfLas = R"(
published:
  - cells: {policy: las}
    figures: {jct_mean: 2 min, rho_mean: 1.5}
    source: a paper
  - figures: {makespan: 1 h}
    source: another
)";

std::string json_of(const Campaign& campaign, std::size_t cell) {
  return published_json(campaign.cells[cell].published);
}

TEST(PublishedFigures, BelongToTheCellsThatTheirEntryNames) {
  const Campaign campaign = with_published(kOfLas);

  EXPECT_EQ(json_of(campaign, 0), R"([{"figure":"makespan","value":3600.0,"source":"another"}])");
  EXPECT_EQ(json_of(campaign, 1), R"([{"figure":"jct_mean","value":120.0,"source":"a paper"},)"
                                  R"({"figure":"rho_mean","value":1.5,"source":"a paper"},)"
                                  R"({"figure":"makespan","value":3600.0,"source":"another"}])");
}

TEST(PublishedFigures, ChangeNoCell) {
  const Campaign with = with_published(kOfLas);
  const Campaign without = with_published("");

  EXPECT_EQ(with.cells[1].id, without.cells[1].id);
  EXPECT_TRUE(without.cells[1].published.empty());
}

TEST(PublishedFigures, AreNotThoseOfAValueThatIsSetInPlaceOfSweptOnes) {
  const Campaign campaign = with_published(kOfLas, {{"policy", "srtf"}});

  EXPECT_EQ(json_of(campaign, 0), R"([{"figure":"makespan","value":3600.0,"source":"another"}])");
}

std::string refusal_of_entry(const std::string& entry) {
  try {
    (void)with_published("published: [" + entry + "]");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(PublishedFigures, AreRefusedWhereNoCellOrFigureIsMeant) {
  EXPECT_THAT(refusal_of_entry("{cells: {policy: lsa}, figures: {jct_mean: 1 s}, source: s}"),
              HasSubstr("did you mean \"las\"?"));
  EXPECT_THAT(refusal_of_entry("{cells: {cluster.nodes: 2}, figures: {jct_mean: 1 s}, source: s}"),
              HasSubstr("unknown swept path \"cluster.nodes\""));
  EXPECT_THAT(refusal_of_entry("{figures: {jct_men: 1 s}, source: s}"),
              HasSubstr("did you mean \"jct_mean\"?"));
  EXPECT_THAT(refusal_of_entry("{figures: {jct_mean: 12}, source: s}"), HasSubstr("unit"));
  EXPECT_THAT(refusal_of_entry("{figures: {jct_mean: 1 s}}"), HasSubstr("source"));
}

}  // namespace
}  // namespace mimus::emulator
