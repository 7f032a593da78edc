// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Launch plans of replicas whose device memory is limited: what stays on the device, and that no
// launch finds two of its tensors in one place.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/kernels/launch_support.hpp"

namespace mimus::kernels {
namespace {

using test::in_fp32;
using test::models;
using test::plan_of;
using workloads::Model;

constexpr std::int64_t kBatch = 4;

LaunchPlan limited_plan(const Model& model, std::int64_t device, std::int64_t spilled = 0) {
  return make_launch_plan(model, {.per_gpu_batch = kBatch}, {}, 1,
                          {.device = device, .spilled = spilled});
}

/// Pairs of operands of one launch, by number, that have bytes of a region in common.
std::vector<std::pair<std::size_t, std::size_t>> overlaps(const Launch& launch,
                                                          const MemoryPlan& memory) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  const auto all = operands(launch);
  const auto region = [](const Operand& operand) {
    return is_part(operand.place.region) ? Region::working : operand.place.region;
  };
  const auto begin = [&](const Operand& operand) {
    return operand.place.offset +
           (is_part(operand.place.region) ? memory.begin(operand.place.region) : 0);
  };
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = a + 1; b < all.size(); ++b) {
      if (region(all[a]) == region(all[b]) && begin(all[a]) < begin(all[b]) + all[b].bytes &&
          begin(all[b]) < begin(all[a]) + all[a].bytes) {
        found.emplace_back(a, b);
      }
    }
  }
  return found;
}

void expect_inside(const LaunchPlan& plan) {
  for (const auto* pass : {&plan.forward, &plan.backward, &plan.optimiser}) {
    for (const Launch& launch : *pass) {
      for (const Operand& operand : operands(launch)) {
        EXPECT_GE(operand.place.offset, 0);
        EXPECT_LE(operand.place.offset + operand.bytes, plan.memory.bytes(operand.place.region));
      }
    }
  }
}

class LimitedMemory : public testing::TestWithParam<std::string> {};

TEST_P(LimitedMemory, FitsUnlessWhatStaysIsLarger) {
  const Model model = in_fp32(GetParam());
  const LaunchPlan whole = plan_of(model, kBatch);
  const std::int64_t least = limited_plan(model, 1).memory.total();
  EXPECT_LT(least, whole.memory.total());
  for (const double part : {0.3, 0.7}) {
    const auto between = static_cast<double>(whole.memory.total() - least);
    const std::int64_t device = least + static_cast<std::int64_t>(part * between);
    const LaunchPlan plan = limited_plan(model, device);
    EXPECT_LE(plan.memory.total(), device);
    expect_inside(plan);
  }
}

TEST_P(LimitedMemory, LaunchesHaveTheirOperandsApart) {
  const Model model = in_fp32(GetParam());
  const LaunchPlan whole = plan_of(model, kBatch);
  const LaunchPlan plan = limited_plan(model, 1);
  expect_inside(plan);
  for (const auto pass : {&LaunchPlan::forward, &LaunchPlan::backward}) {
    ASSERT_EQ((plan.*pass).size(), (whole.*pass).size());
    for (std::size_t i = 0; i < (plan.*pass).size(); ++i) {
      EXPECT_EQ(overlaps((plan.*pass)[i], plan.memory), overlaps((whole.*pass)[i], whole.memory));
    }
  }
}

TEST_P(LimitedMemory, IsAsPlannedWithoutNeed) {
  const Model model = in_fp32(GetParam());
  const LaunchPlan whole = plan_of(model, kBatch);
  const LaunchPlan plan = limited_plan(model, whole.memory.total());
  EXPECT_EQ(plan.memory.total(), whole.memory.total());
  EXPECT_EQ(plan.memory.fragments, whole.memory.fragments);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, LimitedMemory,
                         testing::Values("bert-base", "claire", "deepspeech2", "neumf", "resnet50",
                                         "yolov3"),
                         [](const auto& model) { return test::test_name(model.param); });

TEST(MemoryOfAReplica, StateStaysOnTheDevice) {
  const LaunchPlan plan = limited_plan(in_fp32("resnet50"), 1);
  const LaunchPlan whole = plan_of(in_fp32("resnet50"), kBatch);
  for (const Region region : {Region::weights, Region::gradients, Region::moments}) {
    EXPECT_EQ(plan.memory.bytes(region), whole.memory.bytes(region));
  }
  EXPECT_EQ(plan.memory.fragments, 0);
}

/// The device memory through which spilled memory is copied is part of what the limit leaves.
TEST(MemoryOfAReplica, CopiesOfSpilledMemoryNeedRoom) {
  const std::int64_t mebi = std::int64_t{1} << 20;
  const LaunchPlan whole = plan_of(in_fp32("resnet50"), kBatch);
  const std::int64_t device = whole.memory.total() - 100 * mebi;
  const LaunchPlan plan = limited_plan(in_fp32("resnet50"), device, 100 * mebi);
  EXPECT_EQ(plan.memory.staging(), 32 * mebi);
  EXPECT_LE(plan.memory.total(), device);
  EXPECT_EQ(limited_plan(in_fp32("resnet50"), device, mebi).memory.staging(), mebi);
}

}  // namespace
}  // namespace mimus::kernels
