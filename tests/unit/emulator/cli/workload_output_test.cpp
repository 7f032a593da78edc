// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Written workloads must read back equal.
#include "emulator/cli/workload/workload_output.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "emulator/cli/workload/workload_job_list.hpp"
#include "tests/unit/emulator/cli/workload_files.hpp"
#include "workloads/workload_sources.hpp"

namespace mimus::emulator::cli {
namespace {

using test::Folder;
using testing::HasSubstr;
using workloads::Job;
using workloads::Workload;

WorkloadInput generated(const std::vector<std::string>& settings) {
  std::vector<std::string> all{"mean_interarrival=20 s"};
  all.insert(all.end(), settings.begin(), settings.end());
  return find_workload({.source = "pai-like", .settings = all, .gpus = 512, .seed = 5});
}

void expect_equal(const Job& a, const Job& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.user, b.user);
  EXPECT_EQ(a.virtual_cluster, b.virtual_cluster);
  EXPECT_EQ(a.group, b.group);
  EXPECT_EQ(a.model, b.model);
  EXPECT_EQ(a.gang, b.gang);
  EXPECT_EQ(a.total_batch, b.total_batch);
  EXPECT_EQ(a.gpu_share, b.gpu_share);
  EXPECT_EQ(a.work_samples, b.work_samples);
  EXPECT_EQ(a.arrival, b.arrival);
  EXPECT_EQ(a.run_time, b.run_time);
  EXPECT_EQ(a.user_estimate, b.user_estimate);
}

void expect_equal(const Workload& a, const Workload& b) {
  ASSERT_EQ(a.jobs.size(), b.jobs.size());
  for (std::size_t i = 0; i < a.jobs.size(); ++i) expect_equal(a.jobs[i], b.jobs[i]);
}

// More jobs than one block of text holds.
TEST(WriteWorkload, CsvReadsBackEqual) {
  const Folder folder;
  const auto input = generated({"jobs=20500", "estimate_error=0.4"});
  write_workload(*input.open(), {.path = folder.at("jobs.csv")}, input.description);
  const auto back = find_workload({.input = folder.at("jobs.csv")});
  expect_equal(workloads::drain(*back.open()), workloads::drain(*input.open()));
}

TEST(WriteWorkload, CsvOfJobsWithModelsReadsBackEqual) {
  const Folder folder;
  const auto input = generated({"jobs=300", "mix={resnet18: 1, gpt: 1}"});
  write_workload(*input.open(), {.path = folder.at("jobs.csv")}, input.description);
  const auto back = find_workload({.input = folder.at("jobs.csv"), .format = "csv"});
  expect_equal(workloads::drain(*back.open()), workloads::drain(*input.open()));
}

TEST(WriteWorkload, KeepsProvenanceBesideACsv) {
  const Folder folder;
  const auto input = generated({"jobs=7"});
  write_workload(*input.open(), {.path = folder.at("jobs.csv")}, input.description);
  const auto document = nlohmann::json::parse(folder.read("jobs.csv.provenance.json"));
  EXPECT_EQ(document["jobs"], 7);
  EXPECT_EQ(document["source"], "generator pai-like");
  EXPECT_EQ(document["source_hash"], input.open()->source_hash());
}

/// Writes the jobs to "jobs.yaml" of the folder.
void expect_that_the_list_reads_back_equal(const WorkloadInput& input, const Folder& folder) {
  write_workload(*input.open(), {.path = folder.at("jobs.yaml"), .to = "jobs"}, input.description);
  const ConfigNode document = load_yaml_file(folder.at("jobs.yaml"));
  const auto source = workloads::make_workload_source(*document.find("workload"), "workload");
  expect_equal(source->make(input.context()), workloads::drain(*input.open()));
}

// More nanoseconds than a double can represent, a fraction of a sample, a batch without a model.
TEST(WriteWorkload, ListIsExact) {
  const Folder folder;
  const auto path = folder.write("t.csv",
                                 "name,gang,model,batch,samples,arrival,run_time\n"
                                 "a,1,resnet18,128,0.5,2272283.607978041,\n"
                                 "b,1,,8,,9999999.607978041,9000000.000000001\n");

  expect_that_the_list_reads_back_equal(find_workload({.input = path}), folder);
}

TEST(WriteWorkload, ListReadsBackEqual) {
  const Folder folder;
  expect_that_the_list_reads_back_equal(generated({"jobs=200", "estimate_error=0.4"}), folder);
  EXPECT_THAT(folder.read("jobs.yaml"), testing::StartsWith("# from source pai-like\n# source "));
}

TEST(WriteWorkload, NothingIsLeftOfAFailure) {
  const Folder folder;
  const auto path = folder.write("t.csv", test::kPhilly + "3,180,oops,1,vc\n");
  const auto input = find_workload({.input = path});
  EXPECT_THAT(
      test::message_of([&] { write_workload(*input.open(), {.path = folder.at("jobs.csv")}, ""); }),
      HasSubstr("t.csv:5:7"));
  EXPECT_FALSE(std::filesystem::exists(folder.at("jobs.csv")));
  EXPECT_FALSE(std::filesystem::exists(folder.at("jobs.csv.part")));
}

TEST(WriteWorkload, NamesAFolderThatIsMissing) {
  const auto input = generated({"jobs=7"});
  EXPECT_THAT(
      test::message_of([&] { write_workload(*input.open(), {.path = "/nowhere/jobs.csv"}, ""); }),
      HasSubstr("/nowhere/jobs.csv"));
}

TEST(JobList, SaysThatOutcomesAreLost) {
  Workload workload;
  workload.jobs.resize(3);
  EXPECT_TRUE(job_list_losses(workload).empty());
  workload.jobs[1].recorded = workloads::RecordedOutcome::killed;
  EXPECT_THAT(job_list_losses(workload),
              testing::ElementsAre("a list of jobs cannot hold recorded outcomes: those of 1 jobs "
                                   "are left out"));
}

}  // namespace
}  // namespace mimus::emulator::cli
