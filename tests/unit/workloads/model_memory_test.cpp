// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

Model small_model() {
  Model model;
  Layer layer;
  layer.parameter_tensors = {100, 25};
  layer.saved_activations = Bytes{1000.0};
  model.layers = {layer};
  model.workspace = Bytes{5000.0};
  return model;
}

TEST(ModelMemory, OfSgdIsWeightsGradientsAndOneMoment) {
  const Model model = small_model();
  EXPECT_EQ(model.optimiser_state(), Bytes{500.0});
  // 5000 + 125 * (4 + 4 + 4) + 3 * 1000
  EXPECT_EQ(model.memory(3), Bytes{9500.0});
}

TEST(ModelMemory, OfAdamHoldsTwoMoments) {
  Model model = small_model();
  model.optimiser = Optimiser::adam;
  EXPECT_EQ(model.optimiser_state(), Bytes{1000.0});
  model.optimiser = Optimiser::lamb;
  EXPECT_EQ(model.optimiser_state(), Bytes{1000.0});
  EXPECT_EQ(model.memory(0), Bytes{7000.0});
}

TEST(ModelMemory, MixedPrecisionHalvesSavedActivationsOnly) {
  Model model = small_model();
  model.precision = Precision::fp16;
  EXPECT_EQ(model.saved_activations(), Bytes{500.0});
  EXPECT_EQ(model.gradient_bytes(), Bytes{500.0});
}

// Pollux profiled these on T4s with 16 GB and never exceeded per_gpu_max.
TEST(ModelMemory, LargestProfiledBatchFitsATesla16GB) {
  for (const char* name :
       {"resnet50", "resnet18", "bert-base", "yolov3", "deepspeech2", "neumf", "bert-large"}) {
    const Model& model = test::catalogue().at(name);
    EXPECT_LE(model.memory(model.batch.per_gpu_max).value, 16e9) << name;
  }
}

// Lambda's largest mixed-precision batches: 256 on 16 GB, 720 on 40 GB, 1280 on 80 GB.
TEST(ModelMemory, ResNet50HasTheMemoryBoundaryThatLambdaPublished) {
  const Model& model = test::catalogue().at("resnet50");
  EXPECT_LE(model.memory(256).value, 16e9);
  EXPECT_LE(model.memory(720).value, 40e9);
  EXPECT_LE(model.memory(1280).value, 80e9);
  EXPECT_GT(model.memory(512).value, 16e9);
  EXPECT_GT(model.memory(2560).value, 80e9);
}

// Lambda: BERT-large in fp16 with 48 sequences on 40 GB and 112 on 80 GB, but not twice as many.
TEST(ModelMemory, BertLargeHasTheMemoryBoundaryThatLambdaPublished) {
  const Model& model = test::catalogue().at("bert-large");
  EXPECT_LE(model.memory(48).value, 40e9);
  EXPECT_LE(model.memory(112).value, 80e9);
  EXPECT_GT(model.memory(96).value, 40e9);
  EXPECT_GT(model.memory(224).value, 80e9);
}

TEST(ModelEfficiency, FallsBackFromGpuToDefaultToBuiltIn) {
  Model model = small_model();
  EXPECT_DOUBLE_EQ(model.efficiency_on("T4").compute, 0.6);
  model.efficiency["default"] = {.compute = 0.5, .memory = 0.7};
  model.efficiency["T4"] = {.compute = 0.1, .memory = 0.2};
  EXPECT_DOUBLE_EQ(model.efficiency_on("T4").memory, 0.2);
  EXPECT_DOUBLE_EQ(model.efficiency_on("V100").compute, 0.5);
}

}  // namespace
}  // namespace mimus::workloads
