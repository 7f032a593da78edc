// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/free_gpus.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "base/error.hpp"

namespace mimus::scheduler {

std::vector<const GpuState*> FreeGpus::usable_on(NodeId node) const {
  std::vector<const GpuState*> out;
  const auto size = static_cast<std::size_t>(shape().gpus_on(node));
  out.reserve(size);
  const auto first = static_cast<std::size_t>(shape().first_gpu(node));
  for (std::size_t i = first; i < first + size; ++i) {
    const GpuState& gpu = cluster_.gpus()[i];
    if (filter_.passes(cluster_, sharing_, gpu)) out.push_back(&gpu);
  }
  return out;
}

std::vector<const Tenant*> FreeGpus::tenants_on(NodeId node) const {
  std::vector<const Tenant*> out;
  const auto first = static_cast<std::size_t>(shape().first_gpu(node));
  const auto size = static_cast<std::size_t>(shape().gpus_on(node));
  for (std::size_t i = first; i < first + size; ++i) {
    for (const Tenant& tenant : cluster_.gpus()[i].tenants) out.push_back(&tenant);
  }
  return out;
}

std::int64_t FreeGpus::reluctance(NodeId node, int count) const {
  std::vector<std::int64_t> of_gpus;
  for (const GpuState* gpu : usable_on(node)) {
    of_gpus.push_back(sharing_.reluctance(*gpu, filter_.need, shape().memory_of(gpu->id)));
  }
  ensure(static_cast<int>(of_gpus.size()) >= count, "a node has fewer usable GPUs than are asked");
  std::sort(of_gpus.begin(), of_gpus.end());
  return std::accumulate(of_gpus.begin(), of_gpus.begin() + count, std::int64_t{0});
}

void FreeGpus::take(NodeId node, int count, Allocation& out) const {
  ensure(by_node().count(node) >= count, "more GPUs of a node are taken than are usable");
  out.slots.reserve(out.slots.size() + static_cast<std::size_t>(count));
  if (filter_.tier == Tier::idle) {
    take_idle(node, count, out);
  } else {
    take_preferred(node, count, out);
  }
}

void FreeGpus::take_these(NodeId node, std::span<const int> numbers, Allocation& out) const {
  const auto gpus = usable_on(node);
  for (const int number : numbers) {
    const GpuId gpu = gpus.at(static_cast<std::size_t>(number))->id;
    out.slots.push_back({gpu, cluster_.free_lane(gpu)});
  }
}

/// The smallest island that takes all comes first, then larger ones, then the rest by size.
void FreeGpus::take_idle(NodeId node, int count, Allocation& out) const {
  const std::int64_t begin = shape().first_gpu(node);
  const int of_node = shape().gpus_on(node);
  const std::int64_t end = begin + of_node;
  const int size = shape().island_size(node);
  if (size == of_node) return take_first(begin, end, count, out);
  struct Island {
    int misfit;
    std::int64_t begin;
    int free;
    auto operator<=>(const Island&) const = default;
  };
  std::vector<Island> islands;
  for (std::int64_t island = begin; island < end; island += size) {
    const int free = cluster_.free_set().count(island, island + size);
    islands.push_back({misfit(free, count, of_node), island, free});
  }
  std::sort(islands.begin(), islands.end());
  for (const Island& island : islands) {
    const int here = std::min(count, island.free);
    take_first(island.begin, island.begin + size, here, out);
    count -= here;
    if (count == 0) return;
  }
}

void FreeGpus::take_first(std::int64_t begin, std::int64_t end, int count, Allocation& out) const {
  for (; count > 0; --count) {
    const GpuId gpu = cluster_.free_set().first(begin, end);
    out.slots.push_back({gpu, shape().lane_of(gpu, 0)});
    begin = gpu.value() + 1;
  }
}

void FreeGpus::take_preferred(NodeId node, int count, Allocation& out) const {
  auto gpus = usable_on(node);
  const int of_node = shape().gpus_on(node);
  std::map<int, int> on_island;
  for (const GpuState* gpu : gpus) ++on_island[shape().island_of(gpu->id)];
  const auto preference = [&](const GpuState* gpu) {
    const int free = on_island[shape().island_of(gpu->id)];
    return std::tuple(sharing_.reluctance(*gpu, filter_.need, shape().memory_of(gpu->id)),
                      misfit(free, count, of_node), gpu->id);
  };
  std::sort(gpus.begin(), gpus.end(),
            [&](const GpuState* a, const GpuState* b) { return preference(a) < preference(b); });
  for (int i = 0; i < count; ++i) {
    const GpuId gpu = gpus[static_cast<std::size_t>(i)]->id;
    out.slots.push_back({gpu, cluster_.free_lane(gpu)});
  }
}

/// How badly an island with `free` usable GPUs suits a need of `count`. Smaller is better.
int FreeGpus::misfit(int free, int count, int of_node) {
  return free >= count ? free : 2 * of_node - free;
}

}  // namespace mimus::scheduler
