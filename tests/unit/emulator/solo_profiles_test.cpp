// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/solo_profiles.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "emulator/testbed/job_views.hpp"
#include "kernels/footprint/gpu_spec.hpp"
#include "kernels/parallel/split_plan.hpp"

namespace mimus::emulator {
namespace {

// ResNet-50: 25,557,032 parameters in 53 convolutions and one dense layer, SGD with one moment,
// input of 3 × 224 × 224 numbers in fp32 or fp16.
TEST(ModelGraph, ShowsWhatAModelIsMadeOf) {
  const auto models = workloads::ModelCatalogue::built_in();
  const auto& model = models.at("resnet50");
  const scheduler::ModelGraph graph = graph_of(model);

  EXPECT_EQ(graph.parameters, 25'557'032.0);
  EXPECT_EQ(graph.convolutions, 53);
  EXPECT_EQ(graph.moments, 1);
  EXPECT_EQ(graph.operators, static_cast<int>(model.layers.size()));
  EXPECT_NEAR(graph.forward.value, 8.2e9, 0.1e9);  // 4.1 G multiply-adds
}

TEST(ModelGraph, IsNotKnownOfAPartOfAModel) {
  const auto models = workloads::ModelCatalogue::built_in();

  EXPECT_TRUE(graph_of(models.at("gpt")).known());
  EXPECT_FALSE(graph_of(models.at("gpt@t2p4")).known());
}

TEST(SoloProfiles, DoubleTheBatchUpToTheMostThatFits) {
  const auto models = workloads::ModelCatalogue::built_in();
  const auto profiles = solo_profiles(models, "T4");
  const Bytes capacity = kernels::gpu_spec("T4").memory;

  std::vector<std::int64_t> batches;
  for (const auto& profile : profiles) {
    EXPECT_GT(profile.utilisation, 0.0) << profile.model;
    EXPECT_LE(profile.utilisation, 1.0) << profile.model;
    EXPECT_LE(profile.memory, capacity) << profile.model;
    if (profile.model == "bert-base") batches.push_back(profile.per_gpu_batch);
  }
  const auto& bert = models.at("bert-base");
  ASSERT_EQ(bert.batch.per_gpu_min, 4);
  ASSERT_EQ(bert.batch.per_gpu_max, 12);
  EXPECT_EQ(batches, (std::vector<std::int64_t>{4, 8, 12}));
}

TEST(SoloProfiles, HoldTheMemoryThatReplicasTake) {
  const auto models = workloads::ModelCatalogue::built_in();
  const auto profiles = solo_profiles(models, "V100");
  const auto found = std::find_if(profiles.begin(), profiles.end(),
                                  [](const auto& profile) { return profile.model == "yolov3"; });
  const kernels::MemoryNeed need = kernels::memory_need(models.at("yolov3"));

  ASSERT_NE(found, profiles.end());
  EXPECT_EQ(found->per_gpu_batch, 4);
  EXPECT_EQ(found->memory, need.base + 4.0 * need.per_sample);
}

}  // namespace
}  // namespace mimus::emulator
