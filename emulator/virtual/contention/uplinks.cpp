// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/contention/uplinks.hpp"

#include <algorithm>

#include "emulator/modelled_throughput.hpp"
#include "kernels/footprint/gpu_spec.hpp"

namespace mimus::emulator {
namespace {

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

Uplinks::Uplinks(const ClusterConfig& cluster)
    : cluster_(cluster),
      on_link_(static_cast<std::size_t>(cluster.shape.nodes + cluster.shape.racks())) {}

bool Uplinks::crossed_by(const Attempt& attempt) const {
  const auto& slots = attempt.allocation.slots;
  return std::any_of(slots.begin(), slots.end(), [&](const scheduler::Slot& slot) {
    return cluster_.shape.node_of(slot.gpu) != cluster_.shape.node_of(slots.front().gpu);
  });
}

std::vector<std::size_t> Uplinks::crossed(const Attempt& attempt) const {
  const auto& shape = cluster_.shape;
  std::vector<std::size_t> nodes;
  std::vector<std::size_t> racks;
  for (const auto& slot : attempt.allocation.slots) {
    const NodeId node = shape.node_of(slot.gpu);
    nodes.push_back(node.index());
    racks.push_back(static_cast<std::size_t>(shape.nodes) + shape.rack_of(node).index());
  }
  sort_unique(nodes);
  sort_unique(racks);
  if (nodes.size() < 2) return {};
  if (racks.size() > 1) nodes.insert(nodes.end(), racks.begin(), racks.end());
  return nodes;
}

/// The rate at which gangs on so many nodes send through it.
double Uplinks::capacity(std::size_t link, int nodes) const {
  const auto node_links = static_cast<std::size_t>(cluster_.shape.nodes);
  if (link < node_links) {
    const int type = cluster_.shape.type_of(NodeId{static_cast<std::int64_t>(link)});
    return cluster_.network_of_type(type).reached_on(nodes).value;
  }
  const int first = static_cast<int>(link - node_links) * cluster_.shape.nodes_per_rack;
  const int in_rack = std::min(cluster_.shape.nodes_per_rack, cluster_.shape.nodes - first);
  if (cluster_.machines.empty()) return cluster_.rack_network.reached_on(nodes).value * in_rack;
  double sum = 0.0;
  for (int node = first; node < first + in_rack; ++node) {
    const int type = cluster_.shape.type_of(NodeId{node});
    sum += cluster_.rack_network_of_type(type).reached_on(nodes).value;
  }
  return sum;
}

void Uplinks::enter(const Attempt& attempt, double load) {
  const auto links = crossed(attempt);
  if (load <= 0.0 || links.empty()) return;
  const int nodes = static_cast<int>(std::count_if(links.begin(), links.end(), [&](auto link) {
    return link < static_cast<std::size_t>(cluster_.shape.nodes);
  }));
  const double rate = gang_link(cluster_, attempt.allocation.slots).bandwidth.value;
  Gang gang{load, {}};
  for (const std::size_t link : links) {
    gang.crossings.push_back({link, std::max(1.0, capacity(link, nodes) / rate)});
    auto& gangs = on_link_[link];
    gangs.insert(std::upper_bound(gangs.begin(), gangs.end(), attempt.id), attempt.id);
  }
  gangs_[attempt.id] = std::move(gang);
}

void Uplinks::leave(AttemptId attempt) {
  for (const std::size_t link : links_of(attempt)) std::erase(on_link_[link], attempt);
  gangs_.erase(attempt);
}

std::vector<std::size_t> Uplinks::links_of(AttemptId attempt) const {
  std::vector<std::size_t> links;
  const auto found = gangs_.find(attempt);
  if (found == gangs_.end()) return links;
  for (const Crossing& crossing : found->second.crossings) links.push_back(crossing.link);
  return links;
}

std::set<AttemptId> Uplinks::on(const std::vector<std::size_t>& links) const {
  std::set<AttemptId> ids;
  for (const std::size_t link : links) ids.insert(on_link_[link].begin(), on_link_[link].end());
  return ids;
}

/// The gangs on `links` and their neighbours.
std::set<AttemptId> Uplinks::dependent_on(const std::vector<std::size_t>& links) const {
  std::set<AttemptId> ids = on(links);
  for (const AttemptId id : std::vector(ids.begin(), ids.end())) ids.merge(on(links_of(id)));
  return ids;
}

/// How often its transfers share their link, by what the others do.
template <class Activity>
double Uplinks::crowd(AttemptId id, Activity&& activity) const {
  double most = 1.0;
  for (const Crossing& crossing : gangs_.at(id).crossings) {
    double transfers = 1.0;
    for (const AttemptId other : on_link_[crossing.link]) {
      if (other != id) transfers += activity(other);
    }
    most = std::max(most, transfers / crossing.lanes);
  }
  return most;
}

double Uplinks::activity(AttemptId id, Activities& known) const {
  const auto [entry, is_new] = known.try_emplace(id);
  if (is_new) {
    const double load = gangs_.at(id).load;
    const double longer = crowd(id, [&](AttemptId other) { return gangs_.at(other).load; });
    entry->second = load * longer / (1.0 + load * (longer - 1.0));
  }
  return entry->second;
}

double Uplinks::stretch(AttemptId id, Activities& known) const {
  return crowd(id, [&](AttemptId other) { return activity(other, known); });
}

}  // namespace mimus::emulator
