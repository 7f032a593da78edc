// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config_tree.hpp"
#include "emulator/campaign/cluster/cluster_keys.hpp"

namespace mimus::emulator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ClusterConfig cluster_of(const std::string& keys) {
  const ConfigNode node = parse_yaml("{" + keys + "}", "c.yaml");
  YamlReader reader(node, "cluster");
  return read_fields(cluster_fields(), reader);
}

std::string refusal_of(const std::string& keys) {
  try {
    (void)cluster_of(keys);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

constexpr const char* kOneType = "nodes: 1, gpus_per_node: 2, gpu: T4";
constexpr const char* kTwoTypes =
    "groups: [{nodes: 1, gpus_per_node: 2, gpu: V100}, {nodes: 2, gpus_per_node: 4, gpu: T4}]";

TEST(Price, IsOfEachTypeInTheOrderOfTheInventory) {
  const std::string prices = ", price_per_gpu_hour: {T4: 0.5, V100: 3}";

  EXPECT_THAT(cluster_of(kTwoTypes + prices).prices(), ElementsAre(3.0, 0.5));
  EXPECT_THAT(cluster_of(std::string(kOneType) + ", price_per_gpu_hour: {T4: 0.5}").prices(),
              ElementsAre(0.5));
  EXPECT_TRUE(cluster_of(kOneType).prices().empty());
}

TEST(Price, OfATypeIsNotForgottenNorOfAnotherOne) {
  EXPECT_THAT(refusal_of(std::string(kTwoTypes) + ", price_per_gpu_hour: {T4: 1}"),
              HasSubstr("cluster.price_per_gpu_hour: states no price of V100"));
  EXPECT_THAT(refusal_of(std::string(kOneType) + ", price_per_gpu_hour: {T4: 1, V100: 3}"),
              HasSubstr("of types that the cluster does not have; it has T4"));
  EXPECT_THAT(refusal_of(std::string(kOneType) + ", price_per_gpu_hour: {T4: -1}"),
              HasSubstr(">= 0"));
}

}  // namespace
}  // namespace mimus::emulator
