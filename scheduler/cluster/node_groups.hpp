// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/units.hpp"
#include "scheduler/jobs/gpu_types.hpp"
#include "scheduler/jobs/host_need.hpp"

namespace mimus::scheduler {

/// Identical nodes with consecutive numbers.
struct NodeGroup {
  int nodes = 1;
  int gpus_per_node = 1;
  int gpus_per_island = 1;  ///< divides gpus_per_node
  std::string gpu_type;
  Bytes gpu_memory{};  ///< of one GPU; zero: not stated. Groups of one type agree in it
  HostNeed host{};     ///< cores and memory of a node, see ClusterShape::host
  bool operator==(const NodeGroup&) const = default;
};

/// The nodes of a cluster with several kinds of nodes: tables by GPU and node. Types are numbered
/// in the order of their first group.
class NodeGroups {
 public:
  NodeGroups(std::vector<NodeGroup> groups, int nodes_per_rack);

  struct Type {
    std::string name;
    Bytes gpu_memory{};
    std::int64_t first_gpu = 0;
    int gpus = 0;
    int nodes = 0;
    int most_per_node = 0;  ///< GPUs of its largest node
    int most_in_rack = 0;   ///< largest number of GPUs of this type in a rack
    bool even = true;       ///< all its nodes have the same number of GPUs
  };

  [[nodiscard]] const std::vector<NodeGroup>& groups() const { return groups_; }
  [[nodiscard]] const std::vector<Type>& types() const { return types_; }
  [[nodiscard]] int gpus() const { return static_cast<int>(node_of_gpu_.size()); }
  [[nodiscard]] int nodes() const { return static_cast<int>(nodes_.size()); }
  [[nodiscard]] int most_per_node() const { return most_per_node_; }
  [[nodiscard]] Bytes least_memory() const;
  [[nodiscard]] std::int64_t node_of(GpuId gpu) const { return node_of_gpu_[gpu.index()]; }
  [[nodiscard]] std::int64_t first_gpu(NodeId node) const { return nodes_[node.index()].first_gpu; }
  [[nodiscard]] const NodeGroup& group_of(NodeId node) const {
    return groups_[static_cast<std::size_t>(nodes_[node.index()].group)];
  }
  [[nodiscard]] int type_of(NodeId node) const { return nodes_[node.index()].type; }
  /// Islands are numbered over the cluster.
  [[nodiscard]] int island_of(GpuId gpu) const;

 private:
  struct Node {
    std::int64_t first_gpu = 0;
    int group = 0;
    int type = 0;
    int first_island = 0;
  };
  [[nodiscard]] int number_of(const NodeGroup& group);
  void add(int group, int type);
  void count_racks(int nodes_per_rack);

  std::vector<NodeGroup> groups_;
  std::vector<Type> types_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> node_of_gpu_;
  int islands_ = 0;
  int most_per_node_ = 0;
};

}  // namespace mimus::scheduler
