// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The verbs of `mimus workload` as users call them.
#include "emulator/cli/workload/workload_verbs.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/log.hpp"
#include "tests/unit/emulator/cli/workload_files.hpp"

namespace mimus::emulator::cli {
namespace {

using test::Folder;
using test::kPhilly;
using testing::HasSubstr;

struct Outcome {
  int code = 0;
  std::string text;  ///< output on stdout
};

Outcome call(std::vector<std::string> arguments) {
  Session session;
  CLI::App root("test", "mimus");
  const Verb verb = add_workload(root, session);
  arguments.insert(arguments.begin(), "workload");
  std::reverse(arguments.begin(), arguments.end());
  root.parse(std::move(arguments));
  log::configure(-1);  // to stderr, as in the program
  testing::internal::CaptureStdout();
  Outcome outcome;
  outcome.code = verb.action();
  outcome.text = testing::internal::GetCapturedStdout();
  return outcome;
}

nlohmann::json json_of(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  return nlohmann::json::parse(call(std::move(arguments)).text);
}

// 66 + 4 · 600 + 30 = 2496 GPU-s over 120 s: 20.8 GPUs.
TEST(WorkloadDescribe, GivesLoadAndHistograms) {
  const Folder folder;
  const auto path = folder.write("t.csv", kPhilly);
  const auto said = json_of({"describe", path, "--gpus", "26"});
  EXPECT_EQ(said["jobs"], 3);
  EXPECT_NEAR(said["gpu_hours"].get<double>(), 2496.0 / 3600.0, 1e-9);
  EXPECT_NEAR(said["offered_load"].get<double>(), 0.8, 1e-9);
  EXPECT_EQ(said["gangs"][1]["gpus"], 4);
  EXPECT_EQ(said["virtual_clusters"][0]["name"], "11cb48");
}

TEST(WorkloadDescribe, DrawsForPeople) {
  const Folder folder;
  const auto said = call({"describe", folder.write("t.csv", kPhilly), "--gpus", "26"}).text;
  EXPECT_THAT(said, HasSubstr("0.800 of 26 GPUs"));
  EXPECT_THAT(said, HasSubstr("66.7 %"));
  EXPECT_THAT(said, HasSubstr("████"));
  EXPECT_THAT(said, HasSubstr("virtual cluster"));
}

TEST(WorkloadDescribe, HandlesASingleJob) {
  const Folder folder;
  const auto path = folder.write("t.csv", "gang,arrival,run_time\n1,0,5\n");
  EXPECT_THAT(call({"describe", path, "--gpus", "4"}).text, HasSubstr("? of 4 GPUs"));
}

TEST(WorkloadCheck, EndsWithZeroWhenRowsAreOnlyOdd) {
  const Folder folder;
  const auto path = folder.write("t.csv", kPhilly + "3,180,0,1,vc\n");
  const auto said = call({"check", path});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.text, HasSubstr("zero_run_time"));
  EXPECT_THAT(said.text, HasSubstr("4 rows, 3 jobs, no bad row"));
}

TEST(WorkloadCheck, ReportsEveryBadRow) {
  const Folder folder;
  const auto path = folder.write("t.csv", kPhilly + "3,oops,9,1,vc\n4,200,9,1,vc\n5,300,9,x,vc\n");
  const auto said = call({"check", path});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.text, HasSubstr("t.csv:5:3: submit"));
  EXPECT_THAT(said.text, HasSubstr("t.csv:7:9: num_gpus"));
  EXPECT_THAT(said.text, HasSubstr("2 bad rows"));
}

TEST(WorkloadCheck, ListsBadRowsAsJson) {
  const Folder folder;
  const auto path = folder.write("t.csv", kPhilly + "3,oops,9,1,vc\n");
  const auto said = json_of({"check", path});
  EXPECT_EQ(said["bad_row_count"], 1);
  EXPECT_EQ(said["bad_rows"][0]["line"], 5);
  EXPECT_EQ(said["bad_rows"][0]["field"], "submit");
  EXPECT_EQ(said["jobs"], 3);
}

TEST(WorkloadConvert, WritesNativeCsvToStdout) {
  const Folder folder;
  const auto said = call({"convert", folder.write("t.csv", kPhilly)}).text;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 4);
  EXPECT_THAT(said, testing::StartsWith("name,user,virtual_cluster,group,model,gang"));
}

TEST(WorkloadSample, WritesAsManyAsAsked) {
  const Folder folder;
  const auto path = folder.write("t.csv", kPhilly);
  const auto said = call({"sample", path, "--jobs", "2", "--stratify", "gang"}).text;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 3);
}

TEST(WorkloadSample, NeedsToKnowWhatToTake) {
  const Folder folder;
  const auto path = folder.write("t.csv", kPhilly);
  EXPECT_THAT(test::message_of([&] {
                (void)call({"sample", path});
              }),
              HasSubstr("state what to take"));
  (void)testing::internal::GetCapturedStdout();
}

TEST(WorkloadScale, ReachesTheLoad) {
  const Folder folder;
  const auto path = folder.write("t.csv", kPhilly);
  (void)call({"scale", path, "--load", "0.4", "--gpus", "26", "-o", folder.at("s.csv")});
  const auto said = json_of({"describe", folder.at("s.csv"), "--gpus", "26"});
  EXPECT_NEAR(said["offered_load"].get<double>(), 0.4, 1e-6);
}

TEST(WorkloadGenerate, ListsGeneratorsWithoutAName) {
  const auto said = call({"generate"}).text;
  for (const char* name : {"poisson", "diurnal", "philly-like", "pai-like", "recurring"}) {
    EXPECT_THAT(said, HasSubstr(std::string("\n") + name));
  }
}

TEST(WorkloadGenerate, NamesTheNearestGenerator) {
  EXPECT_THAT(test::message_of([] {
                (void)call({"generate", "philly-lik"});
              }),
              HasSubstr("did you mean \"philly-like\"?"));
  (void)testing::internal::GetCapturedStdout();
}

}  // namespace
}  // namespace mimus::emulator::cli
