// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Properties of the launches of any model: operands are within their regions, aligned and disjoint.
#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "kernels/launch/alignment.hpp"
#include "kernels/layers/crossings.hpp"
#include "kernels/parallel/parallel_plan.hpp"
#include "tests/unit/kernels/any_model.hpp"
#include "tests/unit/kernels/transformer_support.hpp"

namespace mimus::kernels {
namespace {

using test::any;
using test::any_model;
using workloads::Model;

/// Bytes [begin, end) of one region. Gradients and the optimiser's temporary are inside other
/// regions.
struct Extent {
  Region region;
  std::int64_t begin, end;
  [[nodiscard]] bool meets(const Extent& other) const {
    return region == other.region && begin < other.end && other.begin < end;
  }
};

Extent extent_of(const Operand& operand, const MemoryPlan& memory) {
  const Region region = operand.place.region;
  const std::int64_t begin = operand.place.offset + (is_part(region) ? memory.begin(region) : 0);
  return {is_part(region) ? Region::working : region, begin, begin + operand.bytes};
}

void check_operands(const Launch& launch, const MemoryPlan& memory) {
  auto all = operands(launch);
  for (const Operand& operand : all) {
    const auto region = static_cast<std::size_t>(operand.place.region);
    RC_ASSERT(operand.bytes > 0);
    RC_ASSERT(operand.place.offset % kTensorAlignment == 0);
    RC_ASSERT(operand.place.offset >= 0);
    RC_ASSERT(operand.place.offset + operand.bytes <= memory.region.at(region));
    RC_ASSERT(extent_of(operand, memory).end <= memory.bytes(extent_of(operand, memory).region));
  }
  // An optimiser's launch has hundreds. After sorting, only operands up to an end can overlap.
  std::sort(all.begin(), all.end(), [&](const Operand& a, const Operand& b) {
    const Extent left = extent_of(a, memory);
    const Extent right = extent_of(b, memory);
    return left.region != right.region ? left.region < right.region : left.begin < right.begin;
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Extent own = extent_of(all[i], memory);
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (!own.meets(extent_of(all[j], memory))) break;
      RC_ASSERT(all[i].place == all[j].place);
    }
  }
}

/// Bytes of one region that are in use: ends by beginnings, without adjacent ranges.
using Covered = std::map<std::int64_t, std::int64_t>;

void cover(Covered& covered, Extent more) {
  auto next = covered.lower_bound(more.begin);
  if (next != covered.begin() && std::prev(next)->second >= more.begin) --next;
  while (next != covered.end() && next->first <= more.end) {
    more.begin = std::min(more.begin, next->first);
    more.end = std::max(more.end, next->second);
    next = covered.erase(next);
  }
  covered.emplace(more.begin, more.end);
}

bool meets(const Covered& covered, const Extent& extent) {
  const auto behind = covered.lower_bound(extent.end);
  return behind != covered.begin() && std::prev(behind)->second > extent.begin;
}

/// No operand of a launch overlaps a gradient that was made before.
void check_gradients_stay(const LaunchPlan& plan) {
  Covered made;  // of Region::working
  for (const Launch& launch : plan.backward) {
    for (const Operand& operand : operands(launch)) {
      if (operand.place.region != Region::working) continue;
      RC_ASSERT(!meets(made, extent_of(operand, plan.memory)));
    }
    for (const Operand& operand : operands(launch)) {
      if (operand.place.region == Region::gradients) cover(made, extent_of(operand, plan.memory));
    }
  }
}

void check_plan(const LaunchPlan& plan) {
  for (const auto* pass : {&plan.forward, &plan.backward, &plan.optimiser}) {
    for (const Launch& launch : *pass) check_operands(launch, plan.memory);
  }
  check_gradients_stay(plan);
  RC_ASSERT(plan.buffer_broadcast <= plan.memory.bytes(Region::buckets));
}

LaunchOptions any_options() {
  LaunchOptions options;
  options.attention = *rc::gen::element(Attention::eager, Attention::sdpa);
  options.optimiser = *rc::gen::element(OptimiserLaunches::fused, OptimiserLaunches::foreach,
                                        OptimiserLaunches::per_tensor);
  options.arguments = *rc::gen::element(KernelArguments::small, KernelArguments::large);
  options.arithmetic =
      *rc::gen::element(Arithmetic::fp32, Arithmetic::tf32, Arithmetic::fp16, Arithmetic::bf16);
  return options;
}

RC_GTEST_PROP(LaunchOperands, OfBuiltInModelsLieInBoundsAlignedAndApart, ()) {
  const Model& model = test::models().at(*rc::gen::elementOf(test::models().names()));
  check_plan(
      make_launch_plan(model, {.per_gpu_batch = any(1, 9), .replicas = any(1, 2)}, any_options()));
}

RC_GTEST_PROP(LaunchOperands, OfAnyModelLieInBoundsAlignedAndApart, ()) {
  check_plan(make_launch_plan(any_model(), {.per_gpu_batch = any(1, 9), .replicas = any(1, 2)},
                              any_options()));
}

RC_GTEST_PROP(LaunchOperands, OfEveryRanksShareLieInBoundsAlignedAndApart, ()) {
  ParallelShape shape;
  shape.tensor = *rc::gen::element(1, 2, 4, 8);
  shape.pipeline = *rc::gen::element(1, 2, 3);
  shape.data = any(1, 3);
  shape.micro_batches = any(1, 5);
  shape.micro_batch = any(1, 3);
  shape.sequence_parallel = any(0, 1) == 1;
  const Model model = test::gpt(6, 512);
  const auto plan = make_parallel_plan(model, shape, any(0, shape.pipeline - 1), any_options());
  check_plan(plan.launches);
  for (const auto& one : plan.forward) RC_ASSERT(one.after <= plan.launches.forward.size());
  for (const auto& one : plan.backward) RC_ASSERT(one.after <= plan.launches.backward.size());
  RC_ASSERT(std::is_sorted(plan.forward.begin(), plan.forward.end(),
                           [](const auto& a, const auto& b) { return a.after < b.after; }));
}

RC_GTEST_PROP(LaunchCounts, OfAnyModelAreThoseOfItsLayers, ()) {
  const Model model = any_model();
  const Arithmetic arithmetic = *rc::gen::element(Arithmetic::fp32, Arithmetic::bf16);
  const LaunchPlan plan =
      make_launch_plan(model, {.per_gpu_batch = any(1, 9)}, {.arithmetic = arithmetic});
  const auto widths = layer_widths(model, arithmetic);
  std::size_t forward = 0;
  std::size_t backward = 0;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const auto counted = test::counted_launches(model, i);
    const bool mixed = arithmetic == Arithmetic::bf16;
    const auto casts = mixed ? test::casts_of(model.layers[i], widths[i]) : test::PassCounts{};
    forward += counted.forward + casts.forward;
    backward += counted.backward + casts.backward;
  }
  RC_ASSERT(plan.forward.size() == forward);
  RC_ASSERT(plan.backward.size() == backward);
}

RC_GTEST_PROP(ParameterLayout, ItsBucketsPartitionTheGradients, ()) {
  const Model model = any_model();
  const ParameterLayout layout = lay_out_parameters(model);
  std::int64_t end = 0;
  for (const TensorSpan& bucket : layout.buckets) {
    RC_ASSERT(bucket.first == end);
    RC_ASSERT(bucket.elements > 0);
    end += bucket.elements;
  }
  RC_ASSERT(end == layout.elements);
  RC_ASSERT(layout.buckets.size() == model.buckets().size());
  for (const TensorSpan& tensor : registered_tensors(layout)) {
    const auto holds = [&](const TensorSpan& bucket) {
      return tensor.first >= bucket.first &&
             tensor.first + tensor.elements <= bucket.first + bucket.elements;
    };
    RC_ASSERT(std::count_if(layout.buckets.begin(), layout.buckets.end(), holds) == 1);
  }
}

// A tensor of 10 x 6 in fp32 is 240 bytes, two numbers per column 48: x twice, y and, with both
// kernels, the statistics; backward x and dy twice, dx, and the sums, too.
TEST(LaunchTraffic, OfBatchNormCrossesItsTensorThreeAndFiveTimes) {
  Reduction norm;
  norm.rows = 10;
  norm.columns = 6;
  const auto bytes = [&](Reduction::Function function) {
    norm.function = function;
    return traffic(norm).value;
  };
  using enum Reduction::Function;
  EXPECT_EQ(bytes(batch_statistics) + bytes(batch_norm), 3.0 * 240 + 2 * 48);
  EXPECT_EQ(bytes(batch_gradient_sums) + bytes(batch_norm_gradient), 5.0 * 240 + 4 * 48);
  norm.image = 5;
  EXPECT_EQ(bytes(batch_norm_gradient), 5.0 * 240 + 2 * 48) << "channels first: one kernel";
}

// 2 crossings over 3 kernels: a third each. 3 over 1: an addition. 4 over 2: two copies. 9 over 5:
// nine tenths of a copy each. 8 over 1: three reads and a write of a tensor twice as large.
TEST(Crossings, AreSpreadOverTheKernels) {
  const auto is = [](CrossingShare share, int reads, std::int64_t elements) {
    EXPECT_EQ(share.reads, reads);
    EXPECT_EQ(share.elements, elements);
  };
  is(share_crossings(900, 2.0, 3), 1, 300);
  is(share_crossings(900, 3.0, 1), 2, 900);
  is(share_crossings(900, 4.0, 2), 1, 900);
  is(share_crossings(1000, 9.0, 5), 1, 900);
  is(share_crossings(900, 8.0, 1), 3, 1800);
}

}  // namespace
}  // namespace mimus::kernels
