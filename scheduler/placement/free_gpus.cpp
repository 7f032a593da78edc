// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/free_gpus.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/error.hpp"

namespace mimus::scheduler {

FreeGpus::FreeGpus(const Cluster& cluster, const Sharing& sharing, Tier tier, Bytes memory)
    : cluster_(cluster), sharing_(sharing), tier_(tier), memory_(memory) {
  if (tier == Tier::idle) return;
  std::vector<int> counts(static_cast<std::size_t>(shape().nodes), 0);
  for (const GpuState& gpu : cluster.gpus()) {
    if (usable(gpu)) ++counts[gpu.node.index()];
  }
  counted_.emplace(shape());
  for (int node = 0; node < shape().nodes; ++node) {
    counted_->set(NodeId{node}, counts[static_cast<std::size_t>(node)]);
  }
}

bool FreeGpus::usable(const GpuState& gpu) const {
  if (!cluster_.usable(gpu.id)) return false;
  if (gpu.idle()) return tier_ != Tier::shared;
  if (tier_ == Tier::idle) return false;
  const bool lane_free = static_cast<int>(gpu.tenants.size()) < shape().lanes_per_gpu;
  return lane_free && sharing_.admits(gpu, memory_, shape().gpu_memory);
}

std::vector<const GpuState*> FreeGpus::usable_on(NodeId node) const {
  std::vector<const GpuState*> out;
  out.reserve(static_cast<std::size_t>(shape().gpus_per_node));
  const auto first = node.value() * shape().gpus_per_node;
  for (int i = 0; i < shape().gpus_per_node; ++i) {
    const GpuState& gpu = cluster_.gpus()[static_cast<std::size_t>(first + i)];
    if (usable(gpu)) out.push_back(&gpu);
  }
  return out;
}

void FreeGpus::take(NodeId node, int count, Allocation& out) const {
  auto gpus = usable_on(node);
  ensure(static_cast<int>(gpus.size()) >= count, "more GPUs of a node are taken than are usable");
  std::map<int, int> on_island;
  for (const GpuState* gpu : gpus) ++on_island[shape().island_of(gpu->id)];
  const bool fill_shared = sharing_.tiers().front() == Tier::shared;
  const auto preference = [&](const GpuState* gpu) {
    const int tenants = static_cast<int>(gpu->tenants.size());
    const int free = on_island[shape().island_of(gpu->id)];
    // The smallest island that takes all comes first, then the larger ones, then the rest by size.
    const int misfit = free >= count ? free : 2 * shape().gpus_per_node - free;
    return std::tuple(fill_shared ? -tenants : tenants, misfit, gpu->id);
  };
  std::sort(gpus.begin(), gpus.end(),
            [&](const GpuState* a, const GpuState* b) { return preference(a) < preference(b); });
  for (int i = 0; i < count; ++i) {
    const GpuId gpu = gpus[static_cast<std::size_t>(i)]->id;
    out.slots.push_back({gpu, cluster_.free_lane(gpu)});
  }
}

}  // namespace mimus::scheduler
