// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Convolution groups (kernel elements × inputs, outputs, output pixels) and how often they occur.
#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

using Group = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

std::map<Group, int> groups(const Model& model) {
  std::map<Group, int> count;
  for (const Layer& layer : model.layers) {
    if (layer.kind != LayerKind::convolution) continue;
    ++count[{layer.gemm.inner, layer.gemm.columns, layer.gemm.rows}];
  }
  return count;
}

Group group(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t side) {
  return {in * kernel * kernel, out, side * side};
}

double gflop(const Group& g) {
  const auto& [inner, columns, rows] = g;
  return 2e-9 * static_cast<double>(inner * columns * rows);
}

int total(const std::map<Group, int>& all) {
  int sum = 0;
  for (const auto& [key, count] : all) sum += count;
  return sum;
}

TEST(ConvolutionGroups, OfResNet50) {
  const auto all = groups(test::catalogue().at("resnet50"));
  EXPECT_EQ(total(all), 53);
  EXPECT_EQ(all.at(group(3, 64, 7, 112)), 1);
  EXPECT_EQ(all.at(group(64, 64, 3, 56)), 3);
  EXPECT_EQ(all.at(group(64, 256, 1, 56)), 4);
  EXPECT_EQ(all.at(group(256, 128, 1, 56)), 1);
  EXPECT_EQ(all.at(group(128, 128, 3, 28)), 4);  // one with stride 2, three without
  EXPECT_EQ(all.at(group(256, 1024, 1, 14)), 6);
  EXPECT_EQ(all.at(group(1024, 2048, 1, 7)), 1);
  EXPECT_EQ(all.at(group(512, 512, 3, 7)), 3);
}

TEST(ConvolutionGroups, OfResNet50CostThePublishedFlop) {
  EXPECT_NEAR(gflop(group(3, 64, 7, 112)), 0.2360, 5e-5);
  EXPECT_NEAR(gflop(group(64, 64, 3, 56)), 0.2312, 5e-5);
  EXPECT_NEAR(gflop(group(256, 128, 1, 56)), 0.2055, 5e-5);
  EXPECT_NEAR(gflop(group(2048, 512, 1, 7)), 0.1028, 5e-5);
}

TEST(ConvolutionGroups, OfResNet18) {
  const auto all = groups(test::catalogue().at("resnet18"));
  EXPECT_EQ(total(all), 20);
  EXPECT_EQ(all.at(group(64, 64, 3, 32)), 4);
  EXPECT_EQ(all.at(group(64, 128, 1, 16)), 1);
  EXPECT_EQ(all.at(group(512, 512, 3, 4)), 3);
  EXPECT_NEAR(gflop(group(64, 64, 3, 32)), 0.0755, 5e-5);
}

TEST(ConvolutionGroups, OfYolo) {
  const auto all = groups(test::catalogue().at("yolov3"));
  EXPECT_EQ(total(all), 75);
  EXPECT_EQ(all.at(group(256, 128, 1, 52)), 10);
  EXPECT_EQ(all.at(group(128, 256, 3, 52)), 12);  // one with stride 2, eleven without
  EXPECT_EQ(all.at(group(512, 256, 1, 26)), 10);
  EXPECT_EQ(all.at(group(512, 1024, 3, 13)), 8);  // one with stride 2, seven without
  EXPECT_EQ(all.at(group(768, 256, 1, 26)), 1);
  EXPECT_EQ(all.at(group(384, 128, 1, 52)), 1);
  EXPECT_NEAR(gflop(group(128, 256, 3, 52)), 1.595, 5e-4);
}

TEST(ConvolutionGroups, BatchNormStatisticsAreBroadcastAsBuffers) {
  for (const char* name : {"resnet50", "resnet18", "yolov3", "deepspeech2"}) {
    const Model& model = test::catalogue().at(name);
    double channels = 0.0;
    for (const Layer& layer : model.layers) {
      if (layer.kind == LayerKind::normalisation) {
        channels += static_cast<double>(layer.parameter_tensors.front());
      }
    }
    EXPECT_DOUBLE_EQ(model.buffer_bytes.value, 2.0 * 4.0 * channels) << name;
  }
}

}  // namespace
}  // namespace mimus::workloads
