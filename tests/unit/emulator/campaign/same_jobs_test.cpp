// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Cells that differ in one setting run the same jobs except for its effect.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "campaign_folder.hpp"
#include "emulator/campaign/check/cell_check.hpp"

namespace mimus::emulator {
namespace {

constexpr const char* kFiveJobs = R"(
schema: 1
name: same
seed: 7
cluster: {nodes: 2, gpus_per_node: 4, gpu: T4, network: 25 Gbit/s}
workload: {source: poisson, jobs: 5, mean_interarrival: 30 s, mix: {resnet18: 1}}
)";

Campaign load(const std::string& sweep, const std::vector<Override>& overrides = {}) {
  const test::CampaignFolder folder;
  return load_campaign(folder.write("campaign.yaml", kFiveJobs + sweep), overrides);
}

/// The jobs of every cell of a campaign with one repetition.
std::vector<std::vector<workloads::Job>> jobs_of(const Campaign& campaign) {
  std::vector<std::vector<workloads::Job>> all;
  for (const Cell& cell : campaign.cells) {
    all.push_back(make_workload(cell, read_cell(cell, campaign.models), campaign.models).jobs);
  }
  return all;
}

// Arrivals are rounded to nanoseconds for each gap: five gaps of 30 s against five of 15 s.
TEST(SameJobs, CellsThatDifferInLoadGetTheSameJobsOnAnotherClock) {
  const auto jobs = jobs_of(load("sweep: {grid: {workload.mean_interarrival: [30 s, 15 s]}}\n"));

  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(jobs[0][i].work_samples, jobs[1][i].work_samples);
    EXPECT_EQ(jobs[0][i].gang, jobs[1][i].gang);
    EXPECT_EQ(jobs[0][i].user, jobs[1][i].user);
    EXPECT_NEAR(to_seconds(jobs[0][i].arrival), 2.0 * to_seconds(jobs[1][i].arrival), 1e-8);
  }
}

TEST(SameJobs, CellsThatDifferInNodesGetTheSameJobs) {
  const auto jobs = jobs_of(load("sweep: {grid: {cluster.nodes: [2, 3]}}\n"));

  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(jobs[0][i].arrival, jobs[1][i].arrival);
    EXPECT_EQ(jobs[0][i].gang, jobs[1][i].gang);
    EXPECT_EQ(jobs[0][i].work_samples, jobs[1][i].work_samples);
  }
}

TEST(SameJobs, ASweepOfTheWorkloadsSeedGivesOtherJobs) {
  const Campaign campaign = load("sweep: {grid: {workload.seed: [7, 8]}}\n");
  const auto jobs = jobs_of(campaign);

  EXPECT_NE(campaign.cells[0].seed, campaign.cells[1].seed);
  EXPECT_NE(jobs[0][0].arrival, jobs[1][0].arrival);
  EXPECT_EQ(jobs[0][0].arrival, jobs_of(load(""))[0][0].arrival);  // the campaign's seed is 7
}

// A study over machine types: the samples of an hour on a V100, whatever the cluster.
TEST(SameJobs, CellsThatDifferInTheMachineGetTheSameWorkWhereDurationsAreStatedForOne) {
  const std::string gpus = "sweep: {grid: {cluster.gpu: [T4, H100]}}\n";
  const auto here = jobs_of(load(gpus));
  const auto elsewhere = jobs_of(load(gpus, {{"workload.duration_on", "V100"}}));

  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_LT(1.5 * here[0][i].work_samples, here[1][i].work_samples);
    EXPECT_EQ(elsewhere[0][i].work_samples, elsewhere[1][i].work_samples);
    EXPECT_GT(elsewhere[0][i].user_estimate, elsewhere[1][i].user_estimate);
  }
}

// Sia's loaders slow its A100 to less than half of the built-in one with ResNet-50.
TEST(SameJobs, DurationsMayHoldOnAMachineTypeOfTheCampaign) {
  const auto source = std::filesystem::path(std::getenv("MIMUS_SOURCE_DIR"));
  const std::string file = (source / "configs/machines/sia-a100.yaml").string();
  const auto samples_on = [&](const std::string& type) {
    return jobs_of(load("", {{"gpus", "[" + file + "]"},
                             {"workload.mix", "{resnet50: 1}"},
                             {"workload.duration_on", type}}))[0][0]
        .work_samples;
  };

  EXPECT_LT(2.0 * samples_on("A100-sia"), samples_on("A100"));
}

TEST(SameJobs, AMachineForRunTimesThatAreRecordedIsSaidToBeOfNoEffect) {
  const auto campaign = load("", {{"workload.duration_on", "V100"},
                                  {"engine", "{kind: virtual, step_time: duration}"},
                                  {"workload.source", "philly-like"}});

  EXPECT_TRUE(std::any_of(
      campaign.facts[0].notes.begin(), campaign.facts[0].notes.end(), [](const auto& note) {
        return note.find("workload.duration_on has no effect") != std::string::npos;
      }));
}

}  // namespace
}  // namespace mimus::emulator
