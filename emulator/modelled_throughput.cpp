// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/modelled_throughput.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "kernels/parallel/rank_groups.hpp"
#include "kernels/parallel/split_plan.hpp"

namespace mimus::emulator {
namespace {

/// Numbers things in order of appearance, from 0 on.
class Numbering {
 public:
  [[nodiscard]] std::size_t of(std::int64_t thing) {
    return numbers_.try_emplace(thing, numbers_.size()).first->second;
  }

 private:
  std::map<std::int64_t, std::size_t> numbers_;
};

/// The narrowest link of all groups of one kind. These groups exchange data at the same time, so
/// groups that leave the same node share its uplink.
class NarrowestLink {
 public:
  NarrowestLink(const ClusterConfig& cluster, std::span<const scheduler::Slot> slots)
      : cluster_(cluster), slots_(slots) {}

  /// Ignores a rank that is alone. Of all ranks of a group, the first one adds the group.
  void add(int rank, const std::vector<int>& group) {
    if (group.size() < 2 || group.front() != rank) return;
    std::vector<scheduler::Slot> members;
    std::set<NodeId> nodes;
    for (const int member : group) {
      members.push_back(slots_[static_cast<std::size_t>(member)]);
      nodes.insert(cluster_.shape.node_of(members.back().gpu));
    }
    if (nodes.size() > 1) {
      for (const NodeId node : nodes) most_leaving_ = std::max(most_leaving_, ++leaving_[node]);
    }
    groups_.push_back(std::move(members));
  }

  [[nodiscard]] kernels::GangLink get() const {
    kernels::GangLink narrowest;
    for (const auto& members : groups_) {
      const kernels::GangLink link = gang_link(cluster_, members, most_leaving_);
      const bool first = narrowest.bandwidth.value <= 0.0;
      narrowest.bandwidth = first ? link.bandwidth : std::min(narrowest.bandwidth, link.bandwidth);
      narrowest.latency = std::max(narrowest.latency, link.latency);
      narrowest.crosses_nodes = narrowest.crosses_nodes || link.crosses_nodes;
    }
    return narrowest;
  }

 private:
  const ClusterConfig& cluster_;
  std::span<const scheduler::Slot> slots_;
  std::vector<std::vector<scheduler::Slot>> groups_;
  std::map<NodeId, int> leaving_;  ///< number of groups that cross the node's uplink
  int most_leaving_ = 1;
};

}  // namespace

using scheduler::Locality;

kernels::GangLink gang_link(const ClusterConfig& cluster, std::span<const scheduler::Slot> slots,
                            int sharing_uplink) {
  constexpr Duration kLocalLatency = std::chrono::microseconds{5};
  const BytesPerSecond in_island = cluster.gpu.island_link.reached();
  const BytesPerSecond in_node = cluster.gpu.node_link.reached();
  const auto reached = [&](const kernels::LinkRate& network) {
    return network.reached_on(nodes_of(cluster.shape, slots)) / sharing_uplink;
  };
  switch (cluster.shape.locality(slots)) {
    case Locality::same_gpu:
    case Locality::same_island:
      return {in_island, kLocalLatency};
    case Locality::same_node:
      return {std::min(in_island, in_node), kLocalLatency};
    case Locality::same_rack:
      return {std::min(in_node, reached(cluster.network)), cluster.network_latency, true};
    case Locality::across_racks:
      return {std::min(in_node, reached(cluster.rack_network)), 2 * cluster.network_latency, true};
  }
  throw InternalError("unknown locality");
}

kernels::GangLinks gang_links(const ClusterConfig& cluster, std::span<const scheduler::Slot> slots,
                              const workloads::ModelSplit& split) {
  if (split.gpus() == 1) return {.data = gang_link(cluster, slots), .tensor = {}, .pipeline = {}};
  const auto ranks = static_cast<int>(slots.size());
  const kernels::ParallelShape shape{
      .tensor = split.tensor, .pipeline = split.pipeline, .data = ranks / split.gpus()};
  NarrowestLink data(cluster, slots);
  NarrowestLink tensor(cluster, slots);
  NarrowestLink pipeline(cluster, slots);
  for (int rank = 0; rank < ranks; ++rank) {
    const kernels::RankGroups groups = kernels::groups_of(rank, shape);
    data.add(rank, groups.data);
    tensor.add(rank, groups.tensor);
    pipeline.add(rank, groups.activations_out);
  }
  return {.data = data.get(), .tensor = tensor.get(), .pipeline = pipeline.get()};
}

int nodes_of(const scheduler::ClusterShape& shape, std::span<const scheduler::Slot> slots) {
  std::set<NodeId> nodes;
  for (const auto& slot : slots) nodes.insert(shape.node_of(slot.gpu));
  return static_cast<int>(nodes.size());
}

int most_on_a_node(const scheduler::ClusterShape& shape, std::span<const scheduler::Slot> slots) {
  std::map<NodeId, int> gpus;
  int most = 0;
  for (const auto& slot : slots) most = std::max(most, ++gpus[shape.node_of(slot.gpu)]);
  return most;
}

std::string arrangement_of(const ClusterConfig& cluster, std::span<const scheduler::Slot> slots,
                           const workloads::ModelSplit& split) {
  if (split.gpus() == 1) {
    const auto locality = static_cast<int>(cluster.shape.locality(slots));
    return fmt::format("{}/{}", cluster.shape.shape_of(slots), locality);
  }
  // The result depends on which ranks share an island, a node or a rack, but not on which island.
  Numbering islands;
  Numbering nodes;
  Numbering racks;
  std::string pattern;
  for (const auto& slot : slots) {
    const NodeId node = cluster.shape.node_of(slot.gpu);
    pattern += fmt::format("{}.{}.{},", racks.of(cluster.shape.rack_of(node).value()),
                           nodes.of(node.value()), islands.of(cluster.shape.island_of(slot.gpu)));
  }
  return pattern;
}

std::string links_text(const ClusterConfig& cluster) {
  return fmt::format("island {}; node {}; network {}; between racks {}; latency {:g} s",
                     kernels::text_of(cluster.gpu.island_link),
                     kernels::text_of(cluster.gpu.node_link), kernels::text_of(cluster.network),
                     kernels::text_of(cluster.rack_network), to_seconds(cluster.network_latency));
}

ModelledThroughput::ModelledThroughput(ClusterConfig cluster,
                                       const workloads::ModelCatalogue& models)
    : cluster_(std::move(cluster)), models_(models) {}

std::optional<Duration> ModelledThroughput::step_time(const std::string& model,
                                                      const scheduler::Allocation& allocation,
                                                      const scheduler::BatchPlan& batch) const {
  const workloads::Model* found = models_.find(model);
  if (found == nullptr || allocation.slots.empty()) return std::nullopt;
  const auto& slots = allocation.slots;
  const auto replicas = static_cast<int>(slots.size());
  if (replicas % found->split.gpus() != 0) return std::nullopt;
  const Key key{model, arrangement_of(cluster_, slots, found->split), batch.per_gpu,
                batch.accumulation};
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  const auto plans = kernels::make_gang_plans(
      *found, cluster_.gpu,
      {.per_gpu_batch = batch.per_gpu, .accumulation = batch.accumulation, .replicas = replicas});
  const auto links = gang_links(cluster_, slots, found->split);
  const int own = most_on_a_node(cluster_.shape, slots);
  return known_[key] = kernels::gang_step_time(plans, links, own).total;
}

}  // namespace mimus::emulator
