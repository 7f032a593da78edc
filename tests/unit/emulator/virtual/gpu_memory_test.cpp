// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/gpu_memory.hpp"

#include <gtest/gtest.h>

#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {
namespace {

scheduler::ClusterShape two_gpus(Bytes memory) {
  scheduler::ClusterShape shape;
  shape.nodes = 1;
  shape.gpus_per_node = 2;
  shape.gpu_memory = memory;
  return shape;
}

Attempt attempt_of(const workloads::Model& model, std::int64_t per_gpu) {
  Attempt attempt;
  attempt.model = &model;
  attempt.batch.per_gpu = per_gpu;
  attempt.allocation.slots = {{GpuId{0}, LaneId{0}}, {GpuId{1}, LaneId{1}}};
  return attempt;
}

TEST(GpuMemory, IsThatOfTheWholeModelOnEveryGpu) {
  const auto models = workloads::ModelCatalogue::built_in();
  const workloads::Model& gpt = models.at("gpt");
  const Attempt attempt = attempt_of(gpt, 4);
  GpuMemory memory(two_gpus(gpt.memory(4)));

  EXPECT_NEAR(memory.need(attempt).value, gpt.memory(4).value, 1.0);
  memory.take(attempt);
  EXPECT_EQ(memory.overfull(attempt), std::nullopt);
  memory.take(attempt);
  EXPECT_EQ(memory.overfull(attempt), GpuId{0});
  memory.give_back(attempt);
  EXPECT_EQ(memory.overfull(attempt), std::nullopt);
}

TEST(GpuMemory, OfASplitModelIsTheShareOfAGpu) {
  const auto models = workloads::ModelCatalogue::built_in();
  const workloads::Model& split = models.at("gpt@t2");
  const Attempt attempt = attempt_of(split, 4);
  GpuMemory memory(two_gpus(0.7 * split.memory(4)));

  EXPECT_LT(memory.need(attempt), 0.7 * split.memory(4));
  memory.take(attempt);
  EXPECT_EQ(memory.overfull(attempt), std::nullopt);
}

TEST(GpuMemory, NothingIsOverfullWhereMemoryIsNotStated) {
  const auto models = workloads::ModelCatalogue::built_in();
  const Attempt attempt = attempt_of(models.at("gpt"), 8);
  GpuMemory memory(two_gpus(Bytes{}));
  memory.take(attempt);
  EXPECT_EQ(memory.overfull(attempt), std::nullopt);
}

TEST(GpuMemory, IsThatOfTheTypeOfTheGpu) {
  const auto models = workloads::ModelCatalogue::built_in();
  const workloads::Model& gpt = models.at("gpt");
  Attempt attempt = attempt_of(gpt, 4);
  GpuMemory memory(scheduler::ClusterShape::of_groups(
      {{1, 1, 1, "large", 1.5 * gpt.memory(4)}, {1, 1, 1, "small", 0.5 * gpt.memory(4)}}, 2));

  memory.take(attempt);
  EXPECT_EQ(memory.overfull(attempt), GpuId{1});
  attempt.allocation.slots.pop_back();
  EXPECT_EQ(memory.overfull(attempt), std::nullopt);
}

}  // namespace
}  // namespace mimus::emulator
