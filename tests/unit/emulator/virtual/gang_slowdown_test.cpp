// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "emulator/sharing/pairs_law.hpp"
#include "emulator/virtual/contention/contention.hpp"
#include "model_builders.hpp"

namespace mimus::emulator::test {
namespace {

// Beside both its co-tenants the gang was measured. Beside one of them only, pairs on one GPU were.
TEST(GangSlowdown, IsWhatWasMeasuredBesideAllCoTenants) {
  const ClusterConfig cluster = small_cluster();
  const StatedSteps steps;
  MeasuredPairs pairs;
  pairs.on_one_gpu = {{{"resnet50", "neumf"}, 1.5}, {{"resnet50", "bert-base"}, 1.2}};
  pairs.of_gangs = {{{"resnet50", "bert-base+neumf", 8}, 1.3}};
  const LawOfTenants law(
      steps, BytesPerSecond{1e9},
      std::make_unique<PairsLaw>(pairs, make_sharing_law(ConfigNode::text("none"), {})));
  Contention contention(cluster, steps, law);
  const auto gang = attempt_on(1, {0, 1}, "resnet50");
  const auto neumf = attempt_on(2, {0}, "neumf");
  const auto bert = attempt_on(3, {1}, "bert-base");
  std::vector<AttemptId> changed;
  for (const auto* attempt : {&gang, &neumf, &bert}) contention.enter(*attempt, changed);

  EXPECT_DOUBLE_EQ(contention.of(gang.id).interference, 1.3);
  contention.leave(bert.id, changed);
  EXPECT_DOUBLE_EQ(contention.of(gang.id).interference, 1.5);
}

}  // namespace
}  // namespace mimus::emulator::test
