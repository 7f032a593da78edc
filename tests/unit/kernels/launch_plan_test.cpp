// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts, FLOP, bytes and memory of launch plans against the footprints they make concrete.
#include "kernels/launch_plan.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/unit/kernels/launch_support.hpp"

namespace mimus::kernels {
namespace {

using test::in_fp32;
using test::launches_of;
using test::models;
using workloads::Layer;
using workloads::Model;
using workloads::Operator;

LaunchPlan plan_of(const Model& model, std::int64_t batch, const LaunchOptions& options = {}) {
  return make_launch_plan(model, {.per_gpu_batch = batch}, options);
}

class EveryModelsPlan : public testing::TestWithParam<std::string> {};

// A layer launches what its model file says. Only a table that a head shares takes one more: the
// two gradients are added up.
TEST_P(EveryModelsPlan, LaunchesWhatTheLayersCount) {
  const Model model = in_fp32(GetParam());
  const LaunchPlan plan = plan_of(model, 2);
  std::size_t forward = 0;
  std::size_t backward = 0;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const Layer& layer = model.layers[i];
    forward += static_cast<std::size_t>(layer.forward_kernels);
    EXPECT_EQ(plan.forward_ends[i], forward) << layer.name;
    backward += static_cast<std::size_t>(layer.backward_kernels);
    if (layer.geometry.tied) ++backward;
  }
  EXPECT_EQ(plan.forward.size(), forward);
  EXPECT_EQ(plan.backward.size(), backward);
}

TEST_P(EveryModelsPlan, KeepsAllFlopOfTheFootprint) {
  for (const std::int64_t batch : {1, 7}) {
    const Model model = in_fp32(GetParam());
    const LaunchPlan plan = plan_of(model, batch);
    const auto samples = static_cast<double>(batch);
    EXPECT_DOUBLE_EQ(test::total_flop(plan.forward) / samples, model.forward_flop().value);
    EXPECT_DOUBLE_EQ(test::total_flop(plan.backward) / samples, model.backward_flop().value);
  }
}

// Where launches differ from footprints: the footprint counts a convolution's output gradient once
// for both passes that read it (4 % of image models) and what a norm's parameter gradient reads not
// at all (1.5 % of transformers); a GRU's weight gradient is written once per direction, not once
// per step (-14 % for DeepSpeech2).
TEST_P(EveryModelsPlan, MovesTheBytesOfTheFootprint) {
  const Model model = in_fp32(GetParam());
  const std::int64_t batch = model.batch.per_gpu_max;
  const LaunchPlan plan = plan_of(model, batch);
  double expected = 0.0;
  for (const Layer& layer : model.layers) {
    const Bytes per_sample = layer.forward_traffic + layer.backward_traffic;
    expected += static_cast<double>(batch) * per_sample.value + 2.0 * layer.weight_traffic.value;
  }
  const double ratio =
      (test::total_traffic(plan.forward) + test::total_traffic(plan.backward)) / expected;
  RecordProperty("traffic_over_footprint", std::to_string(ratio));
  const bool recurrent = GetParam() == "deepspeech2";
  EXPECT_GE(ratio, recurrent ? 0.85 : 0.99);
  EXPECT_LE(ratio, recurrent ? 0.87 : 1.05);
}

// Weights, gradients, moments and what is saved equal the footprint; padding and the statistics of
// norms add less than 0.1 %.
TEST_P(EveryModelsPlan, HoldsTheMemoryOfTheFootprint) {
  const Model model = in_fp32(GetParam());
  const std::int64_t batch = model.batch.per_gpu_max;
  const MemoryPlan memory = plan_of(model, batch).memory;
  double held = 0.0;
  for (const Region region : {Region::weights, Region::gradients, Region::moments,
                              Region::activations, Region::indices}) {
    held += static_cast<double>(memory.region[static_cast<std::size_t>(region)]);
  }
  const double footprint = (model.memory(batch) - model.workspace).value;
  EXPECT_NEAR(held / footprint, 1.0, 0.001);
}

// What comes on top is transient, in frameworks as well, and no part of the footprint: the largest
// tensor twice with a branch beside them, the optimiser's temporary in their place, the input
// twice. Beside NeuMF's few saved bytes the concatenated input weighs most.
TEST_P(EveryModelsPlan, AddsTransientMemoryWithinItsBound) {
  const Model model = in_fp32(GetParam());
  const std::int64_t batch = model.batch.per_gpu_max;
  const MemoryPlan memory = plan_of(model, batch).memory;
  const double footprint = (model.memory(batch) - model.workspace).value;
  const double ratio = static_cast<double>(memory.total()) / footprint;
  RecordProperty("memory_over_footprint", std::to_string(ratio));
  const bool small = model.saved_activations().value < 10e3;
  EXPECT_GE(ratio, 1.0);
  EXPECT_LE(ratio, small ? 1.8 : 1.2);
}

TEST_P(EveryModelsPlan, ReleasesBucketsWhereTheirLastLayerEnds) {
  const Model& model = models().at(GetParam());
  const LaunchPlan plan = make_launch_plan(model, {.per_gpu_batch = 2, .replicas = 4}, {});
  const auto buckets = model.buckets();
  ASSERT_EQ(plan.releases.size(), buckets.size());
  ASSERT_EQ(plan.buckets.size(), buckets.size());
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    EXPECT_EQ(plan.releases[i].bucket, i);
    EXPECT_EQ(plan.releases[i].launch + 1, plan.backward_ends[buckets[i].last_layer]);
    // Gaps between tensors are shorter than 128 elements.
    const double gaps = 4.0 * 128.0 * 400.0;
    EXPECT_GE(4.0 * static_cast<double>(plan.buckets[i].elements), buckets[i].size.value);
    EXPECT_LE(4.0 * static_cast<double>(plan.buckets[i].elements), buckets[i].size.value + gaps);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryModelsPlan, testing::ValuesIn(models().names()),
                         [](const auto& model) { return test::test_name(model.param); });

// 53 convolutions; the first has no input gradient: 52 + 53 backward.
TEST(ResNet50Plan, RunsEveryConvolutionInItsPasses) {
  const LaunchPlan plan = plan_of(in_fp32("resnet50"), 1);
  EXPECT_EQ(launches_of<Convolution>(plan.forward).size(), 53U);
  EXPECT_EQ(launches_of<Convolution>(plan.backward).size(), 105U);
  const auto first = launches_of<Convolution>(plan.forward).front();
  EXPECT_EQ(first.kernel_height, 7);
  EXPECT_EQ(first.stride_width, 2);
  EXPECT_EQ(first.height, 112);
}

// 230 and 179 operators were logged; a convolution's gradient is one operator of two kernels: 52
// more, 231.
TEST(ResNet50Plan, LaunchesAsManyAsTheOperatorLogWithinTenPercent) {
  const LaunchPlan plan = plan_of(in_fp32("resnet50"), 1);
  EXPECT_NEAR(static_cast<double>(plan.forward.size()), 230.0, 23.0);
  EXPECT_NEAR(static_cast<double>(plan.backward.size()), 231.0, 23.0);
}

// CUDA operators inferred from the log: 306 forward, 440 backward. The difference is named: views
// forward, and a bias sum of its own for each of 73 dense layers backward.
TEST(BertBasePlan, LaunchesAsManyAsTheOperatorLogWithinTenPercent) {
  const LaunchPlan plan = plan_of(in_fp32("bert-base"), 1);
  EXPECT_NEAR(static_cast<double>(plan.forward.size()), 306.0, 30.6);
  EXPECT_NEAR(static_cast<double>(plan.backward.size()), 440.0, 44.0);
}

// Two directions of 160 steps, each a product and a cell, and the products of all inputs: 2 x 321
// per layer; backward two more per direction.
TEST(DeepSpeech2Plan, ChainsItsRecurrentSteps) {
  const LaunchPlan plan = plan_of(in_fp32("deepspeech2"), 1);
  EXPECT_EQ(launches_of<GruCell>(plan.forward).size(), 5U * 2U * 160U);
  EXPECT_EQ(launches_of<GruCell>(plan.backward).size(), 5U * 2U * 160U);
  // Besides the GRU's, one dense layer.
  EXPECT_EQ(launches_of<Product>(plan.forward).size(), 5U * 2U * 161U + 1U);
  EXPECT_EQ(launches_of<Product>(plan.backward).size(), 5U * 2U * 163U + 2U);
}

TEST(GptPlan, SharesItsTableWithTheHead) {
  const LaunchPlan plan = plan_of(in_fp32("gpt"), 1);
  const auto gather = launches_of<Embedding>(plan.forward).front();
  const auto head = launches_of<Product>(plan.forward).back();
  EXPECT_EQ(head.columns, 51'200);
  EXPECT_EQ(head.right, gather.table);
}

// One launch in place of scores, scale, mask, softmax, dropout and context: 12 x 5 fewer forward;
// in place of 2 + 1 + 1 + 1 + 2 kernels: 12 x 6 fewer backward.
TEST(FusedAttentionPlan, ReplacesTheLaunchesOfEveryRun) {
  const Model model = in_fp32("bert-base");
  const LaunchPlan eager = plan_of(model, 2);
  const LaunchPlan fused = plan_of(model, 2, {.attention = Attention::sdpa});
  EXPECT_EQ(fused.forward.size(), eager.forward.size() - 60);
  EXPECT_EQ(fused.backward.size(), eager.backward.size() - 72);
  const auto kernel = launches_of<FusedAttention>(fused.forward).front();
  EXPECT_EQ(kernel.heads, 12);
  EXPECT_EQ(kernel.rows, 384);
  EXPECT_EQ(kernel.features, 64);
  EXPECT_EQ(launches_of<FusedAttention>(fused.backward).size(), 12U);
}

// Backward the scores are computed again: 2 a s^2 d per layer and sample.
TEST(FusedAttentionPlan, ComputesTheScoresOnceMore) {
  const Model model = in_fp32("bert-base");
  const LaunchPlan fused = plan_of(model, 2, {.attention = Attention::sdpa});
  const double scores = 2.0 * 12 * 384 * 384 * 64;
  EXPECT_DOUBLE_EQ(test::total_flop(fused.forward), 2.0 * model.forward_flop().value);
  EXPECT_DOUBLE_EQ(test::total_flop(fused.backward),
                   2.0 * (model.backward_flop().value + 12 * scores));
}

std::int64_t activations(const LaunchPlan& plan) {
  return plan.memory.region[static_cast<std::size_t>(Region::activations)];
}

// In 16 bits 2 + 1 + 2 bytes per score of softmax, mask and dropout, 9 in fp32; 4 per row come in.
TEST(FusedAttentionPlan, DropsWhatTheScoresKept) {
  const auto dropped = [](Arithmetic arithmetic) {
    const Model& model = models().at("gpt");
    const LaunchPlan eager = plan_of(model, 2, {.arithmetic = arithmetic});
    const LaunchPlan fused =
        plan_of(model, 2, {.attention = Attention::sdpa, .arithmetic = arithmetic});
    return activations(eager) - activations(fused);
  };
  constexpr std::int64_t kScores = 16 * 1024 * 1024;
  constexpr std::int64_t kRows = 16 * 1024;
  EXPECT_EQ(dropped(Arithmetic::bf16), 2 * 24 * (5 * kScores - 4 * kRows));
  EXPECT_EQ(dropped(Arithmetic::fp32), 2 * 24 * (9 * kScores - 4 * kRows));
}

// Each of 12 x 6 + 1 dense layers casts weight and bias, and widens both gradients.
TEST(MixedPrecisionPlan, CastsEveryParameterOfADenseLayer) {
  const Model model = in_fp32("bert-base");
  const LaunchPlan full = plan_of(model, 1);
  const LaunchPlan mixed = plan_of(model, 1, {.arithmetic = Arithmetic::bf16});
  EXPECT_EQ(launches_of<MultiTensor>(mixed.forward).size(), 146U);
  EXPECT_EQ(mixed.forward.size(), full.forward.size() + 146);
  EXPECT_EQ(mixed.backward.size(), full.backward.size() + 146);
}

// The loss is scaled forward; before the optimiser the scale is inverted and gradients are checked,
// after it the scale is set.
TEST(MixedPrecisionPlan, ScalesTheLossInFp16Only) {
  const Model model = in_fp32("resnet18");
  const LaunchPlan bf16 = plan_of(model, 1, {.arithmetic = Arithmetic::bf16});
  const LaunchPlan fp16 = plan_of(model, 1, {.arithmetic = Arithmetic::fp16});
  EXPECT_EQ(fp16.forward.size(), bf16.forward.size() + 1);
  EXPECT_EQ(fp16.optimiser.size(), bf16.optimiser.size() + 4 + 1 + 1);
}

// Masks take a byte per element in any precision: s h (34 + 5 a s / h) per layer are 604 MB for
// BERT-large, where half of the fp32 footprint is 566.
TEST(MixedPrecisionPlan, KeepsWholeBytesOfMasks) {
  const LaunchPlan plan = plan_of(models().at("bert-large"), 8);
  EXPECT_NEAR(static_cast<double>(activations(plan)) / 8e6, 604.0, 6.04);
}

TEST(LaunchPlanCounts, TakeMicroBatchesAndBucketCopies) {
  const Model model = in_fp32("resnet18");
  const LaunchPlan plan =
      make_launch_plan(model, {.per_gpu_batch = 4, .accumulation = 3, .replicas = 2}, {});
  // 88 + 89 kernels three times, 3 of the optimiser, 3 buckets in and out.
  EXPECT_EQ(plan.launches(), 3 * (88 + 89) + 3 + 6);
  EXPECT_EQ(plan.buffer_broadcast, 38'400);
  EXPECT_EQ(plan.memory.input, 12 * 12'288);
}

TEST(LaunchPlanRefusal, NamesWhatIsWrongWithTheStep) {
  try {
    (void)plan_of(models().at("resnet18"), 0);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("0 samples per GPU"), std::string::npos);
  }
}

}  // namespace
}  // namespace mimus::kernels
