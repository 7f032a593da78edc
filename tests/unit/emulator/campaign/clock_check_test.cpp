// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_folder.hpp"

namespace mimus::emulator {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The refusal of a cell with 2 GPUs and a native trace of these rows.
std::string refusal_of(const std::string& rows, const std::string& engine = "{kind: virtual}") {
  const test::CampaignFolder folder;
  const std::string trace =
      folder.write("jobs.csv", "name,model,gang,samples,arrival,run_time\n" + rows);
  const std::string campaign = folder.write("campaign.yaml", fmt::format(R"(
schema: 1
name: long
cluster: {{nodes: 1, gpus_per_node: 2, gpu: A100, network: 25 Gbit/s}}
workload: {{source: csv, path: "{}", keep_origin: true}}
engine: {}
)",
                                                                         trace, engine));
  return test::error_message([&] { (void)load_campaign(campaign, {}); });
}

const std::string kRunTimes = "{kind: virtual, step_time: duration, interference: none}";

// gpt takes 0.07 s per sample on an A100, so this takes about 1e10 s.
TEST(ClockCheck, WorkBeyondTheClockIsRefused) {
  EXPECT_THAT(refusal_of("short,gpt,1,1000,0,\nendless,gpt,1,3e11,0,\n"),
              AllOf(HasSubstr("campaign.yaml:5:"), HasSubstr("workload: job \"endless\""),
                    HasSubstr("after 292 years")));
  EXPECT_EQ(refusal_of("short,gpt,1,1000,0,\nlong,gpt,1,3e9,0,\n"), "no error");
}

TEST(ClockCheck, ARunTimeAfterALateArrivalIsRefused) {
  EXPECT_EQ(refusal_of("a,,2,,4.1e9,4.1e9\n", kRunTimes), "no error");
  EXPECT_THAT(refusal_of("a,,2,,4.1e9,4.1e9\nb,,2,,4.1e9,4.1e9\n", kRunTimes),
              AllOf(HasSubstr("job \"b\""), HasSubstr("arrives after 129.9 years"),
                    HasSubstr("busy for 129.9 more")));
}

TEST(ClockCheck, JobsSideBySideDoNotAddUp) {
  EXPECT_EQ(refusal_of("a,,1,,4.1e9,4.1e9\nb,,1,,4.1e9,4.1e9\n", kRunTimes), "no error");
}

}  // namespace
}  // namespace mimus::emulator
