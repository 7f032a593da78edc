// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts of several GPU types (resources.gpu_types).
#include "emulator/slurm/slurm_components.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "campaign_folder.hpp"
#include "emulator/slurm/slurm_plan.hpp"

namespace mimus::emulator {
namespace {

using test::CampaignFolder;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::Pair;

SubmitOptions typed_options() {
  return {.campaign_path = "t.yaml",
          .settings = {},
          .output_dir = "/out",
          .program = "/bin/mimus",
          .array = false};
}

/// Two nodes of four V100 and one of two T4, in the order of `groups`.
Campaign with_types(const std::string& resources, const std::string& more = "") {
  const CampaignFolder folder;
  return load_campaign(
      folder.write("t.yaml",
                   "schema: 1\nname: t\nworkload: {source: poisson, jobs: 4, mean_interarrival: 1 "
                   "min, mix: {resnet50: 1}, gangs: {1: 1}, duration: 2 min}\npolicy: fifo\n"
                   "cluster: {groups: [{nodes: 2, gpus_per_node: 4, gpu: V100}, {nodes: 1, "
                   "gpus_per_node: 2, gpu: T4}]}\nresources: " +
                       resources + "\n" + more),
      {});
}

std::vector<std::vector<std::string>> components_of(const Campaign& campaign) {
  std::vector<std::vector<std::string>> components(1);
  const SlurmPlan plan = plan_submission(campaign, typed_options());
  for (const std::string& word : plan.jobs.at(0).directives) {
    if (word == "hetjob") components.emplace_back();
    components.back().push_back(word);
  }
  return components;
}

// The first host has the scheduling rank besides its four workers.
TEST(SlurmComponents, EachGpuTypeHasHostsOfItsOwn) {
  const Campaign campaign = with_types(
      "{nodes: 3, partition: gpu, gpu_types: {V100: {gres: v100}, T4: {partition: old}}}");

  const auto components = components_of(campaign);

  ASSERT_EQ(components.size(), 3U);
  EXPECT_THAT(components[0], IsSupersetOf({"--nodes=1", "--ntasks=5", "--gpus-per-node=v100:4",
                                           "--partition=gpu"}));
  EXPECT_THAT(components[1], IsSupersetOf({"--nodes=1", "--ntasks=4", "--gpus-per-node=v100:4"}));
  EXPECT_THAT(components[2],
              IsSupersetOf({"--nodes=1", "--ntasks=2", "--gpus-per-node=2", "--partition=old"}));
  const auto environment = plan_submission(campaign, typed_options()).jobs.at(0).environment;
  EXPECT_THAT(environment, Contains(Pair("MIMUS_LAUNCHER", "mpirun")));
  EXPECT_THAT(environment, Not(Contains(Pair("MIMUS_HOST_RANKS", testing::_))));
}

TEST(SlurmComponents, TheSchedulerMayBeApartFromTheGpuTypes) {
  const auto components = components_of(
      with_types("{nodes: 3, scheduler: {partition: cpu}, gpu_types: {V100: {}, T4: {}}}"));

  ASSERT_EQ(components.size(), 3U);
  EXPECT_THAT(components[0], IsSupersetOf({"--partition=cpu", "--ntasks=1"}));
  EXPECT_THAT(components[1], IsSupersetOf({"--nodes=2", "--ntasks=8", "--ntasks-per-node=4"}));
}

TEST(SlurmComponents, GpuTypesAreThoseOfTheGroups) {
  const auto error = [](const std::string& resources) {
    return test::config_error(
        [&] { (void)plan_submission(with_types(resources), typed_options()); });
  };
  EXPECT_THAT(error("{nodes: 3, gpu_types: {V100: {}, T5: {}}}"), HasSubstr("did you mean \"T4\""));
  EXPECT_THAT(error("{nodes: 3, gpu_types: {V100: {}}}"), HasSubstr("has no entry for T4"));
  EXPECT_THAT(error("{gpu_types: {V100: {}, T4: {}}}"), HasSubstr("resources.nodes: is 1"));
  EXPECT_THAT(error("{nodes: 3, gpus_per_node: 2, gpu_types: {V100: {}, T4: {}}}"),
              HasSubstr("resources.gpus_per_node"));
  const std::string alike = "{nodes: 2, gpu_types: {T4: {}}}";
  for (const char* more : {"", "engine: {kind: virtual}\n"}) {
    const CampaignFolder folder;
    const auto campaign = load_campaign(
        folder.write("c.yaml", test::kOneCell + "resources: " + alike + "\n" + more), {});
    EXPECT_THROW((void)plan_submission(campaign, typed_options()), UsageError) << more;
  }
}

}  // namespace
}  // namespace mimus::emulator
