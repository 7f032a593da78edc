// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/modelled_throughput.hpp"

#include <algorithm>
#include <map>
#include <optional>
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

/// The links of all groups of one kind. These groups exchange data at the same time, so groups that
/// leave the same node share its uplink.
class GroupLinks {
 public:
  GroupLinks(const ClusterConfig& cluster, std::span<const scheduler::Slot> slots)
      : cluster_(cluster), slots_(slots) {}

  /// Ignores a rank that is alone. Of all ranks of a group, the first one adds the group.
  void add(int stage, int rank, const std::vector<int>& group) {
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
    groups_[stage].push_back(std::move(members));
  }

  /// The narrowest of the groups that a stage has added.
  [[nodiscard]] kernels::GangLink narrowest_of(int stage) const {
    kernels::GangLink narrowest;
    const auto groups = groups_.find(stage);
    if (groups == groups_.end()) return narrowest;
    BytesPerSecond slowest_exchange;
    for (const auto& members : groups->second) {
      const kernels::GangLink link = gang_link(cluster_, members, most_leaving_);
      const bool first = narrowest.bandwidth.value <= 0.0;
      narrowest.bandwidth = first ? link.bandwidth : std::min(narrowest.bandwidth, link.bandwidth);
      narrowest.latency = std::max(narrowest.latency, link.latency);
      const BytesPerSecond exchange = link.bandwidth / link.exchange_load;
      if (first || exchange < slowest_exchange) slowest_exchange = exchange;
      narrowest.crosses_nodes = narrowest.crosses_nodes || link.crosses_nodes;
    }
    narrowest.exchange_load = narrowest.bandwidth.value / slowest_exchange.value;
    return narrowest;
  }

 private:
  const ClusterConfig& cluster_;
  std::span<const scheduler::Slot> slots_;
  std::map<int, std::vector<std::vector<scheduler::Slot>>> groups_;  ///< by stage
  std::map<NodeId, int> leaving_;  ///< number of groups that cross the node's uplink
  int most_leaving_ = 1;
};

using scheduler::Locality;

/// The most messages of an all-to-all that leave one node in a round of n−1 messages per member: g
/// of n members send to n−g others.
int leaving_messages(const scheduler::ClusterShape& shape, std::span<const scheduler::Slot> slots) {
  std::map<NodeId, int> members;
  for (const auto& slot : slots) ++members[shape.node_of(slot.gpu)];
  const auto all = static_cast<int>(slots.size());
  int most = 0;
  for (const auto& [node, here] : members) most = std::max(most, here * (all - here));
  return most;
}

/// The link of a gang over nodes. Rings pass an uplink once in each direction, all-to-alls with
/// every message that leaves the node.
kernels::GangLink crossing_link(const ClusterConfig& cluster,
                                std::span<const scheduler::Slot> slots, BytesPerSecond in_node,
                                BytesPerSecond uplink, Duration latency) {
  const double messages = static_cast<double>(slots.size()) - 1.0;
  const double share = messages / leaving_messages(cluster.shape, slots);
  const BytesPerSecond bandwidth = std::min(in_node, uplink);
  const BytesPerSecond exchange = std::min(in_node, share * uplink);
  return {bandwidth, latency, true, bandwidth.value / exchange.value};
}

kernels::GangLink link_between(const ClusterConfig& cluster, std::span<const scheduler::Slot> slots,
                               int sharing_uplink, int type) {
  constexpr Duration kLocalLatency = std::chrono::microseconds{5};
  const kernels::GpuSpec& gpu = cluster.gpu_of_type(type);
  const BytesPerSecond in_island = gpu.island_link.reached();
  const BytesPerSecond in_node = gpu.node_link.reached();
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
      return crossing_link(cluster, slots, in_node, reached(cluster.network_of_type(type)),
                           cluster.network_latency);
    case Locality::across_racks:
      return crossing_link(cluster, slots, in_node, reached(cluster.rack_network_of_type(type)),
                           2 * cluster.network_latency);
  }
  throw InternalError("unknown locality");
}

}  // namespace

scheduler::GpuTypes types_of(const scheduler::ClusterShape& shape,
                             std::span<const scheduler::Slot> slots) {
  scheduler::GpuTypes types = 0;
  for (const auto& slot : slots) types |= scheduler::only_type(shape.type_of(slot.gpu));
  return types;
}

kernels::GangLink gang_link(const ClusterConfig& cluster, std::span<const scheduler::Slot> slots,
                            int sharing_uplink) {
  if (cluster.machines.empty()) return link_between(cluster, slots, sharing_uplink, 0);
  const scheduler::GpuTypes types = types_of(cluster.shape, slots);
  std::optional<kernels::GangLink> narrowest;
  for (int type = 0; type < cluster.shape.types(); ++type) {
    if (!scheduler::has_type(types, type)) continue;
    const kernels::GangLink link = link_between(cluster, slots, sharing_uplink, type);
    if (!narrowest || link.bandwidth < narrowest->bandwidth) narrowest = link;
  }
  ensure(narrowest.has_value(), "a gang without GPUs has no link");
  return *narrowest;
}

GangStep slowest_step(const ClusterConfig& cluster, const workloads::Model& model,
                      const kernels::StepShape& shape, scheduler::GpuTypes types,
                      const kernels::GangLinks& links, int on_fullest_node) {
  std::optional<GangStep> slowest;
  for (int type = 0; type < cluster.shape.types(); ++type) {
    if (!scheduler::has_type(types, type)) continue;
    GangStep step{kernels::make_gang_plans(model, cluster.gpu_of_type(type), shape), {}};
    step.time = kernels::gang_step_time(step.plans, links, {.gpus = on_fullest_node});
    if (!slowest || slowest->time.total < step.time.total) slowest = std::move(step);
  }
  ensure(slowest.has_value(), "a gang without GPUs makes no step");
  return std::move(*slowest);
}

kernels::GangLinks gang_links(const ClusterConfig& cluster, std::span<const scheduler::Slot> slots,
                              const workloads::ModelSplit& split) {
  if (split.gpus() == 1) return {{.data = gang_link(cluster, slots), .tensor = {}, .pipeline = {}}};
  const auto ranks = static_cast<int>(slots.size());
  const kernels::ParallelShape shape{
      .tensor = split.tensor, .pipeline = split.pipeline, .data = ranks / split.gpus()};
  GroupLinks data(cluster, slots);
  GroupLinks tensor(cluster, slots);
  GroupLinks pipeline(cluster, slots);
  GroupLinks tied(cluster, slots);
  for (int rank = 0; rank < ranks; ++rank) {
    const kernels::RankGroups groups = kernels::groups_of(rank, shape);
    const int stage = kernels::place_of(rank, shape).stage;
    data.add(stage, rank, groups.data);
    tensor.add(stage, rank, groups.tensor);
    pipeline.add(stage, rank, groups.activations_out);
    tied.add(split.pipeline - 1, rank, groups.tied);
  }
  kernels::GangLinks links;
  for (int stage = 0; stage < split.pipeline; ++stage) {
    const GroupLinks& onwards = stage + 1 < split.pipeline ? pipeline : tied;
    links.push_back({.data = data.narrowest_of(stage),
                     .tensor = tensor.narrowest_of(stage),
                     .pipeline = onwards.narrowest_of(stage)});
  }
  return links;
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

namespace {

/// "" where there is one type. A gang over types is told apart by which, not by where they are.
std::string on_types(const ClusterConfig& cluster, std::span<const scheduler::Slot> slots) {
  return cluster.machines.empty() ? "" : "@" + cluster.shape.types_of(slots);
}

std::string links_of(const kernels::GpuSpec& gpu, const kernels::LinkRate& network,
                     const kernels::LinkRate& rack_network) {
  return fmt::format("island {}; node {}; network {}; between racks {}",
                     kernels::text_of(gpu.island_link), kernels::text_of(gpu.node_link),
                     kernels::text_of(network), kernels::text_of(rack_network));
}

}  // namespace

std::string arrangement_of(const ClusterConfig& cluster, std::span<const scheduler::Slot> slots,
                           const workloads::ModelSplit& split) {
  if (split.gpus() == 1) {
    const auto locality = static_cast<int>(cluster.shape.locality(slots));
    return fmt::format("{}/{}{}", cluster.shape.shape_of(slots), locality,
                       on_types(cluster, slots));
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
  return pattern + on_types(cluster, slots);
}

std::vector<std::optional<kernels::PowerDraw>> ClusterConfig::draws() const {
  std::vector<std::optional<kernels::PowerDraw>> of_types;
  for (int type = 0; type < shape.types(); ++type) of_types.push_back(gpu_of_type(type).power);
  return of_types;
}

std::vector<double> ClusterConfig::prices() const {
  std::vector<double> of_types;
  if (price_per_gpu_hour.empty()) return of_types;
  for (int type = 0; type < shape.types(); ++type) {
    of_types.push_back(price_per_gpu_hour.at(shape.type_name(type)));
  }
  return of_types;
}

std::string links_text(const ClusterConfig& cluster) {
  const std::string latency = fmt::format("; latency {:g} s", to_seconds(cluster.network_latency));
  if (cluster.machines.empty()) {
    return links_of(cluster.gpu, cluster.network, cluster.rack_network) + latency;
  }
  std::string text;
  for (const MachineConfig& machine : cluster.machines) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", machine.gpu.name,
                        links_of(machine.gpu, machine.network, machine.rack_network));
  }
  return text + latency;
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
  if (!found->runs_on(replicas)) return std::nullopt;
  const Key key{model, arrangement_of(cluster_, slots, found->split), batch.per_gpu,
                batch.accumulation};
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  const kernels::StepShape shape{
      .per_gpu_batch = batch.per_gpu, .accumulation = batch.accumulation, .replicas = replicas};
  const auto links = gang_links(cluster_, slots, found->split);
  const int own = most_on_a_node(cluster_.shape, slots);
  const auto types = types_of(cluster_.shape, slots);
  return known_[key] = slowest_step(cluster_, *found, shape, types, links, own).time.total;
}

}  // namespace mimus::emulator
