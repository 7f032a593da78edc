// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cluster/node_groups.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace mimus::scheduler {

NodeGroups::NodeGroups(std::vector<NodeGroup> groups, int nodes_per_rack)
    : groups_(std::move(groups)) {
  ensure(!groups_.empty(), "a cluster by groups needs at least one group");
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const NodeGroup& group = groups_[g];
    ensure(group.nodes >= 1 && group.gpus_per_node >= 1 && group.gpus_per_island >= 1,
           "a group needs at least one node, GPU and island");
    ensure(group.gpus_per_node % group.gpus_per_island == 0,
           "gpus_per_island must divide gpus_per_node");
    const int type = number_of(group);
    for (int n = 0; n < group.nodes; ++n) add(static_cast<int>(g), type);
  }
  count_racks(nodes_per_rack);
}

int NodeGroups::number_of(const NodeGroup& group) {
  const auto found = std::find_if(types_.begin(), types_.end(),
                                  [&](const Type& type) { return type.name == group.gpu_type; });
  if (found != types_.end()) {
    ensure(found->gpu_memory == group.gpu_memory, "GPUs of one type have different memories");
    return static_cast<int>(found - types_.begin());
  }
  ensure(static_cast<int>(types_.size()) < kMostTypes, "a cluster has at most 64 GPU types");
  types_.push_back({.name = group.gpu_type, .gpu_memory = group.gpu_memory, .first_gpu = gpus()});
  return static_cast<int>(types_.size()) - 1;
}

void NodeGroups::add(int group, int type) {
  const NodeGroup& of = groups_[static_cast<std::size_t>(group)];
  const auto node = static_cast<std::int32_t>(nodes_.size());
  nodes_.push_back({gpus(), group, type, islands_});
  node_of_gpu_.insert(node_of_gpu_.end(), static_cast<std::size_t>(of.gpus_per_node), node);
  islands_ += of.gpus_per_node / of.gpus_per_island;
  most_per_node_ = std::max(most_per_node_, of.gpus_per_node);
  Type& counted = types_[static_cast<std::size_t>(type)];
  counted.even = counted.even && (counted.nodes == 0 || counted.most_per_node == of.gpus_per_node);
  counted.gpus += of.gpus_per_node;
  ++counted.nodes;
  counted.most_per_node = std::max(counted.most_per_node, of.gpus_per_node);
}

void NodeGroups::count_racks(int nodes_per_rack) {
  std::vector<int> in_rack(types_.size(), 0);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (n % static_cast<std::size_t>(nodes_per_rack) == 0) in_rack.assign(types_.size(), 0);
    const auto type = static_cast<std::size_t>(nodes_[n].type);
    in_rack[type] += groups_[static_cast<std::size_t>(nodes_[n].group)].gpus_per_node;
    types_[type].most_in_rack = std::max(types_[type].most_in_rack, in_rack[type]);
  }
}

Bytes NodeGroups::least_memory() const {
  Bytes least = types_.front().gpu_memory;
  for (const Type& type : types_) least = std::min(least, type.gpu_memory);
  return least;
}

int NodeGroups::island_of(GpuId gpu) const {
  const NodeId node{node_of(gpu)};
  const std::int64_t within = gpu.value() - first_gpu(node);
  return nodes_[node.index()].first_island +
         static_cast<int>(within) / group_of(node).gpus_per_island;
}

}  // namespace mimus::scheduler
