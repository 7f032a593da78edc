// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What a step requests from PyTorch's allocator, for every model and setting.
#include "kernels/pytorch/autograd_step.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <variant>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/pytorch/library_memory.hpp"
#include "tests/unit/kernels/launch_support.hpp"

namespace mimus::kernels {
namespace {

/// Bytes by what happens to them.
struct Fates {
  std::int64_t left = 0;
  std::int64_t gradients = 0;
  bool in_order = true;
};

Fates fates_of(const LaunchPlan& plan) {
  Fates fates;
  std::map<std::size_t, std::int64_t> alive;
  for (const AllocationEvent& event : plan.allocations.events) {
    if (event.kind == AllocationEvent::Kind::allocate) {
      fates.in_order &= alive.emplace(event.subject, event.bytes).second;
    } else if (event.kind == AllocationEvent::Kind::release ||
               event.kind == AllocationEvent::Kind::keep) {
      const auto tensor = alive.find(event.subject);
      if (tensor == alive.end()) return {.in_order = false};
      if (event.kind == AllocationEvent::Kind::keep) fates.gradients += tensor->second;
      alive.erase(tensor);
    }
  }
  for (const auto& [tensor, bytes] : alive) fates.left += bytes;
  return fates;
}

using Case = std::tuple<const char*, Arithmetic, Attention>;
class EveryModel : public testing::TestWithParam<Case> {};

TEST_P(EveryModel, KeepsNothingButTheGradientsOfAllWeights) {
  const auto& [name, arithmetic, attention] = GetParam();
  const workloads::Model& model = test::models().at(name);
  const LaunchPlan plan =
      test::plan_of(model, 4, {.attention = attention, .arithmetic = arithmetic});
  const Fates fates = fates_of(plan);
  EXPECT_TRUE(fates.in_order);
  EXPECT_EQ(fates.left, 0);
  std::int64_t weights = 0;
  std::int64_t biases = 0;
  for (const workloads::Layer& layer : model.layers) {
    for (const std::int64_t elements : layer.parameter_tensors) weights += kFloat * elements;
    const auto& g = layer.geometry;
    if (g.op == workloads::Operator::convolution && g.bias) biases += kFloat * g.out;
  }
  EXPECT_GE(fates.gradients, weights - biases);
  EXPECT_LE(fates.gradients, weights + biases);
}

std::string case_name(const testing::TestParamInfo<Case>& instance) {
  const Attention attention = std::get<Attention>(instance.param);
  return test::test_name(fmt::format("{}_{}_{}", std::get<const char*>(instance.param),
                                     kernels::name(std::get<Arithmetic>(instance.param)),
                                     attention == Attention::sdpa ? "sdpa" : "eager"));
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel,
                         testing::Combine(testing::Values("bert-base", "deepspeech2", "gpt",
                                                          "neumf", "resnet18", "resnet50",
                                                          "yolov3"),
                                          testing::Values(Arithmetic::fp32, Arithmetic::bf16),
                                          testing::Values(Attention::eager, Attention::sdpa)),
                         case_name);

// As traced with PyTorch 2.11 on an H100.
TEST(LibraryMemory, IsThatOfTraces) {
  EXPECT_EQ(RowSum(2048, 1024).partial_sums, 16777216);
  EXPECT_EQ(RowSum(2048, 1024).semaphores, 32);
  EXPECT_EQ(RowSum(2048, 3072).partial_sums, 50331648);
  EXPECT_EQ(RowSum(2048, 4096).partial_sums, 67108864);
  EXPECT_EQ(RowSum(32768, 128).partial_sums, 33554432);
  EXPECT_EQ(RowSum(32768, 64).partial_sums, 4194304);
  EXPECT_EQ(RowSum(32768, 32).partial_sums, 524288);
  EXPECT_EQ(RowSum(32768, 1).partial_sums, 0);
  const SortedGradient sorted(32768, 128, 3706);
  EXPECT_EQ(sorted.sort, 549375);
  EXPECT_EQ(sorted.runs, 29648);
  EXPECT_EQ(sorted.parts, 55856);
  EXPECT_EQ(sorted.part_sums, 3574784);
  workloads::LayerGeometry gru{.op = workloads::Operator::gru, .in = 800};
  gru.hidden = 800;
  gru.steps = 160;
  gru.directions = 2;
  EXPECT_NEAR(static_cast<double>(recurrent_work_space(gru, 10)), 65641568.0, 1e3);
  EXPECT_NEAR(static_cast<double>(recurrent_work_space(gru, 80)), 300170112.0, 1e3);
  gru.in = 1312;
  EXPECT_NEAR(static_cast<double>(recurrent_work_space(gru, 10)), 77827168.0, 1e3);
  EXPECT_NEAR(static_cast<double>(recurrent_work_space(gru, 80)), 363248512.0, 1e3);
}

// Workspace that the device itself holds leaves less room for fragments.
TEST(Fragments, AreLessByWhatTheDeviceHoldsBeside) {
  const LaunchPlan plan =
      test::plan_of(test::models().at("resnet50"), 64, {.arithmetic = Arithmetic::bf16});
  const PeakMemory before = peak_memory(plan.allocations);
  EXPECT_EQ(plan.memory.total() + before.product, before.reserved);
  constexpr std::int64_t kLarge = std::int64_t{3} << 30;
  const auto convolution =
      std::find_if(plan.forward.begin(), plan.forward.end(),
                   [](const Launch& one) { return std::holds_alternative<Convolution>(one); });
  WorkSpaces work;
  work.by_launch.resize(plan.forward.size());
  work.by_launch[static_cast<std::size_t>(convolution - plan.forward.begin())] = kLarge;
  const PeakMemory peak = peak_memory(plan.allocations, work);
  EXPECT_GT(peak.reserved, before.reserved);
  EXPECT_GT(peak.allocated, plan.memory.allocated);
  const std::int64_t regions = plan.memory.total() - plan.memory.fragments;
  const std::int64_t fragments = plan.memory.fragments_of(peak.reserved, peak.product);
  EXPECT_EQ(regions + fragments + peak.product, peak.reserved);
  EXPECT_EQ(plan.memory.fragments_of(peak.reserved, peak.product + kLarge / 2),
            fragments - kLarge / 2);
  EXPECT_EQ(plan.memory.fragments_of(peak.reserved, 2 * peak.reserved), 0);
}

}  // namespace
}  // namespace mimus::kernels
