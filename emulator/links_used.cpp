// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/links_used.hpp"

#include <algorithm>
#include <set>

#include "emulator/modelled_throughput.hpp"
#include "kernels/footprint/gpu_spec.hpp"

namespace mimus::emulator {
namespace {

/// A gang within a node takes all of the links of its GPUs.
double load_of_gpu(const ClusterConfig& cluster, GpuId gpu, const kernels::GangLink& gang) {
  if (!gang.crosses_nodes) return 1.0;
  return gang.bandwidth.value / cluster.gpu_of(gpu).node_link.reached().value;
}

double rate_of_node(const ClusterConfig& cluster, NodeId node, int nodes) {
  return cluster.network_of_type(cluster.shape.type_of(node)).reached_on(nodes).value;
}

double rate_of_rack(const ClusterConfig& cluster, RackId rack, int nodes) {
  const auto& shape = cluster.shape;
  const int first = static_cast<int>(rack.index()) * shape.nodes_per_rack;
  const int in_rack = std::min(shape.nodes_per_rack, shape.nodes - first);
  if (cluster.machines.empty()) return cluster.rack_network.reached_on(nodes).value * in_rack;
  double sum = 0.0;
  for (int node = first; node < first + in_rack; ++node) {
    sum += cluster.rack_network_of_type(shape.type_of(NodeId{node})).reached_on(nodes).value;
  }
  return sum;
}

}  // namespace

std::size_t link_count(const scheduler::ClusterShape& shape) {
  return static_cast<std::size_t>(shape.gpus() + shape.nodes + shape.racks());
}

std::vector<kernels::LinkUse> links_used(const ClusterConfig& cluster,
                                         std::span<const scheduler::Slot> slots) {
  const auto& shape = cluster.shape;
  const kernels::GangLink gang = gang_link(cluster, slots);
  std::vector<kernels::LinkUse> used;
  std::set<NodeId> nodes;
  std::set<RackId> racks;
  for (const auto& slot : slots) {
    used.push_back({static_cast<int>(slot.gpu.index()), load_of_gpu(cluster, slot.gpu, gang)});
    nodes.insert(shape.node_of(slot.gpu));
    racks.insert(shape.rack_of(shape.node_of(slot.gpu)));
  }
  if (nodes.size() < 2) return used;
  const auto count = static_cast<int>(nodes.size());
  const auto use = [&](std::size_t link, double rate) {
    used.push_back({static_cast<int>(link), std::min(1.0, gang.bandwidth.value / rate)});
  };
  const auto gpus = static_cast<std::size_t>(shape.gpus());
  for (const NodeId node : nodes) use(gpus + node.index(), rate_of_node(cluster, node, count));
  if (racks.size() < 2) return used;
  const std::size_t first = gpus + static_cast<std::size_t>(shape.nodes);
  for (const RackId rack : racks) use(first + rack.index(), rate_of_rack(cluster, rack, count));
  return used;
}

}  // namespace mimus::emulator
