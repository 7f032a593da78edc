// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Solvers on a grid: what their layers cost, and the model claire.
#include <cmath>

#include <gmock/gmock.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/models/layer_reader.hpp"

namespace mimus::workloads {
namespace {

using test::catalogue;
using test::message_of;

constexpr double kCells = 64.0 * 64.0 * 64.0;

Layer layer_on_64(const std::string& text) {
  const auto document = parse_yaml("layers: [{" + text + "}]", "m.yaml");
  YamlReader reader(document, "");
  return read_layers(reader.sequence("layers"), "layers", 64).front();
}

TEST(GridLayers, ATransformPassesOverItsFieldsAlongEverySide) {
  const Layer layer = layer_on_64("op: fft, fields: 3");

  // Three passes that read and write three fields of 4 bytes; 2.5 n log2 n FLOP, log2 n = 18.
  EXPECT_DOUBLE_EQ(layer.forward_traffic.value, 3 * 6 * 4.0 * kCells);
  EXPECT_DOUBLE_EQ(layer.forward_flop.value, 3 * 2.5 * kCells * 18.0);
  EXPECT_EQ(layer.backward_traffic.value, 0.0);
  EXPECT_EQ(layer.backward_kernels, 0);
}

TEST(GridLayers, AnInterpolationSharesItsCoordinates) {
  EXPECT_DOUBLE_EQ(layer_on_64("op: interpolation, fields: 1").forward_traffic.value,
                   7 * 4.0 * kCells);
  EXPECT_DOUBLE_EQ(layer_on_64("op: interpolation, fields: 2").forward_traffic.value,
                   11 * 4.0 * kCells);
}

TEST(GridLayers, StencilsAndPointwiseKernelsMoveWhatTheyReadAndWrite) {
  EXPECT_DOUBLE_EQ(layer_on_64("op: stencil, reads: 1, writes: 3").forward_traffic.value,
                   4 * 4.0 * kCells);
  EXPECT_DOUBLE_EQ(layer_on_64("op: pointwise, reads: 6, sums: 1").forward_traffic.value,
                   6 * 4.0 * kCells);
}

TEST(GridLayers, AreLayersOfModelsWithAGridOnly) {
  const auto read = [](const char* text, std::int64_t points) {
    const auto document = parse_yaml(text, "m.yaml");
    YamlReader reader(document, "");
    (void)read_layers(reader.sequence("layers"), "layers", points);
  };
  EXPECT_THAT(message_of([&] { read("layers: [{op: fft, fields: 1}]", 0); }),
              testing::HasSubstr("works on a grid, which the model does not have; add grid:"));
  EXPECT_THAT(message_of([&] { read("layers: [{op: linear, in: 2, out: 2}]", 64); }),
              testing::HasSubstr("is a layer of training, but the model has a grid"));
}

// Crossings of a field, from the equations: 4 steps of the state (4 + 7 + 11 + 4) and of the
// adjoint (7 + 3 + 4 + 10), two pairs of transforms of 3 fields (2 × 18 + 6), vectors 6 + 18 + 6
// + 9.
TEST(Claire, MovesTheBytesOfItsEquations) {
  const Model& model = catalogue().at("claire");
  Bytes traffic;
  for (const Layer& layer : model.layers) traffic += layer.forward_traffic;

  EXPECT_DOUBLE_EQ(traffic / model.grid.field(), 4 * 26 + 4 * 24 + 2 * 42 + 39.0);
  EXPECT_EQ(model.parameters(), 0);
  EXPECT_EQ(model.backward_flop().value, 0.0);
  EXPECT_TRUE(model.buckets().empty());
  // 44 fields of 4 · 256^3 bytes and 1 GB of libraries.
  EXPECT_DOUBLE_EQ(model.memory(1).value, 44 * 4.0 * 16'777'216 + 1e9);
}

TEST(Claire, ItsNameSaysHowManyPointsAndSlabsThereAre) {
  const Model& model = catalogue().at("claire@n512t8");
  const Model& file = catalogue().at("claire");

  EXPECT_EQ(model.grid.points, 512);
  EXPECT_EQ(model.split.gpus(), 8);
  EXPECT_DOUBLE_EQ(model.layers[0].forward_traffic / file.layers[0].forward_traffic, 8.0);
  EXPECT_EQ(model.layers[0].name, file.layers[0].name);
  EXPECT_DOUBLE_EQ(model.memory(1).value, 44 * 4.0 * 8 * 16'777'216 + 1e9) << "of the whole grid";
  EXPECT_DOUBLE_EQ(model.reference_throughput, file.reference_throughput / 8);
  EXPECT_NE(model.fingerprint(), catalogue().at("claire@t8").fingerprint());
  EXPECT_EQ(catalogue().at("claire@n64").split.gpus(), 1);
}

TEST(Claire, NamesOfImpossibleGridsAreRefused) {
  for (const char* name : {"claire@n", "claire@n7", "claire@n16385", "claire@t2n64"}) {
    EXPECT_THAT(message_of([&] { (void)catalogue().find(name); }),
                testing::HasSubstr("first n and the points along each side (8 to 16384)"))
        << name;
  }
  EXPECT_THAT(message_of([] { (void)catalogue().find("gpt@n64t2"); }),
              testing::HasSubstr("gpt has no grid whose points could be set; leave out n64"));
}

TEST(Claire, RunsOnAsManyGpusAsItHasSlabs) {
  EXPECT_TRUE(catalogue().at("claire").runs_on(1));
  EXPECT_FALSE(catalogue().at("claire").runs_on(2)) << "a second registration helps the first none";
  EXPECT_TRUE(catalogue().at("claire@t4").runs_on(4));
  EXPECT_FALSE(catalogue().at("claire@t4").runs_on(8));
  EXPECT_TRUE(catalogue().at("gpt@t4").runs_on(8)) << "two replicas";
}

}  // namespace
}  // namespace mimus::workloads
