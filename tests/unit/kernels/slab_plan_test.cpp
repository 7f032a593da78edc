// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Solvers on a grid that is divided into slabs: their exchanges and their modelled steps.
#include "kernels/parallel/slab_plan.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "kernels/footprint/roofline.hpp"
#include "kernels/parallel/split_plan.hpp"
#include "kernels/parallel/split_step_time.hpp"
#include "tests/unit/kernels/launch_support.hpp"
#include "workloads/models/layer_shape.hpp"

namespace mimus::kernels {
namespace {

using std::chrono::microseconds;
using workloads::Model;

/// One layer of each kind on 64^3 points.
Model solver(int slabs) {
  Model model;
  model.name = "solver";
  model.grid = {.points = 64, .fields = 10};
  model.efficiency["default"] = {.compute = 0.5, .memory = 0.5};
  model.split.tensor = slabs;
  using workloads::GridKernel;
  using workloads::GridLayer;
  for (const GridLayer& layer :
       {GridLayer{.kernel = GridKernel::fft, .fields = 3},
        GridLayer{.kernel = GridKernel::interpolation, .fields = 2, .planes = 4},
        GridLayer{.kernel = GridKernel::stencil, .reads = 1, .writes = 3, .planes = 4},
        GridLayer{.kernel = GridKernel::pointwise, .reads = 2, .sums = 2}}) {
    model.layers.push_back(workloads::make_grid_layer(layer, 64));
  }
  return model;
}

std::string refusal(const Model& model) {
  try {
    check_split(model);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(SlabPlan, ExchangesBehindEachLayerWhatItNeedsOfOthers) {
  const Model model = solver(4);
  const auto plan = make_parallel_plan(model, parallel_shape(model, {.replicas = 4}), 0, {});
  const auto& ends = plan.launches.forward_ends;

  ASSERT_EQ(plan.forward.size(), 3U + 2U + 2U + 1U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(plan.forward[i].op, CollectiveOp::all_to_all);
    // 64 · 64 · 33 complex numbers of 8 bytes on 4 ranks.
    EXPECT_DOUBLE_EQ(plan.forward[i].size.value, 8.0 * 64 * 64 * 33 / 4);
    EXPECT_EQ(plan.forward[i].after, ends[0]);
  }
  for (std::size_t i = 3; i < 7; ++i) EXPECT_EQ(plan.forward[i].op, CollectiveOp::send_recv);
  EXPECT_DOUBLE_EQ(plan.forward[3].size.value, 4.0 * 64 * 64 * 4 * 2) << "4 planes of two fields";
  EXPECT_DOUBLE_EQ(plan.forward[5].size.value, 4.0 * 64 * 64 * 4) << "4 planes of one";
  EXPECT_EQ(plan.forward[7].op, CollectiveOp::all_reduce);
  EXPECT_DOUBLE_EQ(plan.forward[7].size.value, 8.0);
  EXPECT_TRUE(plan.backward.empty());
  EXPECT_TRUE(plan.reduce.empty());
}

TEST(SlabPlan, ASlabHasItsPartOfTheWorkAndOfTheFields) {
  const Model model = solver(4);
  const Model share = slab_share(model, parallel_shape(model, {.replicas = 4}));

  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    EXPECT_DOUBLE_EQ(share.layers[i].forward_traffic.value,
                     model.layers[i].forward_traffic.value / 4);
  }
  EXPECT_DOUBLE_EQ(memory_need(model).of(1).value, 10 * 4.0 * 64 * 64 * 64 / 4);
  EXPECT_DOUBLE_EQ(memory_need(solver(1)).of(1).value, 10 * 4.0 * 64 * 64 * 64);
}

// The time of a step is that of the work on one slab and of every exchange, as none overlaps.
TEST(SlabPlan, AStepIsTheSumOfItsKernelsAndExchanges) {
  const GpuSpec& gpu = gpu_spec("V100");
  const Model model = solver(4);
  const auto plans = make_gang_plans(model, gpu, {.replicas = 4});
  const GangLink link{BytesPerSecond{1e9}, microseconds{10}, true, 2.0};
  const auto apart = gang_step_time(plans, {{link, link, link}});
  const auto together =
      gang_step_time(plans, {{{BytesPerSecond{1e30}, {}}, {BytesPerSecond{1e30}, {}}, {}}});

  // Three all-to-alls of 3 messages over a link that carries twice 3/4 of 270,336 bytes; four sends
  // of 131,072 and 65,536 bytes; a sum of 8 bytes in 6 steps.
  const double bytes = 3 * 2 * 0.75 * 270'336 + 2 * 131'072 + 2 * 65'536 + 1.5 * 8;
  const double seconds = bytes / 1e9 + (3 * 3 + 4 + 6) * 10e-6;
  const int samples = 4;  // a step of four GPUs
  EXPECT_NEAR(to_seconds(apart.total - together.total), samples * seconds, 1e-7);
  EXPECT_NEAR(to_seconds(apart.exposed_communication), samples * seconds, 1e-7);
}

TEST(SlabPlan, ASolverOnOneGpuHasNoBackwardPassAndNoOptimiser) {
  const Model model = solver(1);
  const auto plan = make_plan(model, gpu_spec("V100"), {.per_gpu_batch = 1});

  EXPECT_TRUE(plan.backward.empty());
  EXPECT_EQ(plan.optimiser.device_time, Duration{});
  EXPECT_EQ(plan.optimiser.host_time, Duration{});
  double bytes = 0.0;
  for (const auto& layer : model.layers) bytes += layer.forward_traffic.value;
  EXPECT_NEAR(to_seconds(plan.device_time()), bytes / (0.5 * 900e9), 1e-5);
}

TEST(SlabPlan, TensorCoresDoNotTransformFields) {
  const GpuSpec& gpu = gpu_spec("A100");
  EXPECT_EQ(roofline_rates(solver(1), gpu).compute.value, 0.5 * gpu.fp32.value);
}

TEST(SlabPlan, RefusesWhatCannotBeDivided) {
  EXPECT_EQ(refusal(solver(4)), "none");
  EXPECT_EQ(refusal(solver(3)),
            "model \"solver\": 64 planes cannot be divided evenly by 3; choose a divisor of 64");
  EXPECT_EQ(refusal(solver(32)),
            "model \"solver\": slabs of 2 planes are thinner than the 4 planes that a neighbour "
            "needs; choose at most 16 GPUs");
  Model pipeline = solver(2);
  pipeline.split.pipeline = 2;
  EXPECT_EQ(
      refusal(pipeline),
      "model \"solver\": a grid is divided into slabs only; write t and their number, without "
      "p, o and w");
  const Model two = solver(2);
  EXPECT_THROW((void)make_gang_plans(two, gpu_spec("V100"), {.replicas = 4}), UsageError);
}

}  // namespace
}  // namespace mimus::kernels
