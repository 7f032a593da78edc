// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Layers must keep the shapes that their model files state.
#include <gtest/gtest.h>

#include "base/config_tree.hpp"
#include "tests/unit/workloads/support.hpp"
#include "workloads/models/layer_reader.hpp"

namespace mimus::workloads {
namespace {

/// The geometry of a layer, or of the last of several.
LayerGeometry geometry_of(const std::string& mapping) {
  const ConfigNode document = parse_yaml("layers:\n- " + mapping + "\n", "m.yaml");
  YamlReader reader(document, "");
  return read_layers(reader.sequence("layers"), "layers").back().geometry;
}

TEST(LayerGeometry, OfAConvolution) {
  const auto g = geometry_of(
      "{op: convolution, in: 3, out: 8, kernel: 5x3, stride: 2x1, size: 6x4, bias: true, "
      "input_gradient: false, saves: input}");
  EXPECT_EQ(g.op, Operator::convolution);
  EXPECT_EQ(g.in, 3);
  EXPECT_EQ(g.out, 8);
  EXPECT_EQ(g.kernel.height, 5);
  EXPECT_EQ(g.stride.height, 2);
  EXPECT_EQ(g.size.width, 4);
  EXPECT_EQ(g.elements, 8 * 6 * 4);
  EXPECT_TRUE(g.bias);
  EXPECT_FALSE(g.input_gradient);
  EXPECT_TRUE(g.saves_input);
  EXPECT_FALSE(g.saves_output);
}

TEST(LayerGeometry, OfDenseAndRecurrentLayers) {
  const auto dense = geometry_of(
      "{op: embedding, entries: 8, features: 3}\n- {op: linear, in: 3, out: 8, rows: 7, tied: "
      "true}");
  EXPECT_EQ(dense.rows, 7);
  EXPECT_EQ(dense.elements, 56);
  EXPECT_TRUE(dense.bias);
  EXPECT_TRUE(dense.tied);
  const auto gru = geometry_of("{op: gru, in: 3, hidden: 5, steps: 7, directions: 2, reserve: 16}");
  EXPECT_EQ(gru.hidden, 5);
  EXPECT_EQ(gru.steps, 7);
  EXPECT_EQ(gru.elements, 70);
  EXPECT_DOUBLE_EQ(gru.reserve, 16.0);
}

TEST(LayerGeometry, OfStreamingLayers) {
  const auto pool = geometry_of("{op: max_pool, channels: 4, size: 3x2, stride: 2}");
  EXPECT_EQ(pool.out, 4);
  EXPECT_EQ(pool.stride.width, 2);
  EXPECT_EQ(pool.elements, 24);
  const auto flat = geometry_of("{op: softmax, elements: 1000}");
  EXPECT_EQ(flat.out, 0);
  EXPECT_EQ(flat.elements, 1000);
  EXPECT_TRUE(flat.saves_output);
  const auto gelu = geometry_of("{op: activation, function: gelu, elements: 10}");
  EXPECT_EQ(gelu.function, Activation::gelu);
  EXPECT_TRUE(gelu.saves_input);
  const auto other = geometry_of("{op: elementwise, elements: 10, forward: 2.5, backward: 4}");
  EXPECT_DOUBLE_EQ(other.forward_crossings, 2.5);
  EXPECT_DOUBLE_EQ(other.backward_crossings, 4.0);
}

TEST(LayerGeometry, DoesNotChangeAModelsFingerprint) {
  Model model = test::catalogue().at("resnet18");
  const auto before = model.fingerprint();
  model.layers.front().geometry.in = 99;
  EXPECT_EQ(model.fingerprint(), before);
}

TEST(Precision, OfBf16IsMixedAsWell) {
  Model model = test::catalogue().at("bert-base");
  const Bytes full = model.saved_activations();
  model.precision = Precision::bf16;
  EXPECT_EQ(model.saved_activations(), 0.5 * full);
  EXPECT_STREQ(name(model.precision), "bf16");
}

}  // namespace
}  // namespace mimus::workloads
