// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// From the arguments of the command line to a workload.
#include "emulator/cli/workload/workload_input.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/campaign/cell_id.hpp"
#include "emulator/cli/workload/workload_format.hpp"
#include "tests/unit/emulator/cli/workload_files.hpp"

namespace mimus::emulator::cli {
namespace {

using test::Folder;
using test::kPhilly;
using test::message_of;
using testing::HasSubstr;

TEST(TraceFormats, AreTheSourcesWithAPath) {
  EXPECT_THAT(trace_formats(), testing::IsSupersetOf({"csv", "philly", "pollux"}));
  EXPECT_THAT(trace_formats(), testing::Not(testing::Contains("poisson")));
}

TEST(GuessedFormat, IsToldByTheHeader) {
  const Folder folder;
  EXPECT_EQ(guessed_format(folder.write("a.csv", kPhilly)), "philly");
  EXPECT_EQ(guessed_format(folder.write("b.csv", "gang,arrival,run_time\n1,0,5\n")), "csv");
  EXPECT_EQ(guessed_format(folder.write(
                "c.csv", "name,time,application,num_replicas,batch_size\na,0,ncf,1,256\n")),
            "pollux");
}

TEST(GuessedFormat, SurvivesBadRows) {
  const Folder folder;
  EXPECT_EQ(guessed_format(folder.write("a.csv", kPhilly + "3,oops,1,1,vc\n")), "philly");
}

TEST(GuessedFormat, KnowsAHeaderWithoutRows) {
  const Folder folder;
  EXPECT_EQ(guessed_format(folder.write("a.csv", "job_id,submit,duration,num_gpus,vc\n")),
            "philly");
}

TEST(GuessedFormat, AsksWhenNoneFits) {
  const Folder folder;
  const auto path = folder.write("a.csv", "some,other,table\n1,2,3\n");
  EXPECT_THAT(message_of([&] { (void)guessed_format(path); }),
              HasSubstr("has the header of no known trace; name its format with --format: "));
}

TEST(GuessedFormat, NamesAFileThatIsMissing) {
  EXPECT_THAT(message_of([] { (void)guessed_format("/nowhere/trace.csv"); }),
              HasSubstr("/nowhere/trace.csv"));
}

TEST(FindWorkload, TakesModelsOfFilesAndFolders) {
  const Folder folder;
  std::filesystem::create_directories(folder.at("models"));
  const std::string own = test::read_source("tests/golden/inputs/models/own.yaml");
  const std::vector<std::string> settings{"jobs=2", "mean_interarrival=60 s", "mix={own: 1}"};
  for (const std::string& path : {folder.write("models/own.yaml", own), folder.at("models")}) {
    const auto input =
        find_workload({.source = "poisson", .settings = settings, .gpus = 8, .models = {path}});
    EXPECT_EQ(input.open()->next()->model, "own");
  }
}

TEST(FindWorkload, RefusesAFolderWithoutModels) {
  const Folder folder;
  EXPECT_THAT(
      message_of([&] { (void)find_workload({.source = "poisson", .models = {folder.at("")}}); }),
      HasSubstr("is a folder without a model file (.yaml)"));
}

TEST(FindWorkload, ReadsATraceWithSettings) {
  const Folder folder;
  const auto input =
      find_workload({.input = folder.write("t.csv", kPhilly), .settings = {"first=2"}});
  EXPECT_THAT(input.description, HasSubstr("philly trace"));
  EXPECT_EQ(workloads::drain(*input.open()).jobs.size(), 2U);
}

TEST(FindWorkload, LeavesLargeGangsAloneUnlessTold) {
  const Folder folder;
  const auto path = folder.write("t.csv", kPhilly);
  EXPECT_EQ(workloads::drain(*find_workload({.input = path, .gpus = 2}).open()).jobs[1].gang, 4);
  const auto clamped = find_workload({.input = path, .settings = {"oversized=clamp"}, .gpus = 2});
  EXPECT_EQ(workloads::drain(*clamped.open()).jobs[1].gang, 2);
}

TEST(FindWorkload, MakesAGenerator) {
  const auto input = find_workload(
      {.source = "philly-like", .settings = {"jobs=5", "load=0.5"}, .gpus = 64, .seed = 3});
  EXPECT_EQ(input.seed, seed_of_repetition(3, 0));
  EXPECT_EQ(workloads::drain(*input.open()).jobs.size(), 5U);
}

TEST(FindWorkload, SeedsOfGeneratorsAreThoseOfCampaigns) {
  const auto seed = [](std::vector<std::string> settings, std::optional<std::int64_t> stated) {
    settings.insert(settings.end(), {"jobs=5", "mean_interarrival=1 s"});
    return find_workload({.source = "poisson", .settings = settings, .seed = stated}).seed;
  };
  EXPECT_EQ(seed({}, {}), seed_of_repetition(0, 0));
  EXPECT_EQ(seed({"seed=4"}, {}), seed_of_repetition(4, 0));
  EXPECT_EQ(seed({"seed=4"}, 5), seed_of_repetition(5, 0));
}

const std::string kCampaign =
    "schema: 1\n"
    "name: test\n"
    "cluster: {nodes: 2, gpus_per_node: 4, gpu: V100, network: 25 Gbit/s}\n"
    "workload: {source: poisson, jobs: 4, mean_interarrival: 30 s}\n"
    "sweep: {grid: {workload.jobs: [4, 7]}}\n";

// An hour on the machine type is an hour there. The samples follow from the speed of its GPUs.
TEST(FindWorkload, RunTimesHoldOnTheMachineTypeThatIsNamed) {
  const auto found = [](const std::string& gpu, const std::string& setting) {
    return find_workload({.source = "poisson",
                          .settings = {"jobs=3", "mean_interarrival=1 s", "mix={resnet50: 1}",
                                       "duration=1 h", "duration_sigma=0", setting},
                          .gpu = gpu});
  };
  const auto samples = [&](const std::string& gpu, const std::string& setting = "users=10") {
    return workloads::drain(*found(gpu, setting).open()).jobs[0].work_samples;
  };
  const auto input = found("A100", "users=10");
  const auto job = workloads::drain(*input.open()).jobs[0];

  EXPECT_NEAR(to_seconds(input.run_times().of(job, input.models)), 3600.0, 1e-6);
  EXPECT_GT(samples("A100"), 5.0 * samples("T4"));
  EXPECT_EQ(samples("A100", "duration_on=T4"), samples("T4"));
  EXPECT_EQ(samples("", "duration_on=T4"), samples("T4"));
  EXPECT_THAT(message_of([&] { (void)samples("A10"); }),
              HasSubstr("unknown GPU type \"A10\"; did you mean \"A100\"?"));
}

/// The work of a job of one hour on a machine type.
double samples_on(const std::string& gpu) {
  const auto input =
      find_workload({.source = "poisson",
                     .settings = {"jobs=1", "mean_interarrival=1 s", "mix={resnet50: 1}",
                                  "duration=1 h", "duration_sigma=0", "gangs={1: 1}"},
                     .gpu = gpu});
  return workloads::drain(*input.open()).jobs[0].work_samples;
}

const std::string kOneMachine =
    "schema: 1\n"
    "gpus:\n"
    "  - {name: slow, source: made up, fp32: 0.1 TFLOP/s, fp16: 0.1 TFLOP/s, memory: 16 GB,\n"
    "     memory_bandwidth: 320 GB/s, multiprocessors: 40, island_link: 10 GB/s,\n"
    "     node_link: 10 GB/s, network: 25 Gbit/s, host_link: 12 GB/s, launch_gap: 6 us}\n";

TEST(FindWorkload, TakesAMachineTypeOfOnesOwn) {
  const Folder folder;
  const auto one = folder.write("one.yaml", kOneMachine);
  std::string second = kOneMachine.substr(kOneMachine.find("  - {"));
  second.replace(second.find("slow"), 4, "fast");
  second.replace(second.find("0.1 TFLOP/s, memory"), 3, "65");
  const auto two = folder.write("two.yml", kOneMachine + second);

  EXPECT_GT(samples_on(one), 0.0);
  EXPECT_EQ(samples_on(two + ":slow"), samples_on(one));
  EXPECT_GT(samples_on(two + ":fast"), 5.0 * samples_on(one));
}

TEST(FindWorkload, SaysWhatIsWrongWithAMachineTypeOfOnesOwn) {
  const Folder folder;
  const auto one = folder.write("one.yaml", kOneMachine);
  const auto two =
      folder.write("two.yaml", kOneMachine + kOneMachine.substr(kOneMachine.find("  - {")));
  const auto said = [](const std::string& gpu) {
    return message_of([&] { (void)samples_on(gpu); });
  };

  EXPECT_THAT(said(one + ":slov"),
              HasSubstr("unknown machine type \"slov\"; did you mean \"slow\"?"));
  EXPECT_THAT(said(two), HasSubstr("the file has 2 machine types; say which, as " + two + ":slow"));
  EXPECT_THAT(said(folder.at("none.yaml")), HasSubstr(folder.at("none.yaml")));
  EXPECT_THAT(said(folder.write("bad.yaml", "schema: 1\ngpus: [{name: x}]\n")),
              HasSubstr("bad.yaml:2"));
}

TEST(FindWorkload, ACampaignSaysWhatItsMachinesAre) {
  const Folder folder;
  const auto path = folder.write("c.yaml", kCampaign);
  EXPECT_THAT(message_of([&] { (void)find_workload({.input = path, .gpu = "T4"}); }),
              HasSubstr("--set cluster.gpu=T4"));
}

TEST(FindWorkload, NeedsTheGpusForALoad) {
  EXPECT_THAT(message_of([] {
                (void)find_workload({.source = "pai-like", .settings = {"jobs=5", "load=0.5"}});
              }),
              HasSubstr("give its number of GPUs with --gpus N"));
}

TEST(FindWorkload, TakesOneInput) {
  EXPECT_THAT(message_of([] { (void)find_workload({}); }), HasSubstr("give one of INPUT"));
  EXPECT_THAT(message_of([] { (void)find_workload({.input = "a.csv", .source = "poisson"}); }),
              HasSubstr("give one of INPUT"));
}

TEST(FindWorkload, PointsAtTheSettingThatIsWrong) {
  EXPECT_THAT(
      message_of([] {
        (void)find_workload({.source = "poisson", .settings = {"jobs=none", "load=1"}, .gpus = 4});
      }),
      HasSubstr("--set jobs=none"));
}

TEST(FindWorkload, TakesACellOfACampaign) {
  const Folder folder;
  const auto path = folder.write("c.yaml", kCampaign);
  const auto first = find_workload({.input = path});
  EXPECT_EQ(first.cluster_gpus, 8);
  EXPECT_EQ(first.gpus, 8);
  EXPECT_EQ(workloads::drain(*first.open()).jobs.size(), 4U);
  const auto second = find_workload({.input = path, .cell = "002"});
  EXPECT_EQ(workloads::drain(*second.open()).jobs.size(), 7U);
}

TEST(FindWorkload, CellsHaveTheJobsThatARunWouldHave) {
  const Folder folder;
  const auto path = folder.write("c.yaml", kCampaign);
  const Campaign campaign = load_campaign(path, {});
  const CellConfig config = read_cell(campaign.cells[1], campaign.models);
  const auto expected =
      config.workload->make({campaign.models, campaign.cells[1].seed, config.cluster.shape.gpus()});
  const auto input = find_workload({.input = path, .cell = campaign.cells[1].id});
  const auto found = workloads::drain(*input.open());
  ASSERT_EQ(found.jobs.size(), expected.jobs.size());
  for (std::size_t i = 0; i < found.jobs.size(); ++i) {
    EXPECT_EQ(found.jobs[i].arrival, expected.jobs[i].arrival);
  }
}

TEST(FindWorkload, NamesTheCellsThereAre) {
  const Folder folder;
  const auto path = folder.write("c.yaml", kCampaign);
  EXPECT_EQ(message_of([&] { (void)find_workload({.input = path, .cell = "9"}); }),
            "no cell \"9\"; numbers go from 1 to 2, see mimus expand");
}

}  // namespace
}  // namespace mimus::emulator::cli
