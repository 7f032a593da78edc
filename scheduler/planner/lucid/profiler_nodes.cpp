// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/lucid/profiler_nodes.hpp"

#include <algorithm>

namespace mimus::scheduler {

ProfilerNodes::ProfilerNodes(int nodes, const PlanQuery& query)
    : per_node_(static_cast<std::size_t>(query.cluster.shape().gpus_per_node)) {
  const int most = std::min(nodes, query.cluster.shape().nodes - 1);
  for (std::size_t gpu = 0; gpu < static_cast<std::size_t>(most) * per_node_; ++gpu) {
    free_.push_back(query.placer.usable(GpuId{static_cast<GpuId::value_type>(gpu)}));
  }
}

int ProfilerNodes::free() const {
  return static_cast<int>(std::count(free_.begin(), free_.end(), true));
}

Allocation ProfilerNodes::free_from(std::size_t first, std::size_t count) const {
  Allocation found;
  for (std::size_t gpu = first; gpu < first + count; ++gpu) {
    if (free_[gpu]) found.slots.push_back({GpuId{static_cast<GpuId::value_type>(gpu)}, {}});
  }
  return found;
}

std::optional<Allocation> ProfilerNodes::place(int gang) const {
  const auto wanted = static_cast<std::size_t>(gang);
  const std::size_t stride = wanted > per_node_ ? free_.size() : per_node_;
  std::optional<Allocation> best;
  for (std::size_t first = 0; first < free_.size(); first += stride) {
    Allocation found = free_from(first, stride);
    const bool is_better = !best || found.slots.size() < best->slots.size();
    if (found.slots.size() >= wanted && is_better) best = std::move(found);
  }
  if (best) best->slots.resize(wanted);
  return best;
}

void ProfilerNodes::take(const Allocation& place) {
  for (const Slot& slot : place.slots) {
    if (has(slot.gpu)) free_[slot.gpu.index()] = false;
  }
}

Allocation ProfilerNodes::rest() const {
  return free_from(0, free_.size());
}

}  // namespace mimus::scheduler
