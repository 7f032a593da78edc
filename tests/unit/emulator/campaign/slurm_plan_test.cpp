// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/slurm/slurm_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "campaign_folder.hpp"

namespace mimus::emulator {
namespace {

using test::CampaignFolder;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

/// kOneCell emulates 2 nodes of 4 GPUs. With one lane per GPU, the world has 9 ranks.
Campaign with_resources(const std::string& resources, const std::string& more = "") {
  const CampaignFolder folder;
  return load_campaign(
      folder.write("c.yaml", test::kOneCell + "resources: " + resources + "\n" + more), {});
}

SubmitOptions options(bool array = false) {
  return {.campaign_path = "c.yaml",
          .settings = {"seed=9"},
          .output_dir = "/out",
          .program = "/bin/mimus",
          .array = array};
}

const std::string kTwoOrders = "sweep: {grid: {policy.placement: [pack, spread]}}\n";

TEST(SlurmPlan, OneHostGetsTheWholeWorld) {
  const SlurmPlan plan = plan_submission(with_resources("{walltime: 90 min}"), options());

  const SlurmJob& job = plan.jobs.at(0);
  EXPECT_EQ(job.script, "campaign.sbatch");
  EXPECT_THAT(job.directives, Contains("--ntasks=9"));
  EXPECT_THAT(job.directives, Contains("--time=01:30:00"));
  EXPECT_THAT(job.directives, Contains("--exclusive"));
  EXPECT_THAT(job.environment, Contains(Pair("MIMUS_RANKS", "9")));
  EXPECT_THAT(job.arguments, ElementsAre("c.yaml", "-o", "/out", "--set", "seed=9"));
}

// srun ends a step when one of its ranks dies, so the scripts use mpirun if the run must continue.
TEST(SlurmPlan, TheScriptsHearThatARunIsToOutliveItsWorkers) {
  const auto plain = plan_submission(with_resources("{nodes: 1}"), options());
  const auto going_on = plan_submission(
      with_resources("{nodes: 1}", "engine: {on_lost_rank: continue}\n"), options());

  const auto pair = Pair("MIMUS_ON_LOST_RANK", "continue");
  EXPECT_THAT(plain.jobs.at(0).environment, Not(Contains(pair)));
  EXPECT_THAT(going_on.jobs.at(0).environment, Contains(pair));
}

// 8 workers on 2 hosts are 4 each. The first host also has the scheduling rank: 5. Slurm is asked
// for 5 on both hosts, and one task stays idle.
TEST(SlurmPlan, EveryHostHasRoomForTheFullest) {
  const SlurmPlan plan = plan_submission(with_resources("{nodes: 2, gpus_per_node: 4}"), options());

  const auto& directives = plan.jobs.at(0).directives;
  EXPECT_THAT(directives, Contains("--nodes=2"));
  EXPECT_THAT(directives, Contains("--ntasks=10"));
  EXPECT_THAT(directives, Contains("--ntasks-per-node=5"));
  EXPECT_THAT(directives, Contains("--gpus-per-node=4"));
}

TEST(SlurmPlan, AnEmulatedNodeIsNotCutInTwo) {
  const Campaign campaign = with_resources("{nodes: 3}");

  const std::string error = test::config_error([&] { (void)plan_submission(campaign, options()); });

  EXPECT_THAT(error, HasSubstr("2 emulated nodes cannot be spread evenly over 3 hosts"));
}

// Nodes of 4, 2, 1 and 1 GPUs on two hosts: 6 and 2 workers, and the scheduling rank on the first.
TEST(SlurmPlan, HostsOfUnlikeNodesHaveTheRanksOfTheirNodes) {
  const CampaignFolder folder;
  const std::string groups =
      "schema: 1\nname: g\nworkload: {source: poisson, jobs: 4, mean_interarrival: 1 min, mix: "
      "{resnet50: 1}, gangs: {1: 1}, duration: 2 min}\npolicy: fifo\n"
      "cluster: {groups: [{nodes: 1, gpus_per_node: 4, gpu: V100}, {nodes: 1, gpus_per_node: 2, "
      "gpu: "
      "V100}, {nodes: 2, gpus_per_node: 1, gpu: T4}]}\n";
  const Campaign campaign =
      load_campaign(folder.write("g.yaml", groups + "resources: {nodes: 2}\n"), {});

  const SlurmJob job = plan_submission(campaign, options()).jobs.at(0);

  EXPECT_THAT(job.directives, Contains("--ntasks-per-node=7"));
  EXPECT_THAT(job.directives, Contains("--ntasks=14"));
  EXPECT_THAT(job.environment, Contains(Pair("MIMUS_RANKS", "9")));
  EXPECT_THAT(job.environment, Contains(Pair("MIMUS_HOST_RANKS", "7 2")));
  const Campaign apart = load_campaign(
      folder.write("s.yaml", groups + "resources: {nodes: 2, scheduler: {partition: cpu}}\n"), {});
  EXPECT_THROW((void)plan_submission(apart, options()), UsageError);
}

// Walltime 61 s: a started minute counts as a whole one, or the job would be cut off early.
TEST(SlurmPlan, TimeLimitsAreRoundedUp) {
  const SlurmPlan plan = plan_submission(with_resources("{walltime: 61 s}"), options());
  EXPECT_THAT(plan.jobs.at(0).directives, Contains("--time=00:02:00"));
}

TEST(SlurmPlan, AnArrayHasATaskPerCell) {
  const Campaign campaign = with_resources("{array_at_once: 1}", kTwoOrders);

  const SlurmPlan plan = plan_submission(campaign, options(true));

  EXPECT_EQ(plan.jobs.at(0).script, "array.sbatch");
  EXPECT_THAT(plan.jobs.at(0).directives, Contains("--array=0-1%1"));
  EXPECT_THAT(plan.jobs.at(0).environment, Contains(Pair("MIMUS_ARRAY_TASKS", "2")));
}

TEST(SlurmPlan, FewerTasksThanCellsShareThem) {
  const Campaign campaign = with_resources("{array_tasks: 1}", kTwoOrders);
  const SlurmPlan plan = plan_submission(campaign, options(true));
  EXPECT_THAT(plan.jobs.at(0).directives, Contains("--array=0-0"));
}

// The component before "hetjob" is that of the scheduling rank.
TEST(SlurmPlan, AHeterogeneousJobHasTwoComponents) {
  const Campaign campaign =
      with_resources("{nodes: 2, partition: gpu, scheduler: {partition: cpu}}");

  const auto directives = plan_submission(campaign, options()).jobs.at(0).directives;

  const auto between = std::find(directives.begin(), directives.end(), "hetjob");
  const std::vector<std::string> first(directives.begin(), between);
  const std::vector<std::string> second(between, directives.end());
  EXPECT_THAT(first, Contains("--partition=cpu"));
  EXPECT_THAT(first, Contains("--ntasks=1"));
  EXPECT_THAT(second, Contains("--partition=gpu"));
  EXPECT_THAT(second, Contains("--ntasks=8"));
  EXPECT_THROW((void)plan_submission(campaign, options(true)), UsageError);
}

TEST(SlurmPlan, VirtualCellsNeedOneTaskAndNoWholeHost) {
  const Campaign campaign = with_resources("{cpus_per_task: 8}", "engine: {kind: virtual}\n");

  const SlurmPlan plan = plan_submission(campaign, options());

  EXPECT_THAT(plan.jobs.at(0).directives, Contains("--ntasks=1"));
  EXPECT_THAT(plan.jobs.at(0).directives, Contains("--cpus-per-task=8"));
  EXPECT_THAT(plan.jobs.at(0).directives, Not(Contains("--exclusive")));
  EXPECT_THAT(plan.jobs.at(0).arguments,
              ElementsAre("c.yaml", "-o", "/out", "--set", "seed=9", "--jobs", "8"));
}

TEST(SlurmPlan, WhatFollowsIsOneTaskOnTheResults) {
  const SlurmPlan plan = plan_submission(with_resources("{account: lab}"), options());

  ASSERT_EQ(plan.jobs.size(), 2U);
  EXPECT_EQ(plan.jobs[1].script, "aggregate.sbatch");
  EXPECT_THAT(plan.jobs[1].directives, Contains("--account=lab"));
  EXPECT_THAT(plan.jobs[1].arguments, ElementsAre("/out", "c.yaml", "--set", "seed=9"));
}

TEST(SlurmScript, HasTheJobsDirectivesInPlaceOfItsOwn) {
  const SlurmPlan plan = plan_submission(with_resources("{}"), options());

  const std::string text = script_text(plan, plan.jobs.at(0));

  EXPECT_TRUE(text.starts_with("#!/usr/bin/env bash\n"));
  EXPECT_THAT(text, HasSubstr("\n#SBATCH --ntasks=9\n"));
  EXPECT_THAT(text, Not(HasSubstr("--ntasks=17\n")));
  EXPECT_THAT(text, HasSubstr("\nexport MIMUS=/bin/mimus\n"));
  EXPECT_THAT(text, HasSubstr("\nmimus_run \"$@\"\n"));
}

TEST(SlurmScript, EveryShippedScriptCanBeWritten) {
  for (const bool array : {false, true}) {
    const SlurmPlan plan = plan_submission(with_resources("{}"), options(array));
    for (const SlurmJob& job : plan.jobs) {
      EXPECT_THAT(script_text(plan, job), HasSubstr("\nset -euo pipefail\n")) << job.script;
    }
  }
  EXPECT_THAT(shipped_script("lib.sh"), HasSubstr("mimus_requeue()"));
  EXPECT_THAT(shipped_script("env.sh"), HasSubstr("mimus_choose_launcher()"));
}

TEST(ShellWord, IsOneWordOfAShell) {
  EXPECT_EQ(shell_word("a=b/c"), "a=b/c");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("{a: b}"), "'{a: b}'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
}

// bash would run the text after a line break in a comment or a directive.
TEST(SlurmPlan, RefusesControlCharactersInWhateverItWrites) {
  const auto refusal = [](const std::string& resources, const SubmitOptions& given) -> std::string {
    try {
      static_cast<void>(plan_submission(with_resources(resources), given));
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string plain = "{walltime: 90 min}";
  SubmitOptions file = options();
  file.campaign_path = "c\ntouch injected\n.yaml";
  SubmitOptions folder = options();
  folder.output_dir = "/out\r";
  SubmitOptions setting = options();
  setting.settings = {"name=a\nb"};

  EXPECT_THAT(refusal(plain, file), HasSubstr("campaign file: \"c\\ntouch injected"));
  EXPECT_THAT(refusal(plain, folder), HasSubstr("result folder"));
  EXPECT_THAT(refusal(plain, setting), HasSubstr("--set"));
  for (const std::string key : {"partition", "account", "qos", "reservation", "constraint"}) {
    EXPECT_THAT(refusal("{" + key + ": \"a\\nb\"}", options()), HasSubstr("resources"));
  }
  EXPECT_THAT(refusal("{options: [\"--mem=1\\nreboot\"]}", options()), HasSubstr("resources"));
  EXPECT_EQ(refusal(plain, options()), "accepted");
}

TEST(SlurmPlan, QuotesWhatSbatchWouldReadOtherwise) {
  SubmitOptions hostile = options();
  hostile.campaign_path = "-c.yaml";
  hostile.output_dir = "/a \"b\" %x #c";

  const SlurmPlan plan = plan_submission(with_resources("{partition: \"gpu#1\"}"), hostile);

  const SlurmJob& job = plan.jobs.at(0);
  EXPECT_THAT(job.directives, Contains("--partition=\"gpu#1\""));
  EXPECT_THAT(job.directives, Contains("--output=\"/a \\\"b\\\" %%x #c/slurm/%x-%j.out\""));
  EXPECT_EQ(job.arguments.front(), "./-c.yaml");
}

}  // namespace
}  // namespace mimus::emulator
