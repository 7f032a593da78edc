// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// A note warns of repetitions that cannot differ.
#include "emulator/campaign/repetition_check.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "campaign_folder.hpp"

namespace mimus::emulator {
namespace {

constexpr const char* kFixedTrace = R"(
schema: 1
name: fixed
repetitions: 6
cluster: {nodes: 2, gpus_per_node: 4, gpu: T4, network: 25 Gbit/s}
workload: {source: csv, path: jobs.csv}
engine: {kind: virtual, step_time: duration, interference: none}
)";

/// Number of cells whose notes say that repetitions give the same result.
std::int64_t warnings(const std::string& text, const std::vector<Override>& overrides = {}) {
  const test::CampaignFolder folder;
  folder.write("jobs.csv", "arrival,gang,run_time\n0,1,60\n");
  const Campaign campaign = load_campaign(folder.write("campaign.yaml", text), overrides);
  std::int64_t count = 0;
  for (const CellFacts& facts : campaign.facts) {
    count += std::count_if(facts.notes.begin(), facts.notes.end(), [](const std::string& note) {
      return note.starts_with("all repetitions give the same");
    });
  }
  return count;
}

TEST(Repetitions, OfAFixedTraceUnderADeterministicPolicyAreWarnedOfOnce) {
  EXPECT_EQ(warnings(kFixedTrace), 1);
  EXPECT_EQ(warnings(std::string(kFixedTrace) + "sweep: {grid: {policy: [fifo, srtf]}}\n"), 2);
}

TEST(Repetitions, UnderSweptSeedsAreWarnedOf) {
  EXPECT_EQ(warnings(std::string(kFixedTrace) + "sweep: {grid: {workload.seed: [1, 2]}}\n",
                     {{"repetitions", "1"}}),
            1);
}

TEST(Repetitions, OfAListOfJobsAreWarnedOf) {
  EXPECT_EQ(warnings(test::kOneCell, {{"repetitions", "2"}, {"engine.kind", "virtual"}}), 1);
}

TEST(Repetitions, ThatDifferAreNotWarnedOf) {
  EXPECT_EQ(warnings(kFixedTrace, {{"repetitions", "1"}}), 0);
  EXPECT_EQ(warnings(kFixedTrace, {{"workload.estimate", "noisy"}}), 0);
  EXPECT_EQ(warnings(kFixedTrace, {{"policy.placement", "random"}}), 0);
  EXPECT_EQ(warnings(test::kOneCell, {{"repetitions", "2"}}), 0);  // live runs always differ
  EXPECT_EQ(warnings(kFixedTrace, {{"workload",
                                    "{source: poisson, jobs: 3, mean_interarrival: 30 s, "
                                    "gangs: {1: 1}, run_time_jobs: true}"}}),
            0);
}

}  // namespace
}  // namespace mimus::emulator
