// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/node_room.hpp"

#include <algorithm>

namespace mimus::scheduler {

NodeRoom::NodeRoom(const ClusterShape& shape, const Placer& placer)
    : gpus_per_node_(shape.gpus_per_node),
      free_(static_cast<std::size_t>(shape.gpus()), false),
      on_node_(static_cast<std::size_t>(shape.nodes), 0) {
  for (int gpu = 0; gpu < shape.gpus(); ++gpu) {
    if (!placer.usable(GpuId{gpu})) continue;
    free_[static_cast<std::size_t>(gpu)] = true;
    ++on_node_[static_cast<std::size_t>(gpu / gpus_per_node_)];
    ++left_;
  }
  largest_node_ = std::ranges::max(on_node_);
}

std::optional<std::vector<std::size_t>> NodeRoom::nodes_for(int gang) const {
  if (largest_node_ == 0) return std::nullopt;
  std::vector<std::size_t> nodes;
  int missing = gang;
  for (std::size_t node = 0; node < on_node_.size() && missing > largest_node_; ++node) {
    if (on_node_[node] < largest_node_) continue;
    nodes.push_back(node);
    missing -= largest_node_;
  }
  if (missing > largest_node_) return std::nullopt;
  for (std::size_t node = 0; node < on_node_.size(); ++node) {
    if (on_node_[node] < missing || std::ranges::find(nodes, node) != nodes.end()) continue;
    nodes.push_back(node);
    return nodes;
  }
  return std::nullopt;
}

std::optional<std::vector<GpuId>> NodeRoom::take(int gang) {
  const auto nodes = nodes_for(gang);
  if (!nodes) return std::nullopt;
  std::vector<GpuId> gpus;
  for (const std::size_t node : *nodes) {
    const std::size_t first = node * static_cast<std::size_t>(gpus_per_node_);
    for (std::size_t gpu = first; gpu < first + static_cast<std::size_t>(gpus_per_node_); ++gpu) {
      if (!free_[gpu] || static_cast<int>(gpus.size()) == gang) continue;
      gpus.emplace_back(static_cast<GpuId::value_type>(gpu));
    }
  }
  for (const GpuId gpu : gpus) remove(gpu);
  return gpus;
}

bool NodeRoom::take(std::span<const GpuId> gpus) {
  if (!std::ranges::all_of(gpus, [&](GpuId gpu) { return free_[gpu.index()]; })) return false;
  for (const GpuId gpu : gpus) remove(gpu);
  return true;
}

void NodeRoom::remove(GpuId gpu) {
  free_[gpu.index()] = false;
  --on_node_[static_cast<std::size_t>(gpu.value() / gpus_per_node_)];
  --left_;
}

}  // namespace mimus::scheduler
