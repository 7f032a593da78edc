// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Step times of models that are split over GPUs, in the virtual engine.
#include <gtest/gtest.h>

#include "emulator/modelled_throughput.hpp"
#include "kernels/footprint/gpu_spec.hpp"
#include "model_builders.hpp"

namespace mimus::emulator::test {
namespace {

TEST(SplitSteps, AgreeExactlyWithTheLiveEnginesModel) {
  const auto cluster = small_cluster();
  const auto steps = step_time("analytic", cluster);
  const ModelledThroughput live(cluster, catalogue());
  for (const char* model : {"gpt@t2", "gpt@p4", "gpt@t2p2o", "gpt@t4w"}) {
    for (const auto& gpus : {std::vector{0, 1, 2, 3}, std::vector{0, 1, 4, 5}}) {
      const auto attempt = attempt_on(1, gpus, model, 2);
      EXPECT_EQ(steps->step(attempt, {}).step,
                live.step_time(model, attempt.allocation, attempt.batch))
          << model;
    }
  }
}

TEST(SplitSteps, SharedLayersBelongOnOneNode) {
  const auto steps = step_time("analytic");
  const auto near = steps->step(attempt_on(1, {0, 1, 4, 5}, "gpt@t2", 2), {});
  const auto far = steps->step(attempt_on(2, {0, 4, 1, 5}, "gpt@t2", 2), {});
  EXPECT_LT(near.step, far.step) << "the same GPUs, but every layer across two nodes";
}

// The cache per arrangement must not grow with the number of placements of a long trace.
TEST(SplitSteps, ArrangementsAreThePatternOfTheRanksNotTheirGpus) {
  const auto cluster = small_cluster();
  const workloads::ModelSplit split{.tensor = 2};
  const auto arranged = [&](const std::vector<int>& gpus) {
    return arrangement_of(cluster, attempt_on(1, gpus, "gpt@t2").allocation.slots, split);
  };
  EXPECT_EQ(arranged({0, 1, 4, 5}), arranged({4, 5, 0, 1}));
  EXPECT_NE(arranged({0, 1, 4, 5}), arranged({0, 4, 1, 5}));
  EXPECT_NE(arranged({0, 1, 2, 3}), arranged({0, 1, 4, 5}));
  EXPECT_NE(arranged({0, 1, 4, 5}), arranged({0, 1, 8, 9})) << "another rack";
}

TEST(SplitSteps, GangsOfBrokenReplicasHaveNoStepTime) {
  const ModelledThroughput live(small_cluster(), catalogue());
  const auto attempt = attempt_on(1, {0, 1, 2}, "gpt@t2", 2);
  EXPECT_EQ(live.step_time("gpt@t2", attempt.allocation, attempt.batch), std::nullopt);
}

TEST(SplitSteps, GroupsThatLeaveANodeTogetherDivideItsUplink) {
  const auto cluster = small_cluster();
  const auto links_of = [&](const std::vector<int>& gpus, const workloads::ModelSplit& split) {
    return gang_links(cluster, attempt_on(1, gpus, "gpt").allocation.slots, split).front();
  };
  const auto alone = links_of({0, 4}, {.pipeline = 2}).pipeline;
  const auto both = links_of({0, 1, 4, 5}, {.pipeline = 2}).pipeline;
  EXPECT_TRUE(alone.crosses_nodes);
  EXPECT_EQ(both.bandwidth, alone.bandwidth / 2);
  EXPECT_FALSE(links_of({0, 1, 4, 5}, {.pipeline = 2}).data.crosses_nodes)
      << "stages are on a node";
  EXPECT_EQ(links_of({0, 1, 4, 5}, {.tensor = 2}).data.bandwidth, alone.bandwidth / 2);
}

// Ranks 0 and 1 make the first stage, of which one is on another node than the rest of the gang.
TEST(SplitSteps, OnlyTheStageThatIsOnTwoNodesExchangesItsLayersBetweenThem) {
  const auto cluster = small_cluster();
  const auto slots = attempt_on(1, {0, 4, 5, 6}, "gpt").allocation.slots;
  const auto links = gang_links(cluster, slots, {.tensor = 2, .pipeline = 2});
  ASSERT_EQ(links.size(), 2U);
  EXPECT_TRUE(links[0].tensor.crosses_nodes);
  EXPECT_FALSE(links[1].tensor.crosses_nodes);
  EXPECT_GT(links[1].tensor.bandwidth, links[0].tensor.bandwidth);
  EXPECT_TRUE(links[0].pipeline.crosses_nodes);
  EXPECT_TRUE(links[1].pipeline.crosses_nodes) << "from the last stage to the first";
}

// With 2 of 4 members on each node, 4 messages leave a node for 3 that a member sends.
TEST(SplitSteps, AllToAllsCrossAnUplinkOnceForEveryMemberOfTheNode) {
  const auto cluster = small_cluster();
  const auto link_of = [&](const std::vector<int>& gpus) {
    const auto slots = attempt_on(1, gpus, "gpt").allocation.slots;
    return gang_links(cluster, slots, {.tensor = 4}).front().tensor;
  };
  EXPECT_DOUBLE_EQ(link_of({0, 1, 4, 5}).exchange_load, 4.0 / 3.0);
  EXPECT_DOUBLE_EQ(link_of({0, 1, 2, 4}).exchange_load, 1.0) << "3 messages leave each node";
  EXPECT_DOUBLE_EQ(link_of({0, 1, 2, 3}).exchange_load, 1.0) << "each has its own link";
}

TEST(SplitSteps, AShareOfTheUplinkSlowsWhatCrossesIt) {
  const auto steps = step_time("analytic");
  const auto across = attempt_on(1, {0, 1, 4, 5}, "gpt@p2", 2);
  const auto within = attempt_on(2, {0, 1, 2, 3}, "gpt@p2", 2);
  EXPECT_GT(steps->step(across, {.link_shares = {{0.5}}}).step, steps->step(across, {}).step);
  EXPECT_EQ(steps->step(within, {.link_shares = {{0.5}}}).step, steps->step(within, {}).step);
  EXPECT_GT(steps->transfers(across), Duration{});
  EXPECT_EQ(steps->transfers(within), Duration{});
}

}  // namespace
}  // namespace mimus::emulator::test
