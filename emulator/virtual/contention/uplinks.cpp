// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/contention/uplinks.hpp"

#include <algorithm>
#include <set>

#include "emulator/modelled_throughput.hpp"
#include "kernels/footprint/gpu_spec.hpp"

namespace mimus::emulator {
namespace {

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// The ratio of granted to requested mean rate, as a share of the bandwidth while sending. A step
/// of length 1 sends for `load` of it. The step is to last `demand / rate`, so sending must take
/// load + demand/rate − 1, i.e. load / (…) of the bandwidth.
double bandwidth_share(double load, double demand, double rate) {
  if (rate >= demand) return 1.0;
  return load / (load + demand / rate - 1.0);
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

double Uplinks::capacity(std::size_t link) const {
  const auto nodes = static_cast<std::size_t>(cluster_.shape.nodes);
  if (link < nodes) return cluster_.network.reached().value;
  const int first = static_cast<int>(link - nodes) * cluster_.shape.nodes_per_rack;
  const int in_rack = std::min(cluster_.shape.nodes_per_rack, cluster_.shape.nodes - first);
  return cluster_.rack_network.reached().value * in_rack;
}

void Uplinks::enter(const Attempt& attempt, double load) {
  Gang gang{load, 0.0, crossed(attempt)};
  if (load <= 0.0 || gang.links.empty()) return;
  gang.demand = load * gang_link(cluster_, attempt.allocation.slots).bandwidth.value;
  for (const std::size_t link : gang.links) {
    auto& gangs = on_link_[link];
    gangs.insert(std::upper_bound(gangs.begin(), gangs.end(), attempt.id), attempt.id);
  }
  gangs_[attempt.id] = std::move(gang);
}

void Uplinks::leave(AttemptId attempt) {
  const auto found = gangs_.find(attempt);
  if (found == gangs_.end()) return;
  for (const std::size_t link : found->second.links) std::erase(on_link_[link], attempt);
  gangs_.erase(found);
}

std::vector<std::size_t> Uplinks::links_of(AttemptId attempt) const {
  const auto found = gangs_.find(attempt);
  return found == gangs_.end() ? std::vector<std::size_t>{} : found->second.links;
}

/// A link that can grant all requests limits no gang and connects none.
bool Uplinks::is_short(std::size_t link) const {
  double asked = 0.0;
  for (const AttemptId id : on_link_[link]) asked += gangs_.at(id).demand;
  return asked > capacity(link);
}

Uplinks::Component Uplinks::connected(const std::vector<std::size_t>& links) const {
  Component component;
  std::set<std::size_t> short_links;
  std::set<AttemptId> attempts;
  for (std::vector<std::size_t> open = links; !open.empty();) {
    const std::size_t link = open.back();
    open.pop_back();
    for (const AttemptId id : on_link_[link]) {
      if (!attempts.insert(id).second) continue;
      for (const std::size_t other : gangs_.at(id).links) {
        if (is_short(other) && short_links.insert(other).second) open.push_back(other);
      }
    }
  }
  component.attempts.assign(attempts.begin(), attempts.end());
  component.links.assign(short_links.begin(), short_links.end());
  return component;
}

std::vector<double> Uplinks::shares_of(const Component& component) const {
  std::vector<double> demands;
  for (const AttemptId id : component.attempts) demands.push_back(gangs_.at(id).demand);
  std::vector<SharedLink> links;
  for (const std::size_t link : component.links) {
    SharedLink shared{capacity(link), {}};
    for (const AttemptId id : on_link_[link]) {
      const auto at = std::lower_bound(component.attempts.begin(), component.attempts.end(), id);
      shared.flows.push_back(static_cast<std::size_t>(at - component.attempts.begin()));
    }
    links.push_back(std::move(shared));
  }
  auto shares = max_min_rates(demands, links);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] = bandwidth_share(gangs_.at(component.attempts[i]).load, demands[i], shares[i]);
  }
  return shares;
}

}  // namespace mimus::emulator
