// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/power/utility_band.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mimus::scheduler {
namespace {

int gpus_up(const Cluster& cluster, NodeId node) {
  const std::int64_t first = cluster.shape().first_gpu(node);
  int up = 0;
  for (int i = 0; i < cluster.shape().gpus_on(node); ++i) {
    if (cluster.gpu(GpuId{first + i}).up) ++up;
  }
  return up;
}

int gpus_up(const Cluster& cluster, const std::vector<NodeId>& nodes) {
  int up = 0;
  for (const NodeId node : nodes) up += gpus_up(cluster, node);
  return up;
}

}  // namespace

int nodes_nearest(double target, int least, int most, int first,
                  const std::function<double(int)>& utility) {
  std::map<int, double> known;
  const auto of = [&](int nodes) {
    const auto [found, is_new] = known.try_emplace(nodes);
    if (is_new) found->second = utility(nodes);
    return found->second;
  };
  for (int nodes = std::clamp(first, least, most); least + 1 < most; nodes = (least + most) / 2) {
    if (of(nodes) == target) return nodes;
    (of(nodes) < target ? most : least) = nodes;
  }
  if (least == most) return least;
  return std::abs(target - of(least)) < std::abs(target - of(most)) ? least : most;
}

void UtilityBand::weigh(const Cluster& cluster, NodeValue& value) {
  const Range range = allowed(cluster, value.least_gpus());
  if (nodes_ < range.least || nodes_ > range.most) utilities_.clear();
  nodes_ = std::clamp(nodes_, range.least, range.most);
  const std::vector<NodeId> present = chosen(nodes_, cluster);
  if (present.empty()) return;
  utilities_.push_back(value.now() / gpus_up(cluster, present));
  if (is_outside(range)) {
    utilities_.clear();
    const double middle = (settings_.low + settings_.high) / 2.0;
    nodes_ = nodes_nearest(middle, range.least, range.most, nodes_, [&](int nodes) {
      const std::vector<NodeId> these = chosen(nodes, cluster);
      return value.of(these) / gpus_up(cluster, these);
    });
  }
  const std::vector<NodeId> these = chosen(nodes_, cluster);
  in_use_ = {these.begin(), these.end()};
}

/// At least as many nodes as hold the gang, if there are.
UtilityBand::Range UtilityBand::allowed(const Cluster& cluster, int least_gpus) const {
  const int all = cluster.shape().nodes;
  int least = std::min(settings_.least_nodes, all);
  while (least < all && gpus_up(cluster, chosen(least, cluster)) < least_gpus) ++least;
  return {least, std::clamp(settings_.most_nodes.value_or(all), least, all)};
}

/// Whether the mean utility is, and the number of nodes can change.
bool UtilityBand::is_outside(Range range) {
  if (utilities_.size() <= static_cast<std::size_t>(settings_.window)) return false;
  utilities_.pop_front();
  const double sum = std::accumulate(utilities_.begin(), utilities_.end(), 0.0);
  const double mean = sum / settings_.window;
  return (nodes_ > range.least && mean < settings_.low) ||
         (nodes_ < range.most && mean > settings_.high);
}

/// So many nodes that are up: of those in use the first ones, then the first others.
std::vector<NodeId> UtilityBand::chosen(int nodes, const Cluster& cluster) const {
  std::vector<NodeId> all;
  for (const bool is_used : {true, false}) {
    for (int i = 0; i < cluster.shape().nodes; ++i) {
      const NodeId node{i};
      if (in_use_.contains(node) == is_used && gpus_up(cluster, node) > 0) all.push_back(node);
    }
  }
  all.resize(std::min(all.size(), static_cast<std::size_t>(nodes)));
  return all;
}

PowerDecision UtilityBand::decide(const PowerQuery& query) {
  const Cluster& cluster = query.cluster;
  if (nodes_ == 0) nodes_ = settings_.least_nodes;
  for (const NodeId node : chosen(nodes_, cluster)) in_use_.insert(node);
  std::erase_if(booting_, [&](const auto& node) { return node.second <= query.now; });
  PowerDecision decision;
  for (int i = 0; i < cluster.shape().nodes; ++i) {
    const NodeId node{i};
    if (in_use_.contains(node)) {
      wake(node, query.now);
    } else if (booting_.erase(node) > 0 || cluster.tenants_on(node) == 0) {
      asleep_.insert(node);
    } else {
      decision.leaving.push_back(node);
    }
  }
  decision.asleep.assign(asleep_.begin(), asleep_.end());
  for (const auto& [node, until] : booting_) decision.booting.push_back(node);
  return decision;
}

void UtilityBand::wake(NodeId node, Instant now) {
  if (asleep_.erase(node) == 0 || settings_.boot == Duration::zero()) return;
  booting_.emplace(node, now + settings_.boot);
}

Instant UtilityBand::observe(const PowerQuery&) {
  Instant next = kNever;
  for (const auto& [node, until] : booting_) next = std::min(next, until);
  return next;
}

}  // namespace mimus::scheduler
