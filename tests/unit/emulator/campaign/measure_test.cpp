// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/measure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_folder.hpp"

namespace mimus::emulator {
namespace {

using testing::HasSubstr;

Campaign with_measure(const std::string& measure) {
  const test::CampaignFolder folder;
  const std::string text = R"(
schema: 1
name: measured
cluster: {nodes: 2, gpus_per_node: 4, gpu: T4, network: 25 Gbit/s}
workload: {source: poisson, jobs: 5, mean_interarrival: 30 s, mix: {resnet18: 1}}
)" + measure;
  return load_campaign(folder.write("campaign.yaml", text), {});
}

TEST(Measure, IsReadAsJobsOrAsASpan) {
  EXPECT_TRUE(with_measure("").measure.is_whole());
  EXPECT_EQ(with_measure("measure: {jobs: 2..4}").measure.text(), "jobs=2..4");
  EXPECT_EQ(with_measure("measure: {from: 90 s}").measure.text(), "from=90s");
  EXPECT_EQ(with_measure("measure: {from: 1 h, until: 2 h}").measure.text(), "from=1h,until=2h");
}

TEST(Measure, ChangesNoCell) {
  const Campaign without = with_measure("");
  const Campaign with = with_measure("measure: {jobs: 2..4}");

  EXPECT_EQ(without.cells[0].id, with.cells[0].id);
  EXPECT_EQ(without.cells[0].seed, with.cells[0].seed);
}

TEST(Measure, NotesAWindowThatEndsAfterTheLastJob) {
  EXPECT_THAT(with_measure("measure: {jobs: 2..9}").facts[0].notes,
              testing::Contains(HasSubstr("jobs=2..9 ends after the last of 5 jobs")));
  EXPECT_THAT(with_measure("measure: {jobs: 2..5}").facts[0].notes,
              testing::Not(testing::Contains(HasSubstr("measure"))));
}

}  // namespace
}  // namespace mimus::emulator
