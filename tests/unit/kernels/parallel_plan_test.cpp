// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensor, pipeline and data parallelism of transformers against Megatron's figures.
#include "kernels/parallel/parallel_plan.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/unit/kernels/launch_support.hpp"
#include "tests/unit/kernels/transformer_support.hpp"

namespace mimus::kernels {
namespace {

using test::gpt;
using test::launches_of;
using test::models;
using workloads::Model;

std::vector<ScheduledCollective> among(const std::vector<ScheduledCollective>& all,
                                       CollectiveOp op) {
  std::vector<ScheduledCollective> found;
  for (const auto& one : all) {
    if (one.op == op) found.push_back(one);
  }
  return found;
}

// s b h elements of 2 bytes with s = 2048 and b = 1: 4.2, 10.5, 16.8, 25.2 and 50.3 MB.
TEST(TensorParallel, ExchangesTheActivationsOfATokenMatrix) {
  const std::vector<std::pair<int, double>> figures{
      {1024, 4.2}, {2560, 10.5}, {4096, 16.8}, {6144, 25.2}, {12'288, 50.3}};
  for (const auto& [hidden, megabytes] : figures) {
    const auto plan = make_parallel_plan(gpt(1, hidden), {.tensor = 8}, 0, {});
    ASSERT_FALSE(plan.forward.empty());
    for (const auto& one : plan.forward) EXPECT_NEAR(one.size.value / 1e6, megabytes, 0.05);
    for (const auto& one : plan.backward) EXPECT_NEAR(one.size.value / 1e6, megabytes, 0.05);
  }
}

// Two all-reduces per block and direction, one more for the table in the forward pass, and one for
// the head's input in the backward pass. All of them are waited for.
TEST(TensorParallel, ReducesTwicePerBlockAndDirection) {
  const auto plan =
      make_parallel_plan(gpt(3, 1024), {.tensor = 4, .sequence_parallel = false}, 0, {});
  EXPECT_EQ(among(plan.forward, CollectiveOp::all_reduce).size(), 2U * 3U + 1U);
  EXPECT_EQ(plan.forward.size(), 7U);
  EXPECT_EQ(among(plan.backward, CollectiveOp::all_reduce).size(), 2U * 3U + 1U);
  for (const auto& one : plan.backward) EXPECT_FALSE(one.overlapped);
}

// With sequence parallelism each becomes an all-gather and a reduce-scatter. In the backward pass
// the kept inputs of column layers are gathered again, beside the first product.
TEST(TensorParallel, SplitsReductionsAlongTheSequence) {
  const auto plan = make_parallel_plan(gpt(3, 1024), {.tensor = 4}, 0, {});
  EXPECT_EQ(among(plan.forward, CollectiveOp::all_gather).size(), 7U);
  EXPECT_EQ(among(plan.forward, CollectiveOp::reduce_scatter).size(), 7U);
  EXPECT_EQ(among(plan.backward, CollectiveOp::reduce_scatter).size(), 7U);
  const auto gathers = among(plan.backward, CollectiveOp::all_gather);
  EXPECT_EQ(gathers.size(), 14U);
  EXPECT_EQ(
      std::count_if(gathers.begin(), gathers.end(), [](const auto& one) { return one.overlapped; }),
      7);
}

// Both move the same bytes: 2 (t - 1) / t, or (t - 1) / t twice.
TEST(TensorParallel, MovesTheSameBytesWithAndWithoutSequenceParallelism) {
  const Bytes size{1000.0};
  EXPECT_EQ(ring_volume(CollectiveOp::all_reduce, size, 4),
            ring_volume(CollectiveOp::all_gather, size, 4) +
                ring_volume(CollectiveOp::reduce_scatter, size, 4));
}

TEST(TensorParallel, DividesHeadsColumnsAndRows) {
  const auto plan =
      make_parallel_plan(gpt(1, 1024), {.tensor = 4}, 0, {.attention = Attention::sdpa});
  const auto fused = launches_of<FusedAttention>(plan.launches.forward).front();
  EXPECT_EQ(fused.heads, 4);  // of 16
  const auto products = launches_of<Product>(plan.launches.forward);
  ASSERT_EQ(products.size(), 5U);
  EXPECT_EQ(products[0].columns, 768);  // 3 x 1024 / 4
  EXPECT_EQ(products[1].inner, 256);
  EXPECT_EQ(products[1].columns, 1024);
  EXPECT_EQ(products[2].columns, 1024);
  EXPECT_EQ(products[3].inner, 1024);
  EXPECT_EQ(products[4].columns, 12'800);
  EXPECT_EQ(products[4].rows, 2048);
}

// Dense layers and attention are divided evenly, so FLOP are a quarter.
TEST(TensorParallel, DividesTheFlopOfTheModel) {
  const Model model = gpt(2, 1024);
  const auto plan = make_parallel_plan(model, {.tensor = 4}, 0, {});
  EXPECT_DOUBLE_EQ(4.0 * test::total_flop(plan.launches.forward), model.forward_flop().value);
  EXPECT_DOUBLE_EQ(4.0 * plan.share.backward_flop().value, model.backward_flop().value);
}

// A collective comes after the row layer's launch and before the next launch.
TEST(TensorParallel, PlacesTheReductionBehindTheRowLayer) {
  const auto plan =
      make_parallel_plan(gpt(1, 1024), {.tensor = 2, .sequence_parallel = false}, 0, {});
  for (std::size_t i = 1; i < plan.forward.size(); ++i) {
    const auto& launch = plan.launches.forward.at(plan.forward[i].after - 1);
    const auto* product = std::get_if<Product>(&launch);
    ASSERT_NE(product, nullptr);
    EXPECT_EQ(product->columns, 1024);
  }
}

TEST(TensorParallel, OfOneRankExchangesNothing) {
  const auto plan = make_parallel_plan(gpt(1, 1024), {}, 0, {});
  EXPECT_TRUE(plan.forward.empty());
  EXPECT_TRUE(plan.reduce.empty());
  EXPECT_EQ(plan.launches.forward.size(),
            make_launch_plan(gpt(1, 1024), {.per_gpu_batch = 1}, {}).forward.size());
}

TEST(TensorParallel, DividesBertAfterItsNorms) {
  const auto plan = make_parallel_plan(models().at("bert-base"),
                                       {.tensor = 4, .sequence_parallel = false}, 0, {});
  // The words' table, and two per block. The answer's two columns are not divided.
  EXPECT_EQ(plan.forward.size(), 1U + 2U * 12U);
  EXPECT_EQ(plan.backward.size(), 2U * 12U);
}

TEST(PipelineParallel, DividesTheBlocksAndKeepsAllLayers) {
  const Model model = gpt(4, 1024);
  double flop = 0.0;
  std::size_t layers = 0;
  for (int stage = 0; stage < 4; ++stage) {
    const auto plan = make_parallel_plan(model, {.pipeline = 4, .micro_batches = 8}, stage, {});
    flop += test::total_flop(plan.launches.forward);
    layers += plan.share.layers.size();
  }
  EXPECT_DOUBLE_EQ(flop, model.forward_flop().value);
  EXPECT_EQ(layers, model.layers.size());
}

// s b h x 2 bytes at b = 2: 2048 x 2 x 1024 x 2 = 8,388,608, of which each of 4 ranks sends a part.
TEST(PipelineParallel, TransfersTheEdgeOfABlock) {
  const Model model = gpt(2, 1024);
  const ParallelShape whole{.pipeline = 2, .micro_batch = 2, .sequence_parallel = false};
  EXPECT_EQ(make_parallel_plan(model, whole, 0, {}).boundary, Bytes{8'388'608.0});
  const ParallelShape parts{.tensor = 4, .pipeline = 2, .micro_batch = 2};
  EXPECT_EQ(make_parallel_plan(model, parts, 0, {}).boundary, Bytes{2'097'152.0});
}

// 51,200 / 2 entries of 1,024 in fp32: the copies of the first and the last stage are summed.
TEST(PipelineParallel, SumsTheTiedTableOfFirstAndLastStage) {
  const ParallelShape shape{.tensor = 2, .pipeline = 3, .micro_batches = 3};
  for (const int stage : {0, 2}) {
    const auto plan = make_parallel_plan(gpt(3, 1024), shape, stage, {});
    ASSERT_EQ(plan.reduce.size(), 1U) << stage;
    EXPECT_EQ(plan.reduce[0].group, ParallelGroup::pipeline);
    EXPECT_EQ(plan.reduce[0].size, Bytes{4.0 * 25'600 * 1024});
  }
  EXPECT_TRUE(make_parallel_plan(gpt(3, 1024), shape, 1, {}).reduce.empty());
}

// Buckets of at least 40 million parameters, beside the backward pass.
TEST(DataParallel, ReducesLargeBucketsBesideTheBackwardPass) {
  const Model model = gpt(8, 1024);
  const auto plan = make_parallel_plan(model, {.data = 4}, 0, {});
  // 8 x 12.6 million + 54.5 million: the first bucket takes four blocks (one tensor each at a
  // time).
  ASSERT_GE(plan.reduce.size(), 2U);
  double sum = 0.0;
  for (const auto& one : plan.reduce) {
    EXPECT_EQ(one.op, CollectiveOp::all_reduce);
    EXPECT_TRUE(one.overlapped);
    sum += one.size.value;
  }
  EXPECT_GE(plan.reduce.front().size.value, 4.0 * 40e6);
  EXPECT_NEAR(sum / model.gradient_bytes().value, 1.0, 1e-4);
  EXPECT_TRUE(plan.gather.empty());
}

TEST(DataParallel, ScattersGradientsAndGathersWeightsWithADistributedOptimiser) {
  const auto plan =
      make_parallel_plan(gpt(8, 1024), {.data = 4, .distributed_optimiser = true}, 0, {});
  ASSERT_EQ(plan.gather.size(), plan.reduce.size());
  for (std::size_t i = 0; i < plan.gather.size(); ++i) {
    EXPECT_EQ(plan.reduce[i].op, CollectiveOp::reduce_scatter);
    EXPECT_EQ(plan.gather[i].op, CollectiveOp::all_gather);
    EXPECT_EQ(plan.gather[i].size, 0.5 * plan.reduce[i].size);  // bf16 weights, fp32 gradients
  }
}

// 18 bytes per parameter, or 6 + 12 / d; buckets of max(40 M, 1 M x d) parameters.
TEST(DataParallel, KeepsMegatronsStateAndBuckets) {
  EXPECT_EQ(megatron_state({.data = 8}), Bytes{18.0});
  EXPECT_EQ(megatron_state({.data = 8, .distributed_optimiser = true}), Bytes{7.5});
  EXPECT_EQ(megatron_bucket({.data = 8}), 40'000'000);
  EXPECT_EQ(megatron_bucket({.data = 64}), 64'000'000);
}

std::string refusal(const Model& model, const ParallelShape& shape, int stage = 0) {
  try {
    (void)make_parallel_plan(model, shape, stage, {});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(ParallelRefusal, NamesWhatCannotBeDivided) {
  EXPECT_NE(refusal(models().at("resnet50"), {.tensor = 2}).find("has no attention"),
            std::string::npos);
  EXPECT_NE(refusal(gpt(3, 1024), {.pipeline = 2}).find("3 blocks"), std::string::npos);
  EXPECT_NE(refusal(gpt(1, 1024), {.tensor = 3}).find("16 attention heads"), std::string::npos);
  EXPECT_NE(refusal(gpt(1, 1024), {}, 1).find("stage 1 of 1"), std::string::npos);
}

}  // namespace
}  // namespace mimus::kernels
