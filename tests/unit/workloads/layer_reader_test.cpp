// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/layer_reader.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Layer> read(const std::string& yaml) {
  const ConfigNode document = parse_yaml(yaml, "m.yaml");
  return read_layers(document.items, "layers");
}

Layer read_one(const std::string& mapping) {
  return read("- " + mapping + "\n").at(0);
}

/// A sum of two images of 2 x 3 x 3.
Layer read_sum() {
  return read(
             "- {op: softmax, channels: 2, size: 3}\n"
             "- {op: residual_add, channels: 2, size: 3, inputs: [softmax, softmax]}\n")
      .at(1);
}

std::string error_of(const std::string& yaml) {
  return test::message_of([&] { (void)read(yaml); });
}

// 3 -> 8 channels, 3x5 kernel, stride 2x1, output 4x6: 2*3*15*8*24 = 17,280 FLOP;
// input 3*8*6 = 144 and output 8*24 = 192 elements; weights 360.
TEST(ConvolutionLayer, CostsItsProductAndMovesItsTensors) {
  const Layer layer =
      read_one("{op: convolution, in: 3, out: 8, kernel: 3x5, stride: 2x1, size: 4x6, bias: true}");
  EXPECT_EQ(layer.kind, LayerKind::convolution);
  EXPECT_EQ(layer.forward_flop, Flop{17280.0});
  EXPECT_EQ(layer.backward_flop, Flop{34560.0});
  EXPECT_EQ(layer.forward_traffic, Bytes{4.0 * (144 + 192)});
  EXPECT_EQ(layer.backward_traffic, Bytes{4.0 * (192 + 2 * 144)});
  EXPECT_EQ(layer.weight_traffic, Bytes{1.5 * 4.0 * 360});
  EXPECT_THAT(layer.parameter_tensors, ElementsAre(360, 8));
}

TEST(ConvolutionLayer, WithoutInputGradientHalvesTheBackwardPass) {
  const Layer layer = read_one(
      "{op: convolution, in: 3, out: 8, kernel: 3, size: 4, input_gradient: false, saves: input}");
  EXPECT_EQ(layer.backward_flop, layer.forward_flop);
  EXPECT_EQ(layer.backward_kernels, 1);
  EXPECT_EQ(layer.saved_activations, Bytes{4.0 * 3 * 16});
}

TEST(ConvolutionLayer, DescribesItsProductPerSample) {
  const Layer layer = read_one("{op: convolution, in: 3, out: 8, kernel: 3, size: 4}");
  EXPECT_EQ(layer.gemm.rows, 16);
  EXPECT_EQ(layer.gemm.columns, 8);
  EXPECT_EQ(layer.gemm.inner, 27);
  EXPECT_EQ(layer.gemm.count, 1);
}

// 5 rows of 10 -> 20: 2*5*10*20 = 2,000 FLOP; input 50, output 100 elements.
TEST(LinearLayer, SavesItsInputAndSumsTheBiasGradient) {
  const Layer layer = read_one("{op: linear, in: 10, out: 20, rows: 5}");
  EXPECT_EQ(layer.forward_flop, Flop{2000.0});
  EXPECT_EQ(layer.backward_flop, Flop{4000.0});
  EXPECT_EQ(layer.forward_traffic, Bytes{4.0 * 150});
  EXPECT_EQ(layer.backward_traffic, Bytes{4.0 * (300 + 100)});
  EXPECT_EQ(layer.saved_activations, Bytes{200.0});
  EXPECT_THAT(layer.parameter_tensors, ElementsAre(200, 20));
}

TEST(LinearLayer, TiedWeightsAreNoParametersButTraffic) {
  const Layer layer = read(
                          "- {op: embedding, entries: 20, features: 10}\n"
                          "- {op: linear, in: 10, out: 20, bias: false, tied: true}\n")
                          .at(1);
  EXPECT_TRUE(layer.parameter_tensors.empty());
  EXPECT_EQ(layer.weight_traffic, Bytes{1.5 * 4.0 * 200});
}

TEST(LinearLayer, TiedNeedsATableOfItsSize) {
  for (const char* bias : {"true", "false"}) {
    const std::string tied = fmt::format("in: 8, out: 16, bias: {}, tied: true}}\n", bias);
    for (const char* first : {"linear, in: 16, out: 8", "embedding, entries: 17, features: 8",
                              "embedding, entries: 16, features: 9"}) {
      EXPECT_THAT(
          error_of(fmt::format("- {{op: {}}}\n- {{op: linear, name: head, {}", first, tied)),
          AllOf(HasSubstr("m.yaml:2:"), HasSubstr("layers[1].tied"), HasSubstr("1.head"),
                HasSubstr("an earlier embedding of out x in"),
                HasSubstr("16 entries of 8 features")));
    }
    EXPECT_EQ(read("- {op: embedding, entries: 16, features: 8}\n- {op: linear, " + tied).size(),
              2U);
  }
}

// 3 products of (4x2)(2x5): 2*4*2*5*3 = 240 FLOP; 24 + 30 inputs, 60 outputs.
TEST(BatchedMatmulLayer, SavesBothInputs) {
  const Layer layer = read_one("{op: batched_matmul, count: 3, rows: 4, columns: 5, inner: 2}");
  EXPECT_EQ(layer.forward_flop, Flop{240.0});
  EXPECT_EQ(layer.forward_traffic, Bytes{4.0 * 114});
  EXPECT_EQ(layer.saved_activations, Bytes{4.0 * 54});
  EXPECT_TRUE(layer.parameter_tensors.empty());
}

// 7 steps, 2 directions, 3*4 gates: 14 * 2*12*(10+4) = 4,704 FLOP.
TEST(GruLayer, HasFourTensorsPerDirectionInRegistrationOrder) {
  const Layer layer = read_one("{op: gru, in: 10, hidden: 4, steps: 7, directions: 2}");
  EXPECT_EQ(layer.forward_flop, Flop{4704.0});
  EXPECT_THAT(layer.parameter_tensors, ElementsAre(120, 48, 12, 12, 120, 48, 12, 12));
  EXPECT_EQ(layer.kind, LayerKind::recurrent);
}

TEST(GruLayer, ReadsRecurrentWeightsAgainAtEveryStep) {
  const Layer layer = read_one("{op: gru, in: 10, hidden: 4, steps: 7, directions: 2}");
  EXPECT_EQ(layer.weight_traffic, Bytes{1.5 * 4.0 * (2 * 120 + 14 * 48)});
  EXPECT_EQ(layer.forward_kernels, 30);  // two per step and direction, one product per direction
}

TEST(StreamingLayers, CrossTheirTensorsAsOftenAsTheirKernelsDo) {
  // 2 channels of 3x3 are 72 bytes.
  EXPECT_EQ(read_one("{op: batch_norm, channels: 2, size: 3}").forward_traffic, Bytes{3.0 * 72});
  EXPECT_EQ(read_one("{op: batch_norm, channels: 2, size: 3}").backward_traffic, Bytes{5.0 * 72});
  EXPECT_EQ(read_one("{op: layer_norm, features: 2, rows: 9}").forward_traffic, Bytes{2.0 * 72});
  EXPECT_EQ(read_sum().forward_traffic, Bytes{3.0 * 72});
  EXPECT_EQ(read_one("{op: softmax, elements: 18}").backward_traffic, Bytes{3.0 * 72});
  EXPECT_EQ(read_one("{op: dropout, elements: 18}").forward_traffic, Bytes{2.25 * 72});
}

TEST(StreamingLayers, SaveWhatTheirDerivativeNeeds) {
  EXPECT_EQ(read_one("{op: batch_norm, channels: 2, size: 3}").saved_activations, Bytes{72.0});
  EXPECT_EQ(read_one("{op: dropout, elements: 18}").saved_activations, Bytes{18.0});
  EXPECT_EQ(read_sum().saved_activations, Bytes{0.0});
  EXPECT_EQ(
      read_one("{op: activation, function: relu, elements: 18, saves: none}").saved_activations,
      Bytes{0.0});
}

// From the log of ResNet-50's pooling: 5,619,712 bytes forward, 8,830,976 backward per sample.
TEST(StreamingLayers, MaxPoolMovesTheLoggedBytes) {
  const Layer layer = read_one("{op: max_pool, channels: 64, size: 56, stride: 2}");
  EXPECT_EQ(layer.forward_traffic, Bytes{5619712.0});
  EXPECT_NEAR(layer.backward_traffic.value, 8.83e6, 0.01e6);
}

TEST(EmbeddingLayer, KeepsIndicesAndZeroesItsGradientOncePerStep) {
  const Layer layer = read_one("{op: embedding, entries: 1000, features: 8, rows: 3}");
  EXPECT_THAT(layer.parameter_tensors, ElementsAre(8000));
  EXPECT_EQ(layer.saved_activations, Bytes{24.0});
  EXPECT_EQ(2.0 * layer.weight_traffic, Bytes{32000.0});
  EXPECT_EQ(layer.forward_flop, Flop{0.0});
}

TEST(LayerList, UnrollsRepeatsAndNumbersTheLayers) {
  const auto layers = read(
      "- {op: softmax, elements: 1}\n"
      "- repeat: 2\n"
      "  layers:\n"
      "    - {op: dropout, name: drop, elements: 1}\n"
      "    - {op: softmax, elements: 2}\n");
  ASSERT_EQ(layers.size(), 5U);
  EXPECT_EQ(layers[0].name, "0.softmax");
  EXPECT_EQ(layers[1].name, "1.drop");
  EXPECT_EQ(layers[3].name, "3.drop");
}

TEST(LayerList, NamesTheNearestOperatorWhenUnknown) {
  EXPECT_THAT(error_of("- {op: convolutoin, in: 3}\n"),
              HasSubstr("m.yaml:1:8: layers[0].op: unknown operator \"convolutoin\"; did you mean "
                        "\"convolution\"? allowed: "));
}

TEST(LayerList, RefusesKeysTheOperatorDoesNotHave) {
  EXPECT_EQ(error_of("- {op: softmax, elements: 3, kernal: 3}\n"),
            "m.yaml:1:38: layers[0]: unknown key \"kernal\"; allowed: channels, elements, inputs, "
            "name, op, repeat, saves, size");
}

TEST(LayerList, RefusesShapesThatAreNoShapes) {
  const std::string text =
      ": expected a side such as 7 or height x width such as 41x11, each from "
      "1 to 1000000, got ";
  for (const char* bad : {"0", "3x", "x3", "3x0", "-1", "3.5", "1000001", "3X3", "3x3x3", "03"}) {
    EXPECT_EQ(
        error_of(std::string("- {op: convolution, in: 3, out: 1, size: 4, kernel: ") + bad + "}\n"),
        "m.yaml:1:53: layers[0].kernel" + text + "\"" + bad + "\"");
  }
}

TEST(LayerList, RefusesEmptyRepeats) {
  EXPECT_EQ(error_of("- {repeat: 3, layers: []}\n"),
            "m.yaml:1:23: layers[0].layers: needs at least one layer");
}

TEST(LayerList, StopsRepeatsThatMultiplyWithoutEnd) {
  EXPECT_THAT(error_of("- repeat: 1000\n"
                       "  layers:\n"
                       "    - repeat: 1000\n"
                       "      layers:\n"
                       "        - {op: softmax, elements: 1}\n"),
              HasSubstr("the model has more than 20000 layers"));
}

TEST(LayerList, EveryOperatorHasAUniqueName) {
  auto names = layer_ops();
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  EXPECT_EQ(names.size(), 20U);
}

constexpr const char* kBranch = "- {op: linear, name: trunk, in: 4, out: 4}\n";

TEST(LayerInputs, AreTheLayerBeforeUnlessTheyAreNamed) {
  const auto layers = read(std::string(kBranch) +
                           "- {op: dropout, elements: 4}\n"
                           "- {op: linear, in: 4, out: 4}\n"
                           "- {op: residual_add, elements: 4, inputs: [linear, trunk]}\n"
                           "- {op: concat, elements: 12, inputs: [trunk, linear, dropout]}\n"
                           "- {op: embedding, entries: 5, features: 4}\n"
                           "- {op: linear, in: 3, out: 4, inputs: []}\n");
  EXPECT_THAT(layers[1].inputs, ElementsAre(1U));
  EXPECT_THAT(layers[3].inputs, ElementsAre(1U, 3U));
  EXPECT_THAT(layers[4].inputs, ElementsAre(4U, 2U, 3U));
  EXPECT_TRUE(layers[5].inputs.empty());  // looks up what the sample contains
  EXPECT_TRUE(layers[6].inputs.empty());  // the model's input
}

TEST(LayerInputs, OfARepeatedGroupMayBeWhatTheRepetitionBeforeItHasMade) {
  const auto layers =
      read(std::string(kBranch) +
           "- repeat: 2\n"
           "  layers:\n"
           "    - {op: linear, in: 4, out: 4}\n"
           "    - {op: residual_add, name: trunk, elements: 4, inputs: [linear, trunk]}\n");
  EXPECT_THAT(layers[2].inputs, ElementsAre(1U, 2U));  // the first layer
  EXPECT_THAT(layers[4].inputs, ElementsAre(1U, 2U));  // the sum of the first repetition
}

TEST(LayerInputs, RefusesUnknownNames) {
  EXPECT_THAT(error_of(std::string(kBranch) + "- {op: dropout, elements: 4, inputs: [trunc]}\n"),
              AllOf(HasSubstr("m.yaml:2:39: layers[1].inputs[0]"),
                    HasSubstr("unknown earlier layer \"trunc\"; did you mean \"trunk\"?")));
  EXPECT_THAT(error_of("- {op: dropout, elements: 4, inputs: [dropout]}\n"),
              HasSubstr("no layer comes before the first"));
}

TEST(LayerInputs, SumsAndConcatenationsSayWhatTheyJoin) {
  EXPECT_THAT(error_of(std::string(kBranch) + "- {op: residual_add, elements: 4}\n"),
              HasSubstr("layer 1.residual_add joins branches: name the layers that end them"));
  EXPECT_THAT(
      error_of(std::string(kBranch) + "- {op: dropout, elements: 4, inputs: [trunk, trunk]}\n"),
      HasSubstr("layer 1.dropout reads 2 layers, but its operator at most 1"));
}

TEST(LayerInputs, RefusesBranchesThatDoNotFit) {
  EXPECT_THAT(error_of(std::string(kBranch) +
                       "- {op: residual_add, elements: 5, inputs: [trunk, trunk]}\n"),
              HasSubstr("layer 1.residual_add adds tensors of 5 elements, but 0.trunk gives 4"));
  EXPECT_THAT(
      error_of(std::string(kBranch) + "- {op: concat, elements: 9, inputs: [trunk, trunk]}\n"),
      HasSubstr("layer 1.concat has 9 elements, but its inputs 8 together"));
}

}  // namespace
}  // namespace mimus::workloads
