// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory of a rank of a split model in addition to its layers' memory.
#include <gtest/gtest.h>

#include "kernels/parallel/parallel_plan.hpp"
#include "tests/unit/kernels/transformer_support.hpp"

namespace mimus::kernels {
namespace {

using test::gpt;

std::int64_t bytes_of(const ParallelPlan& plan, Region region) {
  return plan.launches.memory.bytes(region);
}

std::int64_t exchanged(const ParallelShape& shape, int stage = 0) {
  return bytes_of(make_parallel_plan(gpt(4, 1024), shape, stage, {}), Region::exchange);
}

TEST(RankMemory, ExchangesNothingWithoutASplit) {
  EXPECT_EQ(exchanged({.data = 4, .micro_batches = 2}), 0);
  EXPECT_STREQ(name(Region::exchange), "exchange");
}

// Token matrices of 2048 x 1024 x 2 bytes = 4,194,304: one half to send and one to receive.
TEST(RankMemory, SendsAndReceivesTokenMatrices) {
  EXPECT_EQ(exchanged({.tensor = 2}), 2 * 4'194'304);
  EXPECT_EQ(exchanged({.tensor = 2, .micro_batch = 3}), 2 * 3 * 4'194'304);
}

// Between stages: a quarter of it per rank with sequence parallelism, otherwise all of it.
TEST(RankMemory, HoldsWhatStagesSendEachOther) {
  EXPECT_EQ(exchanged({.pipeline = 4, .micro_batches = 4, .sequence_parallel = false}, 1),
            2 * 4'194'304);
  const auto plan = make_parallel_plan(gpt(4, 1024), {.tensor = 4, .pipeline = 4}, 1, {});
  EXPECT_EQ(plan.boundary, Bytes{1'048'576.0});
  EXPECT_EQ(bytes_of(plan, Region::exchange), 2 * 4'194'304);  // the tensor group's are larger
}

// 51,200 x 1,024 gradients in fp32 of the tied table: with one replica there are no buckets.
TEST(RankMemory, HasRoomForTheTiedTable) {
  const std::int64_t table = std::int64_t{4} * 51'200 * 1024;
  EXPECT_EQ(exchanged({.pipeline = 2}, 0), 2 * table);
  EXPECT_EQ(exchanged({.pipeline = 2}, 1), 2 * table);
  EXPECT_EQ(exchanged({.pipeline = 2, .data = 2}, 0), 2 * 4'194'304);
  const auto replicated = make_parallel_plan(gpt(4, 1024), {.pipeline = 2, .data = 2}, 0, {});
  EXPECT_GE(bytes_of(replicated, Region::buckets), table);
}

// 3 tokens x 64 x 2 bytes = 384, and halves begin at multiples of 256.
TEST(RankMemory, AlignsBothHalves) {
  const auto plan = make_parallel_plan(gpt(2, 64, 3, 512), {.pipeline = 2, .data = 2}, 0, {});
  EXPECT_EQ(plan.boundary, Bytes{384.0});
  EXPECT_EQ(bytes_of(plan, Region::exchange), 2 * 512);
}

// Stage 0 of 4 runs four forward passes before its first backward pass, and stage 3 runs one.
TEST(RankMemory, HoldsTheActivationsOfAllMicroBatchesUnderWay) {
  const auto held = [](int stage, int micro_batches) {
    const ParallelShape shape{.pipeline = 4, .micro_batches = micro_batches};
    const auto plan = make_parallel_plan(gpt(4, 1024), shape, stage, {});
    const auto one =
        make_launch_plan(plan.share, {.per_gpu_batch = 1, .accumulation = shape.micro_batches}, {});
    const auto more = bytes_of(plan, Region::working) - one.memory.bytes(Region::working);
    EXPECT_GT(one.memory.kept, 0);
    return 1.0 + static_cast<double>(more) / static_cast<double>(one.memory.kept);
  };
  EXPECT_DOUBLE_EQ(held(0, 8), 4.0);
  EXPECT_DOUBLE_EQ(held(2, 8), 2.0);
  EXPECT_DOUBLE_EQ(held(3, 8), 1.0);
  EXPECT_DOUBLE_EQ(held(0, 2), 2.0);  // no more than there are
}

/// Parameters that the rank updates, counted in one of the optimiser's passes over all tensors.
std::int64_t updated(const ParallelPlan& plan) {
  std::int64_t elements = 0;
  for (const Launch& launch : plan.launches.optimiser) {
    const auto* pass = std::get_if<MultiTensor>(&launch);
    if (pass == nullptr || pass->function != MultiTensor::Function::lerp_first) continue;
    for (const TensorSpan& tensor : pass->tensors) elements += tensor.elements;
  }
  return elements;
}

// Adam's two moments in fp32: 8 bytes per parameter that a rank updates.
TEST(RankMemory, HoldsThePartOfTheOptimisersStateThatTheRankUpdates) {
  const auto plan = [](int data, bool distributed) {
    return make_parallel_plan(
        gpt(2, 1024), {.tensor = 2, .data = data, .distributed_optimiser = distributed}, 0, {});
  };
  const auto whole = plan(4, false);
  const auto divided = plan(4, true);

  const auto parameters = static_cast<double>(updated(whole));
  EXPECT_DOUBLE_EQ(parameters, static_cast<double>(plan(1, true).share.parameters()));
  EXPECT_EQ(updated(plan(1, true)), updated(whole));
  EXPECT_NEAR(static_cast<double>(updated(divided)), parameters / 4, 1e-3 * parameters);
  EXPECT_NEAR(static_cast<double>(bytes_of(divided, Region::moments)), 8 * parameters / 4,
              1e-3 * parameters);
  EXPECT_EQ(bytes_of(divided, Region::weights), bytes_of(whole, Region::weights));
}

// The requested arithmetic decides about activations, not that of the model.
TEST(RankMemory, FollowsTheArithmeticThatIsAskedFor) {
  const ParallelShape shape{.tensor = 2, .data = 2, .distributed_optimiser = true};
  const auto plan = make_parallel_plan(gpt(1, 1024), shape, 0, {.arithmetic = Arithmetic::fp32});
  EXPECT_EQ(bytes_of(plan, Region::exchange), 2 * 2 * 4'194'304);
  EXPECT_EQ(plan.gather.front().size, plan.reduce.front().size);
}

}  // namespace
}  // namespace mimus::kernels
