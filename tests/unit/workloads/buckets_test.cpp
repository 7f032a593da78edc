// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

/// Sizes in MiB, rounded to one decimal.
std::vector<double> sizes(const Model& model) {
  std::vector<double> out;
  for (const Bucket& bucket : model.buckets()) {
    out.push_back(std::round(bucket.size.value / kMi * 10.0) / 10.0);
  }
  return out;
}

Layer layer_with(std::vector<std::int64_t> tensors) {
  Layer layer;
  layer.parameter_tensors = std::move(tensors);
  return layer;
}

struct Expected {
  const char* model;
  std::vector<double> mib;
};

void PrintTo(const Expected& expected, std::ostream* out) {
  *out << expected.model;
}

class SteadyStateBuckets : public testing::TestWithParam<Expected> {};

TEST_P(SteadyStateBuckets, HaveTheMeasuredSizes) {
  EXPECT_EQ(sizes(test::catalogue().at(GetParam().model)), GetParam().mib);
}

INSTANTIATE_TEST_SUITE_P(
    All, SteadyStateBuckets,
    testing::Values(
        Expected{"resnet50", {7.8, 30.0, 25.0, 25.3, 9.3}}, Expected{"resnet18", {9.0, 25.3, 8.3}},
        Expected{"bert-base",
                 {9.0, 27.0, 27.0, 27.0, 27.0, 27.0, 27.0, 27.0, 27.0, 27.0, 27.0, 27.0, 109.0}},
        Expected{"yolov3", {1.2, 37.0, 40.0, 40.0, 40.0, 25.0, 25.0, 25.7, 1.1}},
        Expected{"neumf", {2.0, 4.1}}, Expected{"neumf-ml20m", {13.5, 67.6, 40.3}}));

TEST(Buckets, CloseOnceTheyReachTheirLimitSoTheyMayOvershoot) {
  Model model;
  model.bucket_rule = {.first = Bytes{8.0}, .cap = Bytes{40.0}};
  model.layers = {layer_with({1, 2}), layer_with({}), layer_with({10, 1, 5})};
  // Reverse order: 5 (20 B >= 8) | 1, 10 (44 B >= 40) | 2, 1 (12 B, the rest).
  const auto buckets = model.buckets();
  ASSERT_EQ(buckets.size(), 3U);
  EXPECT_EQ(buckets[0].size, Bytes{20.0});
  EXPECT_EQ(buckets[1].size, Bytes{44.0});
  EXPECT_EQ(buckets[2].size, Bytes{12.0});
}

TEST(Buckets, NameTheLayerWhoseBackwardReleasesThem) {
  Model model;
  model.bucket_rule = {.first = Bytes{8.0}, .cap = Bytes{40.0}};
  model.layers = {layer_with({1, 2}), layer_with({}), layer_with({10, 1, 5})};
  const auto buckets = model.buckets();
  ASSERT_EQ(buckets.size(), 3U);
  EXPECT_EQ(buckets[0].last_layer, 2U);
  EXPECT_EQ(buckets[1].last_layer, 2U);
  EXPECT_EQ(buckets[2].last_layer, 0U);
}

TEST(Buckets, OfAModelWithoutParametersAreNone) {
  Model model;
  model.layers = {layer_with({})};
  EXPECT_TRUE(model.buckets().empty());
}

TEST(Buckets, HoldEveryGradientOnce) {
  for (const std::string& name : test::catalogue().names()) {
    const Model& model = test::catalogue().at(name);
    Bytes sum;
    for (const Bucket& bucket : model.buckets()) sum += bucket.size;
    EXPECT_DOUBLE_EQ(sum.value, model.gradient_bytes().value) << name;
  }
}

TEST(Buckets, AreReleasedFromTheLastLayerToTheFirst) {
  for (const std::string& name : test::catalogue().names()) {
    const auto buckets = test::catalogue().at(name).buckets();
    for (std::size_t i = 1; i < buckets.size(); ++i) {
      EXPECT_LE(buckets[i].last_layer, buckets[i - 1].last_layer) << name;
    }
  }
}

}  // namespace
}  // namespace mimus::workloads
