// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Mixed precision: the widths that autocast gives to the tensors of a model, and its casts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/layers/autocast.hpp"
#include "tests/unit/kernels/launch_support.hpp"

namespace mimus::kernels {
namespace {

using test::casts;
using test::in_fp32;
using test::launches_of;
using test::model_of;
using test::models;
using test::plan_of;
using workloads::Model;
using workloads::Operator;

constexpr const char* kLinear = "- {op: linear, in: 8, out: 8, rows: 4}\n";
constexpr const char* kSharedLinear =
    "- {op: linear, in: 8, out: 8, rows: 4, inputs: [layer_norm], saves: none}\n";
constexpr const char* kBatched =
    "- {op: batched_matmul, count: 2, rows: 4, columns: 4, inner: 4}\n";
constexpr const char* kConvolution =
    "- {op: convolution, in: 2, out: 2, kernel: 3, size: 4, bias: true}\n";
constexpr const char* kGru = "- {op: gru, in: 8, hidden: 8, steps: 4}\n";
constexpr const char* kEmbedding = "- {op: embedding, entries: 9, features: 8, rows: 4}\n";
constexpr const char* kLayerNorm = "- {op: layer_norm, features: 8, rows: 4}\n";
constexpr const char* kBatchNorm = "- {op: batch_norm, channels: 2, size: 4}\n";
constexpr const char* kSoftmax = "- {op: softmax, elements: 32}\n";
constexpr const char* kDropout = "- {op: dropout, elements: 32}\n";
constexpr const char* kActivation = "- {op: activation, function: relu, elements: 32}\n";
constexpr const char* kPointwise = "- {op: elementwise, elements: 32, forward: 2, backward: 2}\n";

Model model_with(std::initializer_list<const char*> layers) {
  std::string lines;
  for (const char* layer : layers) lines += layer;
  return model_of(lines);
}

/// Widths in bf16 of the last of these layers.
LayerWidths last_of(std::initializer_list<const char*> layers) {
  return layer_widths(model_with(layers), Arithmetic::bf16).back();
}

void expect_widths(const LayerWidths& widths, std::int64_t arriving, std::int64_t own, bool casts) {
  EXPECT_EQ(widths.arriving, arriving);
  EXPECT_EQ(widths.own, own);
  EXPECT_EQ(widths.casts, casts);
}

TEST(AutocastWidths, ProductsNarrowWhatArrives) {
  for (const char* product : {kLinear, kBatched, kConvolution, kGru}) {
    expect_widths(last_of({product}), 4, 2, true);
    expect_widths(last_of({product, product}), 2, 2, false);
  }
}

// With another layer after it, the softmax is not that of the loss.
TEST(AutocastWidths, SoftmaxAndLayerNormWiden) {
  expect_widths(last_of({kLinear, kLayerNorm}), 2, 4, true);
  expect_widths(last_of({kLayerNorm}), 4, 4, false);
  const auto widths = layer_widths(model_with({kLinear, kSoftmax, kDropout}), Arithmetic::fp16);
  expect_widths(widths[1], 2, 4, true);
  expect_widths(widths[2], 4, 4, false);
}

TEST(AutocastWidths, EmbeddingsAreWide) {
  expect_widths(last_of({kEmbedding}), 4, 4, false);
  expect_widths(last_of({kLinear, kEmbedding}), 4, 4, false);
}

TEST(AutocastWidths, OtherLayersKeepWhatArrives) {
  for (const char* layer : {kDropout, kActivation, kPointwise, kBatchNorm}) {
    expect_widths(last_of({kLinear, layer}), 2, 2, false);
    expect_widths(last_of({kLayerNorm, layer}), 4, 4, false);
  }
}

/// A sum of the outputs of two earlier layers.
std::string sum_of(const char* first, const char* second) {
  return fmt::format("- {{op: residual_add, elements: 32, inputs: [{}, {}]}}\n", first, second);
}

TEST(AutocastWidths, ResidualSumsAreAsWideAsTheWiderSummand) {
  for (const auto& sum : {sum_of("linear", "embedding"), sum_of("embedding", "linear")}) {
    expect_widths(last_of({kEmbedding, kLinear, sum.c_str()}), 2, 4, false);
  }
  expect_widths(last_of({kLayerNorm, kLinear, sum_of("linear", "layer_norm").c_str()}), 2, 4,
                false);
  expect_widths(last_of({kLayerNorm, kDropout, sum_of("dropout", "layer_norm").c_str()}), 4, 4,
                false);
  // An embedding elsewhere in the model makes no difference.
  expect_widths(last_of({kEmbedding, kLinear, kDropout, sum_of("dropout", "linear").c_str()}), 2, 2,
                false);
}

TEST(AutocastWidths, ConcatenationsAreAsWideAsTheWidestPart) {
  const char* joined = "- {op: concat, elements: 64, inputs: [linear, embedding]}\n";
  expect_widths(last_of({kEmbedding, kLinear, joined}), 4, 4, false);
}

TEST(AutocastWidths, ResidualSumsOfConvolutionsAreNarrow) {
  expect_widths(last_of({kConvolution, kBatchNorm, sum_of("batch_norm", "convolution").c_str()}), 2,
                2, false);
  const Model& model = models().at("resnet50");
  const auto widths = layer_widths(model, Arithmetic::bf16);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (model.layers[i].geometry.op == Operator::residual_add)
      expect_widths(widths[i], 2, 2, false);
  }
}

TEST(AutocastWidths, TheSoftmaxOfTheLossKeepsWhatArrivesAndTheRestIsWide) {
  expect_widths(last_of({kLinear, kSoftmax}), 2, 2, false);
  const auto widths =
      layer_widths(model_with({kLinear, kSoftmax, kPointwise, kPointwise}), Arithmetic::bf16);
  expect_widths(widths[1], 2, 2, false);
  expect_widths(widths[2], 2, 4, true);
  expect_widths(widths[3], 4, 4, false);
}

TEST(AutocastWidths, OnlySingleKernelsFollowTheLoss) {
  EXPECT_TRUE(is_loss(model_with({kLinear, kSoftmax}), 1));
  EXPECT_TRUE(is_loss(model_with({kLinear, kSoftmax, kPointwise}), 1));
  EXPECT_FALSE(is_loss(model_with({kLinear, kSoftmax, kDropout}), 1));
  EXPECT_FALSE(is_loss(model_with({kLinear, kSoftmax, kPointwise, kBatched}), 1));
  EXPECT_FALSE(is_loss(model_with({kLinear, kPointwise}), 1));
}

// Key and value read the input of the query and not its output.
TEST(AutocastWidths, LayersThatShareAnInputCastItEachForItself) {
  const Model model = model_with({kLayerNorm, kLinear, kSharedLinear, kSharedLinear});
  const auto widths = layer_widths(model, Arithmetic::bf16);
  for (std::size_t i = 1; i < widths.size(); ++i) expect_widths(widths[i], 4, 2, true);
  const LaunchPlan plan = plan_of(model, 1, {.arithmetic = Arithmetic::bf16});
  const auto products = launches_of<Product>(plan.forward);
  ASSERT_EQ(products.size(), 3U);
  EXPECT_NE(products[0].left, products[1].left);
  EXPECT_NE(products[1].left, products[2].left);
  EXPECT_NE(products[0].left, products[2].left);
}

TEST(AutocastWidths, NarrowInputsAreSharedWithoutACast) {
  const char* narrow = "- {op: linear, name: narrow, in: 8, out: 8, rows: 4}\n";
  const char* shared = "- {op: linear, in: 8, out: 8, rows: 4, inputs: [narrow], saves: none}\n";
  expect_widths(last_of({narrow, kLinear, shared}), 2, 2, false);
}

class EveryModelsCasts : public testing::TestWithParam<std::string> {
 protected:
  /// Launches that convert one width into another in a layer's part of a pass, except those of
  /// parameters and their gradients.
  static std::vector<Elementwise> between(const std::vector<Launch>& pass, std::size_t begin,
                                          std::size_t end) {
    const auto at = [&](std::size_t i) { return pass.begin() + static_cast<std::ptrdiff_t>(i); };
    auto found = launches_of<Elementwise>({at(begin), at(end)});
    std::erase_if(found, [](const Elementwise& launch) {
      return !casts(launch) || launch.in[0].region == Region::weights ||
             launch.out.region == Region::gradients;
    });
    return found;
  }

  static std::vector<Elementwise> forward(const LaunchPlan& plan, std::size_t layer) {
    return between(plan.forward, layer == 0 ? 0 : plan.forward_ends[layer - 1],
                   plan.forward_ends[layer]);
  }

  static std::vector<Elementwise> backward(const LaunchPlan& plan, std::size_t layer) {
    const bool last = layer + 1 == plan.backward_ends.size();
    return between(plan.backward, last ? 0 : plan.backward_ends[layer + 1],
                   plan.backward_ends[layer]);
  }
};

TEST_P(EveryModelsCasts, AreNoneIn32Bits) {
  for (const Arithmetic arithmetic : {Arithmetic::fp32, Arithmetic::tf32}) {
    const Model model = in_fp32(GetParam());
    for (const LayerWidths& widths : layer_widths(model, arithmetic)) {
      expect_widths(widths, 4, 4, false);
    }
    const LaunchPlan plan = plan_of(model, 1, {.arithmetic = arithmetic});
    for (const auto* pass : {&plan.forward, &plan.backward}) {
      const auto launches = launches_of<Elementwise>(*pass);
      EXPECT_EQ(std::count_if(launches.begin(), launches.end(), casts), 0);
    }
  }
}

/// Whether the sum of a 16-bit tensor and an fp32 mask replaces the layer's cast.
bool takes_masked_sum(const Model& model, std::size_t layer) {
  return layer > 0 && model.layers[layer - 1].geometry.masked;
}

// Except for convolutions without an input gradient, residual sums and masked scores.
TEST_P(EveryModelsCasts, HaveACounterpartBackward) {
  const Model& model = models().at(GetParam());
  const auto widths = layer_widths(model, Arithmetic::bf16);
  const LaunchPlan plan = plan_of(model, 2, {.arithmetic = Arithmetic::bf16});
  for (std::size_t i = 0; i < widths.size(); ++i) {
    SCOPED_TRACE(model.layers[i].name);
    const auto there = forward(plan, i);
    const auto back = backward(plan, i);
    ASSERT_EQ(there.size(), widths[i].casts && !takes_masked_sum(model, i) ? 1U : 0U);
    ASSERT_EQ(back.size(), test::casts_gradient(model.layers[i], widths[i]) ? 1U : 0U);
    if (there.empty() || back.empty()) continue;
    EXPECT_EQ(there[0].elements, back[0].elements);
  }
}

TEST_P(EveryModelsCasts, ReadOneWidthAndWriteTheOther) {
  const Model& model = models().at(GetParam());
  const auto widths = layer_widths(model, Arithmetic::bf16);
  const LaunchPlan plan = plan_of(model, 2, {.arithmetic = Arithmetic::bf16});
  const auto expect = [](const Elementwise& cast, std::int64_t from, std::int64_t to) {
    EXPECT_EQ(cast.reads, 1);
    EXPECT_EQ(cast.bytes_of_first(), from);
    EXPECT_EQ(cast.bytes, to);
    EXPECT_EQ(traffic(cast).value, static_cast<double>(cast.elements * (from + to)));
  };
  for (std::size_t i = 0; i < widths.size(); ++i) {
    SCOPED_TRACE(model.layers[i].name);
    for (const auto& cast : forward(plan, i)) expect(cast, widths[i].arriving, widths[i].own);
    for (const auto& cast : backward(plan, i)) expect(cast, widths[i].own, widths[i].arriving);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryModelsCasts, testing::ValuesIn(models().names()),
                         [](const auto& model) { return test::test_name(model.param); });

TEST(MixedPrecisionPlan, AddsWhatArrivesToAWideResidual) {
  const Model model = model_with({kLayerNorm, kLinear, sum_of("linear", "layer_norm").c_str()});
  const LaunchPlan plan = plan_of(model, 1, {.arithmetic = Arithmetic::bf16});
  const auto sum = launches_of<Elementwise>(plan.forward).back();
  EXPECT_EQ(sum.function, Elementwise::Function::add);
  EXPECT_EQ(traffic(sum).value, 32.0 * (2 + 4 + 4));
  EXPECT_EQ(traffic(plan.backward[0]).value, 32.0 * (4 + 4 + 4));
  EXPECT_EQ(traffic(plan.backward[1]).value, 32.0 * (4 + 2));
}

}  // namespace
}  // namespace mimus::kernels
