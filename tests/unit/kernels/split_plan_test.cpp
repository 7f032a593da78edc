// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps of models that are split over GPUs, as emulated devices run them.
#include "kernels/parallel/split_plan.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "kernels/parallel/parallel_plan.hpp"
#include "tests/unit/kernels/transformer_support.hpp"

namespace mimus::kernels {
namespace {

using workloads::Model;
using workloads::ModelSplit;

Model split_gpt(const ModelSplit& split) {
  Model model = test::gpt(4, 512);
  model.split = split;
  return model;
}

Duration device_time(const std::vector<Segment>& segments) {
  return std::accumulate(segments.begin(), segments.end(), Duration{},
                         [](Duration sum, const Segment& one) { return sum + one.device_time; });
}

TEST(SplitPlan, AGangsBatchIsThatOfAnyGang) {
  const auto shape = parallel_shape(split_gpt({.tensor = 2, .pipeline = 2}),
                                    {.per_gpu_batch = 3, .accumulation = 5, .replicas = 8});
  EXPECT_EQ(shape.data, 2);
  EXPECT_EQ(shape.micro_batch, 3);
  EXPECT_EQ(shape.micro_batches, 5 * 4);
  EXPECT_EQ(shape.data * shape.micro_batch * shape.micro_batches, 3 * 5 * 8);
}

TEST(SplitPlan, RefusesAGangOfBrokenReplicas) {
  try {
    (void)parallel_shape(split_gpt({.tensor = 2, .pipeline = 2}), {.replicas = 6});
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "model \"gpt-test\": a replica takes 4 GPUs, and a gang of 6 is not a multiple of "
                 "that; request 8");
  }
}

TEST(SplitPlan, StagesTogetherDoTheWholeModelsWork) {
  const Model whole = test::gpt(4, 512);
  const GpuSpec& gpu = gpu_spec("A100");
  const auto one = make_plan(whole, gpu, {.per_gpu_batch = 2});
  const auto stages =
      make_gang_plans(split_gpt({.pipeline = 4}), gpu, {.per_gpu_batch = 2, .replicas = 4});
  ASSERT_EQ(stages.size(), 4U);
  Duration forward{};
  for (const auto& stage : stages) forward += device_time(stage.forward);
  // Every layer is in exactly one stage. Rounding is by segment.
  EXPECT_NEAR(to_seconds(forward), to_seconds(device_time(one.forward)), 1e-7);
}

TEST(SplitPlan, SegmentsEndWhereARankCommunicates) {
  const auto plans = make_gang_plans(split_gpt({.tensor = 2}), gpu_spec("A100"), {.replicas = 4});
  ASSERT_EQ(plans.size(), 1U);
  const RankCommunication& split = *plans.front().split;
  const auto rank = make_parallel_plan(split_gpt({.tensor = 2}), split.shape, 0, {});
  EXPECT_EQ(split.forward.size(), rank.forward.size());
  EXPECT_EQ(split.backward.size(), rank.backward.size());
  EXPECT_EQ(split.reduce.size(), rank.reduce.size());
  std::size_t last = 0;
  for (const auto& among : split.forward) {
    EXPECT_GE(among.after, last);
    EXPECT_LE(among.after, plans.front().forward.size());
    last = among.after;
  }
  // Two exchanges around both halves of each of four blocks. Two of them share a place only where a
  // half ends and the next begins.
  EXPECT_GE(plans.front().forward.size(), 2U * 2U * 4U);
}

TEST(SplitPlan, MemoryIsThatOfTheFullestStage) {
  const Model whole = test::gpt(4, 512);
  const MemoryNeed alone = memory_need(whole);
  EXPECT_EQ(alone.base, whole.memory(0));
  EXPECT_EQ(alone.base + alone.per_sample, whole.memory(1));

  const Model split = split_gpt({.pipeline = 2});
  const MemoryNeed need = memory_need(split);
  const auto plans = make_gang_plans(split, gpu_spec("A100"), {.per_gpu_batch = 3, .replicas = 2});
  Bytes fullest{};
  for (const auto& plan : plans) fullest = std::max(fullest, plan.memory);
  EXPECT_GE(need.base + 3.0 * need.per_sample, fullest);
  EXPECT_LT(need.base, alone.base) << "half of the blocks";
}

TEST(SplitPlan, ADividedOptimiserTakesLessMemoryAndTime) {
  const StepShape step{.replicas = 8};
  const auto whole = make_gang_plans(split_gpt({.tensor = 2}), gpu_spec("A100"), step);
  const auto divided = make_gang_plans(split_gpt({.tensor = 2, .distributed_optimiser = true}),
                                       gpu_spec("A100"), step);
  EXPECT_LT(divided.front().memory, whole.front().memory);
  EXPECT_EQ(divided.front().optimiser.device_time, whole.front().optimiser.device_time / 4);
  EXPECT_TRUE(whole.front().split->gather.empty());
  EXPECT_FALSE(divided.front().split->gather.empty());
}

TEST(SplitPlan, OnlyTheFirstStageCopiesInput) {
  Model model = split_gpt({.pipeline = 2});
  model.input_bytes = Bytes{1000.0};
  const auto plans = make_gang_plans(model, gpu_spec("A100"), {.per_gpu_batch = 2, .replicas = 2});
  EXPECT_EQ(plans[0].input, Bytes{2.0 * 2.0 * 1000.0});
  EXPECT_EQ(plans[1].input, Bytes{});
}

TEST(SplitPlan, LaunchesAreCountedInsteadOfSegments) {
  const Model model = split_gpt({.tensor = 2});
  auto plans = make_gang_plans(model, gpu_spec("A100"), {.replicas = 2});
  FootprintPlan& plan = plans.front();
  add_launches(plan, model, {.replicas = 2}, 0, {});
  ASSERT_NE(plan.launches, nullptr);
  EXPECT_GT(plan.split->backward.back().after, plan.backward.size());
  EXPECT_LE(plan.split->backward.back().after, plan.launches->backward.size());
}

}  // namespace
}  // namespace mimus::kernels
