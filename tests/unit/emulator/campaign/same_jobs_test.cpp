// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Cells that differ in one thing run the same jobs but for that.
#include <gtest/gtest.h>

#include "campaign_folder.hpp"
#include "emulator/campaign/cell_check.hpp"

namespace mimus::emulator {
namespace {

constexpr const char* kFiveJobs = R"(
schema: 1
name: same
seed: 7
cluster: {nodes: 2, gpus_per_node: 4, gpu: T4, network: 25 Gbit/s}
workload: {source: poisson, jobs: 5, mean_interarrival: 30 s, mix: {resnet18: 1}}
)";

Campaign load(const std::string& sweep) {
  const test::CampaignFolder folder;
  return load_campaign(folder.write("campaign.yaml", kFiveJobs + sweep), {});
}

/// Jobs of every cell of a campaign of one repetition.
std::vector<std::vector<workloads::Job>> jobs_of(const Campaign& campaign) {
  std::vector<std::vector<workloads::Job>> all;
  for (const Cell& cell : campaign.cells) {
    all.push_back(make_workload(cell, read_cell(cell, campaign.models), campaign.models).jobs);
  }
  return all;
}

// Arrivals are rounded to nanoseconds gap by gap: five gaps of 30 s against five of 15 s.
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
  EXPECT_EQ(jobs[0][0].arrival, jobs_of(load(""))[0][0].arrival);  // the campaign's is 7
}

}  // namespace
}  // namespace mimus::emulator
