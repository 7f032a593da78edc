// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// A layer's kernels must write what the next layer's kernels read.
#include <algorithm>

#include <gtest/gtest.h>

#include "kernels/layers/layer_sizes.hpp"
#include "tests/unit/kernels/launch_support.hpp"

namespace mimus::kernels {
namespace {

using workloads::Model;
using workloads::Operator;

std::optional<TensorRef> written(const Launch& launch) {
  if (const auto* one = std::get_if<Product>(&launch)) return one->out;
  if (const auto* one = std::get_if<Convolution>(&launch)) return one->output;
  if (const auto* one = std::get_if<Elementwise>(&launch)) return one->out;
  if (const auto* one = std::get_if<Reduction>(&launch)) return one->out;
  if (const auto* one = std::get_if<Pooling>(&launch)) return one->out;
  if (const auto* one = std::get_if<Embedding>(&launch)) return one->values;
  return {};  // steps of a GRU each write a part of the output
}

bool reads(const Launch& launch, const TensorRef& place) {
  if (const auto* one = std::get_if<Product>(&launch)) return one->left == place;
  if (const auto* one = std::get_if<Convolution>(&launch)) return one->input == place;
  if (const auto* one = std::get_if<Reduction>(&launch)) return one->x == place;
  if (const auto* one = std::get_if<Pooling>(&launch)) return one->in == place;
  const auto* one = std::get_if<Elementwise>(&launch);
  return one != nullptr && std::find(one->in.begin(), one->in.end(), place) != one->in.end();
}

class EveryModelsDataflow : public testing::TestWithParam<std::string> {
 protected:
  static void check(const Model& model, Arithmetic arithmetic);
};

void EveryModelsDataflow::check(const Model& model, Arithmetic arithmetic) {
  constexpr std::int64_t kBatch = 2;
  const LaunchPlan plan = test::plan_of(model, kBatch, {.arithmetic = arithmetic});
  const auto widths = layer_widths(model, arithmetic);
  const auto at = [](std::size_t launch) { return static_cast<std::ptrdiff_t>(launch); };
  const LayerGraph graph(model);
  int checked = 0;
  for (std::size_t i = 1; i < model.layers.size(); ++i) {
    if (model.layers[i].geometry.op == Operator::embedding) continue;
    const std::size_t from = graph.source(i);
    const auto before = layer_sizes(model.layers[from], kBatch, widths[from]);
    const auto here = layer_sizes(model.layers[i], kBatch, widths[i]);
    const auto begin = plan.forward_ends[i - 1];
    const auto end = plan.forward_ends[i];
    const auto made = plan.forward_ends[from];
    if (before.output != here.arriving || made == 0 || begin == end) continue;
    if (from > 0 && plan.forward_ends[from - 1] == made) continue;  // it has no launch
    const auto handed_over = written(plan.forward[made - 1]);
    if (!handed_over) continue;
    ++checked;
    EXPECT_TRUE(std::any_of(plan.forward.begin() + at(begin), plan.forward.begin() + at(end),
                            [&](const Launch& launch) { return reads(launch, *handed_over); }))
        << "layer " << i << ", " << model.layers[i].name << ", in " << name(arithmetic);
  }
  EXPECT_GT(checked, 0);
}

TEST_P(EveryModelsDataflow, HandsTensorsFromLayerToLayer) {
  const Model& model = test::models().at(GetParam());
  check(model, Arithmetic::fp32);
  check(model, Arithmetic::bf16);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryModelsDataflow, testing::ValuesIn(test::models().names()),
                         [](const auto& model) { return test::test_name(model.param); });

}  // namespace
}  // namespace mimus::kernels
