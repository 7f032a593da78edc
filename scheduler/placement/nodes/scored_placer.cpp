// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/nodes/scored_placer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random.hpp"

namespace mimus::scheduler {
namespace {

std::vector<NodeId> order_of_ties(int nodes, const NodeScore& score, std::uint64_t seed) {
  std::vector<NodeId> order;
  for (int n = 0; n < nodes; ++n) order.emplace_back(n);
  if (score.ties_by_number()) return order;
  RandomStream random(seed, "ties of nodes");
  for (auto left = static_cast<std::int64_t>(order.size()); left > 1; --left) {
    std::swap(order[static_cast<std::size_t>(left - 1)],
              order[static_cast<std::size_t>(random.below(left))]);
  }
  return order;
}

/// Different for every start.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t draw) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  const std::uint64_t mixed = (seed ^ draw) * kGolden;
  return mixed ^ (mixed >> 32U);
}

/// GPUs of a node that a mask has bits for.
constexpr int kMostOnNode = 64;

/// Replicas of the gang for which a node has cores and memory.
int replicas_within(const HostNeed& free, const PlacementRequest& request) {
  const HostNeed one = request.host.largest_part(request.gang);
  std::int64_t most = request.gang;
  if (one.milli_cores > 0) most = std::min(most, free.milli_cores / one.milli_cores);
  if (one.memory > 0) most = std::min(most, free.memory / one.memory);
  return static_cast<int>(most);
}

}  // namespace

ScoredPlacer::ScoredPlacer(const Cluster& cluster, const Sharing& sharing,
                           std::unique_ptr<const NodeScore> score, std::uint64_t seed)
    : cluster_(cluster),
      sharing_(sharing),
      score_(std::move(score)),
      seed_(seed),
      order_(order_of_ties(cluster.shape().nodes, *score_, seed)),
      place_(order_.size(), 0),
      views_(order_.size()),
      history_(order_.size()),
      offers_(history_, place_),
      rooms_(history_, place_) {
  cluster_.keep_node_changes();
  for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i].index()] = static_cast<int>(i);
  for (const NodeId node : order_) see(node);
  views_seen_ = cluster_.node_changes().count();
}

void ScoredPlacer::see(NodeId node) {
  views_[node.index()] = view_of(cluster_, node);
  score_->look_at(views_[node.index()]);
  history_.note(node);
}

void ScoredPlacer::see_changes() {
  const NodeChanges& changes = cluster_.node_changes();
  if (!changes.remembers(views_seen_)) {
    for (const NodeId node : order_) see(node);
    views_seen_ = changes.count();
  }
  NodeId last;
  for (; views_seen_ < changes.count(); ++views_seen_) {
    if (const NodeId node = changes.at(views_seen_); node != last) see(last = node);
  }
}

GpuMask ScoredPlacer::candidates(const PlacementRequest& request, const NodeView& node) const {
  const auto lanes = static_cast<std::size_t>(cluster_.shape().lanes_per_gpu);
  GpuMask mask = 0;
  for (std::size_t i = 0; i < node.left.size(); ++i) {
    const GpuState& gpu = node.gpus[i];
    if (node.left[i] < request.share.value || gpu.tenants.size() >= lanes) continue;
    const bool joins = gpu.idle() || sharing_.admits(gpu, {request.memory, request.share, nullptr},
                                                     cluster_.shape().memory_of_type(node.type));
    if (joins) mask |= GpuMask{1} << i;
  }
  return mask;
}

/// Nothing where the node does not take the gang.
std::optional<NodeQuestion> ScoredPlacer::question(const PlacementRequest& request,
                                                   NodeId id) const {
  const NodeView& node = view(id);
  if (!node.is_open || !has_type(request.types, node.type)) return std::nullopt;
  if (!request.host.within(node.host) || node.all_left < milli_asked(request)) return std::nullopt;
  const GpuMask mask = candidates(request, node);
  if (std::popcount(mask) < request.gang) return std::nullopt;
  return NodeQuestion{node, request, mask};
}

ScoredPlacer::Score ScoredPlacer::score_of(const PlacementRequest& request, NodeId node) const {
  const auto asked = question(request, node);
  return asked ? static_cast<Score>(score_->offer(*asked).score) : PlaceScores::kNone;
}

std::optional<Allocation> ScoredPlacer::drawn(const PlacementRequest& request,
                                              const PlaceScores& scores) const {
  if (scores.count() == 0) return std::nullopt;
  RandomStream random(seed_of(seed_, request.draw), "drawn nodes");
  const NodeId node = order_[scores.nth(random.below(scores.count()))];
  const auto asked = question(request, node);
  GpuMask gpus = score_->offer(*asked).gpus;
  if (request.share < kWholeGpu && request.gang == 1) {
    GpuMask rest = asked->candidates;
    for (auto skip = random.below(std::popcount(rest)); skip > 0; --skip) rest &= rest - 1;
    gpus = first_of(rest, 1);
  }
  return allocation(request, node, gpus);
}

void ScoredPlacer::append(const NodeView& node, GpuMask gpus, Allocation& out) const {
  each_gpu(gpus, [&](std::size_t i) {
    const GpuId gpu = node.gpus[i].id;
    out.slots.push_back({gpu, cluster_.free_lane(gpu)});
  });
}

Allocation ScoredPlacer::allocation(const PlacementRequest& request, NodeId node,
                                    GpuMask gpus) const {
  Allocation out;
  out.share = request.share;
  out.host = request.host;
  if (request.gang == 0) out.node = node;
  append(view(node), gpus, out);
  return out;
}

bool ScoredPlacer::is_wider_than_nodes(const PlacementRequest& request) const {
  const ClusterShape& shape = cluster_.shape();
  for (int type = 0; type < shape.types(); ++type) {
    if (has_type(request.types, type) && request.gang <= shape.most_per_node(type)) return false;
  }
  return true;
}

/// Of a node that takes replicas of a gang wider than nodes; as many as it has cores and memory
/// for.
GpuMask ScoredPlacer::idle_gpus(const PlacementRequest& request, const NodeView& node) const {
  if (!node.is_open || !has_type(request.types, node.type)) return 0;
  GpuMask idle = 0;
  for (std::size_t i = 0; i < node.left.size(); ++i) {
    if (node.left[i] == kWholeGpu.value) idle |= GpuMask{1} << i;
  }
  return first_of(idle, replicas_within(node.host, request));
}

std::optional<Allocation> ScoredPlacer::over_nodes(const PlacementRequest& request) {
  for (int type = 0; type < cluster_.shape().types(); ++type) {
    if (!has_type(request.types, type)) continue;
    if (auto found = over_nodes(request, type)) return found;
  }
  return std::nullopt;
}

/// The nodes that take most replicas, the first of those that take as many.
std::optional<Allocation> ScoredPlacer::over_nodes(const PlacementRequest& request, int type) {
  if (cluster_.free_gpus(type).total() < request.gang) return std::nullopt;
  // What else it asks for plays no role, so that requests share what is known about nodes.
  const PlacementRequest of_type{.gang = request.host.any() ? request.gang : kMostOnNode,
                                 .types = only_type(type),
                                 .host = request.host};
  const PlaceScores& rooms = rooms_.of(of_type, [&](NodeId node) {
    const int replicas = std::popcount(idle_gpus(of_type, view(node)));
    return replicas > 0 ? static_cast<Score>(replicas) : PlaceScores::kNone;
  });
  Allocation out;
  out.share = request.share;
  out.host = request.host;
  int missing = request.gang;
  for (Score replicas = rooms.highest(); replicas > 0; --replicas) {
    for (auto place = rooms.next(0, replicas); place != PlaceScores::kNowhere;
         place = rooms.next(place + 1, replicas)) {
      if (rooms.at(place) != replicas) continue;
      const NodeView& node = view(order_[place]);
      const int here = std::min(missing, static_cast<int>(replicas));
      append(node, first_of(idle_gpus(of_type, node), here), out);
      if ((missing -= here) == 0) return out;
    }
  }
  return std::nullopt;
}

std::optional<Allocation> ScoredPlacer::find(const PlacementRequest& request) {
  see_changes();
  if (is_wider_than_nodes(request)) return over_nodes(request);
  const PlaceScores& scores =
      offers_.of(request, [&](NodeId node) { return score_of(request, node); });
  if (score_->draws()) return drawn(request, scores);
  if (scores.count() == 0) return std::nullopt;
  const NodeId node = order_[scores.next(0, scores.highest())];
  const auto asked = question(request, node);
  return allocation(request, node, score_->offer(*asked).gpus);
}

}  // namespace mimus::scheduler
