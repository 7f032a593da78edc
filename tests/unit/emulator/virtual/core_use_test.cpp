// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/contention/core_use.hpp"

#include <gtest/gtest.h>

#include "emulator/virtual/contention/contention.hpp"
#include "model_builders.hpp"

namespace mimus::emulator::test {
namespace {

// Nodes of 8 cores, on which jobs may ask for 16. The gang asks for 4 cores on each of its nodes.
TEST(CoreUse, CoresAreShortWhereMoreAreAskedForThanThereAre) {
  ClusterConfig cluster = small_cluster();
  cluster.shape.host.milli_cores = 8000;
  cluster.shape.core_overcommit = 2.0;
  StatedSteps steps;
  const LawOfTenants none(steps, BytesPerSecond{1e9},
                          make_sharing_law(ConfigNode::text("none"), {}));
  std::vector<AttemptId> changed;
  Contention contention(cluster, steps, none);
  auto gang = attempt_on(1, {0, 4});
  auto beside = attempt_on(2, {1});
  auto without_gpus = attempt_on(3, {});
  gang.allocation.host = beside.allocation.host = {.milli_cores = 8000, .memory = 0};
  without_gpus.allocation.node = NodeId{1};
  without_gpus.allocation.host = {.milli_cores = 6000, .memory = 0};
  contention.enter(gang, changed);
  EXPECT_EQ(contention.of(gang.id).core_load, 1.0);

  contention.enter(beside, changed);
  EXPECT_EQ(changed, std::vector{gang.id});
  EXPECT_EQ(contention.of(gang.id).core_load, 1.5);
  EXPECT_EQ(contention.of(beside.id).core_load, 1.5);

  contention.enter(without_gpus, changed);
  EXPECT_EQ(contention.of(without_gpus.id).core_load, 1.25);
  contention.leave(beside.id, changed);
  EXPECT_EQ(contention.of(gang.id).core_load, 1.25);
  contention.leave(gang.id, changed);
  EXPECT_EQ(contention.of(without_gpus.id).core_load, 1.0);
}

}  // namespace
}  // namespace mimus::emulator::test
