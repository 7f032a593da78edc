// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/nodes/least_loaded.hpp"

#include <algorithm>
#include <array>

namespace mimus::scheduler {
namespace {

constexpr int kMostIslands = 64;

/// The island that takes `gpus` with the fewest to spare, else the one with the most.
std::size_t best_island(std::span<const GpuMask> islands, int gpus) {
  const auto misfit = [gpus](GpuMask island) {
    const int has = std::popcount(island);
    return has >= gpus ? has : 2 * kMostIslands - has;
  };
  const auto best = std::ranges::min_element(islands, {}, misfit);
  return static_cast<std::size_t>(best - islands.begin());
}

/// Whole GPUs; none if they must be on one island and none has as many.
GpuMask on_few_islands(const NodeQuestion& question, int island_size) {
  std::array<GpuMask, kMostIslands> masks{};
  each_gpu(question.candidates, [&](std::size_t gpu) {
    masks[gpu / static_cast<std::size_t>(island_size)] |= GpuMask{1} << gpu;
  });
  const auto count = static_cast<std::size_t>(question.node.size() / island_size);
  const std::span<GpuMask> islands = std::span(masks).first(count);
  GpuMask taken = 0;
  for (int missing = question.request.gang; missing > 0;) {
    GpuMask& island = islands[best_island(islands, missing)];
    const bool splits = std::popcount(island) < missing;
    if (splits && question.request.level == LeastLoaded::kOneIsland) return 0;
    const GpuMask here = first_of(island, missing);
    taken |= here;
    missing -= std::popcount(here);
    island = 0;
  }
  return taken;
}

/// Parts of the GPUs with the most left.
GpuMask of_emptiest(const NodeQuestion& question) {
  GpuMask taken = 0;
  for (int i = 0; i < question.request.gang; ++i) {
    GpuMask best = 0;
    int most = -1;
    each_gpu(question.candidates & ~taken, [&](std::size_t gpu) {
      if (question.node.left[gpu] <= most) return;
      most = question.node.left[gpu];
      best = GpuMask{1} << gpu;
    });
    taken |= best;
  }
  return taken;
}

double share_left(std::int64_t left, std::int64_t all) {
  return static_cast<double>(left) / static_cast<double>(all);
}

}  // namespace

int LeastLoaded::left_of(const NodeView& node) const {
  const HostNeed& has = shape_.groups ? shape_.groups->group_of(node.node).host : shape_.host;
  double left = share_left(node.all_left, kWholeGpu.value * node.size());
  int resources = 1;
  if (has.milli_cores > 0) {
    left += share_left(node.host.milli_cores, has.milli_cores);
    ++resources;
  }
  if (has.memory > 0) {
    left += share_left(node.host.memory, has.memory);
    ++resources;
  }
  return static_cast<int>(10'000.0 * left / resources);
}

NodeOffer LeastLoaded::offer(const NodeQuestion& question) const {
  const int score = left_of(question.node);
  if (question.request.gang == 0) return {score, 0};
  if (question.request.share < kWholeGpu) {
    return {score, parts_ == Parts::tightest ? best_fitting(question) : of_emptiest(question)};
  }
  const GpuMask gpus = on_few_islands(question, shape_.island_size(question.node.node));
  return gpus == 0 ? NodeOffer{kNoOffer, 0} : NodeOffer{score, gpus};
}

}  // namespace mimus::scheduler
