// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/kernels/launch_support.hpp"

namespace mimus::kernels {
namespace {

using test::casts;
using test::in_fp32;
using test::launches_of;
using test::models;
using test::plan_of;
using workloads::Model;

TEST(MixedPrecisionPlan, AddsTheMaskInTheKernelThatWidens) {
  const LaunchPlan plan = plan_of(models().at("bert-base"), 3, {.arithmetic = Arithmetic::bf16});
  std::size_t found = 0;
  for (const auto& launch : launches_of<Elementwise>(plan.forward)) {
    if (launch.second_elements == 0) continue;
    ++found;
    EXPECT_EQ(launch.function, Elementwise::Function::add);
    EXPECT_EQ(launch.elements, 3 * 12 * 384 * 384);
    EXPECT_EQ(launch.second_elements, 384);
    EXPECT_EQ(traffic(launch).value, static_cast<double>(launch.elements * (2 + 4) + 384 * 4));
  }
  EXPECT_EQ(found, 12U);
  const LaunchPlan full = plan_of(in_fp32("bert-base"), 3);
  for (const auto& launch : launches_of<Elementwise>(full.forward)) {
    EXPECT_EQ(launch.second_elements, 0);
  }
}

TEST(MixedPrecisionPlan, KeepsTheKernelOfAMaskThatNoSoftmaxTakes) {
  const char* lines =
      "- {op: linear, in: 8, out: 8, rows: 4}\n"
      "- {op: elementwise, elements: 32, forward: 4, backward: 2, forward_kernels: 2, masked: "
      "true}\n";
  const LaunchPlan plan = plan_of(test::model_of(lines), 1, {.arithmetic = Arithmetic::bf16});
  const LaunchPlan full = plan_of(test::model_of(lines), 1);
  EXPECT_EQ(plan.forward_ends[1] - plan.forward_ends[0], 2U);
  EXPECT_EQ(full.forward_ends[1] - full.forward_ends[0], 2U);
}

TEST(MixedPrecisionPlan, ReadsNoMoreNumbersOfAMaskThanThereAreWeights) {
  const char* lines =
      "- {op: linear, in: 8, out: 8, rows: 4000}\n"
      "- {op: batched_matmul, count: 1, rows: 4, columns: 1000, inner: 8}\n"
      "- {op: elementwise, elements: 4000, forward: 2, backward: 2, masked: true}\n"
      "- {op: softmax, elements: 4000}\n"
      "- {op: dropout, elements: 4000}\n";
  const LaunchPlan plan = plan_of(test::model_of(lines), 1, {.arithmetic = Arithmetic::bf16});
  std::vector<std::int64_t> masks;
  for (const auto& launch : launches_of<Elementwise>(plan.forward)) {
    if (launch.second_elements > 0) masks.push_back(launch.second_elements);
  }
  EXPECT_EQ(masks, std::vector<std::int64_t>{256});  // weights and bias, padded to 128 each
}

// Norms and the softmax of attention are fp32 kernels; batch norms have 16 bits.
TEST(MixedPrecisionPlan, RunsReductionsInTheWidthOfTheirLayer) {
  const auto widths = [](const char* model, Reduction::Function function) {
    const LaunchPlan plan = plan_of(models().at(model), 1, {.arithmetic = Arithmetic::bf16});
    std::vector<std::int64_t> found;
    for (const auto& launch : launches_of<Reduction>(plan.forward)) {
      if (launch.function == function) found.push_back(launch.bytes);
    }
    return found;
  };
  using enum Reduction::Function;
  EXPECT_EQ(widths("bert-base", layer_norm), std::vector<std::int64_t>(1 + 12 * 2, 4));
  std::vector<std::int64_t> softmaxes(12, 4);
  softmaxes.push_back(2);  // of the loss
  EXPECT_EQ(widths("bert-base", softmax), softmaxes);
  EXPECT_EQ(widths("resnet50", batch_norm), std::vector<std::int64_t>(53, 2));
}

// Each of 12 x 6 + 1 dense layers casts weight and bias, and both gradients: that of the weight
// from 16 bits, that of the bias from the fp32 in which it is summed.
TEST(MixedPrecisionPlan, CastsEveryParameterOfADenseLayer) {
  const LaunchPlan mixed = plan_of(in_fp32("bert-base"), 1, {.arithmetic = Arithmetic::bf16});
  std::size_t parameters = 0;
  for (const auto& launch : launches_of<Elementwise>(mixed.forward)) {
    if (casts(launch) && launch.in[0].region == Region::weights) ++parameters;
  }
  EXPECT_EQ(parameters, 146U);
  std::size_t weights = 0;
  std::size_t biases = 0;
  for (const auto& launch : launches_of<Elementwise>(mixed.backward)) {
    if (launch.function != Elementwise::Function::copy) continue;
    if (launch.out.region == Region::gradients) ++(casts(launch) ? weights : biases);
  }
  EXPECT_EQ(weights, 73U);
  EXPECT_EQ(biases, 73U);
}

// Besides 146 parameters: the inputs of query, key, value, context and feed-forward, and of the
// answer. The backward pass has as many, and also those of the softmax, whose input the addition of
// the mask widens, and of two residual sums.
TEST(MixedPrecisionPlan, CastsTheActivationsOfBert) {
  const Model model = in_fp32("bert-base");
  const LaunchPlan full = plan_of(model, 1);
  const LaunchPlan mixed = plan_of(model, 1, {.arithmetic = Arithmetic::bf16});
  EXPECT_EQ(mixed.forward.size(), full.forward.size() + 146 + 12 * 5 + 1);
  EXPECT_EQ(mixed.backward.size(), full.backward.size() + 146 + 12 * (6 + 2) + 1);
}

// The loss is scaled in the forward pass. Before the optimiser, the scale is inverted and gradients
// are checked; after it the scale is updated.
TEST(MixedPrecisionPlan, ScalesTheLossInFp16Only) {
  const Model model = in_fp32("resnet18");
  const LaunchPlan bf16 = plan_of(model, 1, {.arithmetic = Arithmetic::bf16});
  const LaunchPlan fp16 = plan_of(model, 1, {.arithmetic = Arithmetic::fp16});
  EXPECT_EQ(fp16.forward.size(), bf16.forward.size() + 1);
  EXPECT_EQ(fp16.optimiser.size(), bf16.optimiser.size() + 4 + 1 + 1);
}

// Masks take a byte per element in any precision; softmax and norms keep fp32. With eager
// attention, PyTorch 2.11 reserves (11.61 GB - 8.38 GB) / 4 samples more for batch 8 than for batch
// 4 on an H100 (2026-11-22).
TEST(MixedPrecisionPlan, KeepsWholeBytesOfMasks) {
  const LaunchPlan plan = plan_of(models().at("bert-large"), 8);
  EXPECT_NEAR(static_cast<double>(test::activation_bytes(plan)) / 8e6, 808.0, 0.02 * 808.0);
}

}  // namespace
}  // namespace mimus::kernels
