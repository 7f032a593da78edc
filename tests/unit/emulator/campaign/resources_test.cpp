// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/resources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_folder.hpp"

namespace mimus::emulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Resources read(const std::string& resources) {
  const ConfigNode document = parse_yaml("resources: " + resources + "\n", "test.yaml");
  YamlReader root(document, "");
  return read_resources(root);
}

std::string error_of(const std::string& resources) {
  return test::config_error([&] { (void)read(resources); });
}

TEST(Resources, DefaultsAskForOneHostAndTwoMinutes) {
  const Resources given = read("{}");

  EXPECT_EQ(given.nodes, 1);
  EXPECT_EQ(given.signal_before, std::chrono::seconds{120});
  EXPECT_FALSE(given.exclusive.has_value());
  EXPECT_FALSE(given.scheduler.has_value());
}

TEST(Resources, EveryKeyIsRead) {
  const Resources given = read(
      "{nodes: 3, ranks_per_node: 9, walltime: 2 h, partition: gpu, account: a, qos: q, "
      "constraint: ib, reservation: r, gpus_per_node: 4, cpus_per_task: 2, memory_per_node: 8 GiB, "
      "exclusive: false, signal_before: 5 min, launcher: mpirun, array_tasks: 10, "
      "array_at_once: 2, options: [--mail-type=END], scheduler: {partition: cpu}}");

  EXPECT_EQ(given.nodes, 3);
  EXPECT_EQ(given.walltime, std::chrono::hours{2});
  EXPECT_EQ(given.partition, "gpu");
  EXPECT_EQ(given.gpus_per_node, 4);
  EXPECT_EQ(given.memory_per_node.value, 8.0 * (1 << 30));
  EXPECT_EQ(given.exclusive, false);
  EXPECT_EQ(given.launcher, "mpirun");
  EXPECT_EQ(given.array_at_once, 2);
  EXPECT_THAT(given.options, ElementsAre("--mail-type=END"));
  EXPECT_EQ(given.scheduler->partition, "cpu");
}

TEST(Resources, NothingCanSlipIntoADirective) {
  EXPECT_THAT(error_of("{partition: \"gpu --uid=0\"}"), HasSubstr("no blanks"));
  EXPECT_THAT(error_of("{account: \"a\\n#SBATCH\"}"), HasSubstr("no blanks"));
  EXPECT_THAT(error_of("{options: [\"--comment=two words\"]}"), HasSubstr("without blanks"));
  EXPECT_THAT(error_of("{options: [-N2]}"), HasSubstr("in its long form"));
}

TEST(Resources, UnknownNamesGetTheNearestMatch) {
  EXPECT_THAT(error_of("{partitoin: gpu}"), HasSubstr("did you mean \"partition\"?"));
  EXPECT_THAT(error_of("{launcher: srunn}"), HasSubstr("did you mean \"srun\"?"));
  EXPECT_THAT(error_of("{scheduler: {gpus: 1}}"), HasSubstr("allowed: constraint, partition"));
}

}  // namespace
}  // namespace mimus::emulator
