// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Launches of optimisers: PyTorch's sequences and the limits of its tensor lists.
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "kernels/launch/launch_commands.hpp"
#include "kernels/layers/tensor_lists.hpp"
#include "tests/unit/kernels/launch_support.hpp"

namespace mimus::kernels {
namespace {

using test::in_fp32;
using Function = MultiTensor::Function;

std::vector<Launch> optimiser(const std::string& model, OptimiserLaunches launches,
                              KernelArguments arguments = KernelArguments::small) {
  return make_launch_plan(in_fp32(model), {.per_gpu_batch = 1},
                          {.optimiser = launches, .arguments = arguments})
      .optimiser;
}

/// bert-base as pretrained with large batches.
workloads::Model with_lamb() {
  workloads::Model model = in_fp32("bert-base");
  model.optimiser = workloads::Optimiser::lamb;
  return model;
}

std::vector<Function> functions(const std::vector<Launch>& launches) {
  std::vector<Function> all;
  for (const auto& launch : test::launches_of<MultiTensor>(launches)) {
    all.push_back(launch.function);
  }
  return all;
}

// 62 tensors of 220 chunks: less than 64 tensors (lists of two) and 320 chunks, but lists of three
// hold only 48 tensors.
TEST(ForeachSgd, OfResNet18TakesFiveLaunches) {
  EXPECT_EQ(functions(optimiser("resnet18", OptimiserLaunches::foreach)),
            (std::vector{Function::decay, Function::decay, Function::scale_first,
                         Function::add_first, Function::apply_first}));
}

// Lists of three hold 48 tensors, so 62 tensors take two launches.
TEST(FusedSgd, OfResNet18TakesTwoLaunches) {
  EXPECT_EQ(functions(optimiser("resnet18", OptimiserLaunches::fused)),
            (std::vector{Function::sgd, Function::sgd}));
}

// Decay, momentum, sum and step of each of 161 tensors.
TEST(PerTensorSgd, OfResNet50TakesFourLaunchesPerTensor) {
  EXPECT_EQ(optimiser("resnet50", OptimiserLaunches::per_tensor).size(), 4U * 161U);
}

// Chunks of 65,536: words 358, positions 6, segments 1, norm 2; per layer four squares of 9 + 1,
// two norms of 2, and 36 + 1 twice: 118; answer 1 + 1. In total 367 + 12 * 118 + 2 = 1785: six
// launches of 320 for each of seven passes. 320 chunks are 43 tensors, below every list's limit.
TEST(ForeachAdam, OfBertBaseIsLimitedByChunks) {
  const auto launches = optimiser("bert-base", OptimiserLaunches::foreach);
  EXPECT_EQ(launches.size(), 42U);
  EXPECT_EQ(optimiser("bert-base", OptimiserLaunches::foreach, KernelArguments::large).size(), 7U);
}

// 62 gradients, 40 of them of norms, at w, g, m -> w, m: 20 bytes per parameter in one pass; four
// passes move w, g, t | m, m | t, m, m | m, w, w: 11 x 4 bytes.
TEST(OptimiserTraffic, IsTwentyBytesFusedAndFortyFourInPasses) {
  const auto parameters = static_cast<double>(in_fp32("resnet18").parameters());
  EXPECT_DOUBLE_EQ(test::total_traffic(optimiser("resnet18", OptimiserLaunches::fused)),
                   20.0 * parameters);
  EXPECT_DOUBLE_EQ(test::total_traffic(optimiser("resnet18", OptimiserLaunches::foreach)),
                   44.0 * parameters);
}

// Fused Adam counts its steps on the device: 199 counters in lists of 110, 16 bytes per launch.
TEST(OptimiserTraffic, OfFusedAdamIsTwentyEightBytes) {
  const auto parameters = static_cast<double>(in_fp32("bert-base").parameters());
  EXPECT_DOUBLE_EQ(test::total_traffic(optimiser("bert-base", OptimiserLaunches::fused)),
                   28.0 * parameters + 2.0 * 16.0);
}

// Norms cover whole tensors, so no list is divided. 1785 chunks are six tables of 320, and eight of
// those that know the tensor of each chunk.
TEST(Lamb, OfBertBaseTakesThreeLaunchesOfEveryTensor) {
  for (const auto launches : {OptimiserLaunches::foreach, OptimiserLaunches::fused}) {
    const LaunchPlan plan =
        make_launch_plan(with_lamb(), {.per_gpu_batch = 1}, {.optimiser = launches});
    EXPECT_EQ(functions(plan.optimiser),
              (std::vector{Function::lamb_moments, Function::lamb_norms, Function::lamb_apply}));
    EXPECT_EQ(kernels_of(plan.optimiser.at(0)), 6);
    EXPECT_EQ(kernels_of(plan.optimiser.at(1)), 8);
    EXPECT_EQ(kernels_of(plan.optimiser.at(2)), 8);
    EXPECT_EQ(most_fills_of(plan.optimiser.at(1)), 1);
  }
}

// w, g, m, v -> m, v, t; w, t; w, t -> w; the norms of 199 tensors are written and read.
TEST(Lamb, MovesFortyEightBytesPerParameterAndTwoNormsPerTensor) {
  const workloads::Model model = with_lamb();
  const LaunchPlan plan =
      make_launch_plan(model, {.per_gpu_batch = 1}, {.optimiser = OptimiserLaunches::fused});
  EXPECT_DOUBLE_EQ(test::total_traffic(plan.optimiser),
                   48.0 * static_cast<double>(model.parameters()) + 2.0 * 199.0 * 8.0);
}

TEST(Lamb, HasRoomForItsNormsBehindTheTemporary) {
  for (const auto launches : {OptimiserLaunches::fused, OptimiserLaunches::per_tensor}) {
    const LaunchPlan plan =
        make_launch_plan(with_lamb(), {.per_gpu_batch = 1}, {.optimiser = launches});
    for (const auto& launch : test::launches_of<MultiTensor>(plan.optimiser)) {
      if (!knows_tensors(launch.function)) continue;
      EXPECT_LE(norms_of(launch).offset + norm_bytes(launch.tensors.size()),
                plan.memory.bytes(Region::temporary));
    }
  }
}

TEST(TensorLists, CloseWithinATensorWhenChunksRunOut) {
  // 2 chunks a launch: 3 chunks of the first tensor, then one of the second.
  const auto lists = split_tensor_lists({{0, 3 * 65'536}, {200'000, 10}}, {8, 2});
  ASSERT_EQ(lists.size(), 2U);
  EXPECT_EQ(lists[0].size(), 1U);
  EXPECT_EQ(lists[0][0].elements, 2 * 65'536);
  ASSERT_EQ(lists[1].size(), 2U);
  EXPECT_EQ(lists[1][0].first, 2 * 65'536);
  EXPECT_EQ(lists[1][1].elements, 10);
}

RC_GTEST_PROP(TensorLists, CoverEveryElementOnceWithinTheLimits, ()) {
  const auto sizes =
      *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(1, 400'000));
  const TensorListLimits limits{*rc::gen::inRange<std::size_t>(1, 9),
                                *rc::gen::inRange<std::int64_t>(1, 12)};
  std::vector<TensorSpan> tensors;
  std::int64_t end = 0;
  for (const std::int64_t size : sizes) {
    tensors.push_back({end, size});
    end += size;
  }
  std::int64_t covered = 0;
  for (const auto& list : split_tensor_lists(tensors, limits)) {
    RC_ASSERT(!list.empty());
    RC_ASSERT(list.size() <= limits.tensors);
    std::int64_t chunks = 0;
    for (const TensorSpan& span : list) {
      RC_ASSERT(span.first == covered);
      covered += span.elements;
      chunks += (span.elements + 65'535) / 65'536;
    }
    RC_ASSERT(chunks <= limits.chunks);
  }
  RC_ASSERT(covered == end);
}

}  // namespace
}  // namespace mimus::kernels
