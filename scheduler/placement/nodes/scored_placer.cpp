// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/nodes/scored_placer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random.hpp"

namespace mimus::scheduler {
namespace {

/// Requests whose scores are kept; beyond that all are forgotten.
constexpr std::size_t kMostAsked = 4096;

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

std::uint64_t with(std::uint64_t hash, std::int64_t part) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  hash = (hash ^ static_cast<std::uint64_t>(part)) * kGolden;
  return hash ^ (hash >> 32U);
}

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
      looked_at_(order_.size(), 0) {
  cluster_.keep_node_changes();
  for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i].index()] = static_cast<int>(i);
  for (const NodeId node : order_) see(node);
  views_seen_ = cluster_.node_changes().count();
}

bool ScoredPlacer::Asked::operator==(const Asked& other) const {
  const PlacementRequest& a = request;
  const PlacementRequest& b = other.request;
  return a.gang == b.gang && a.memory == b.memory && a.level == b.level && a.share == b.share &&
         a.kind == b.kind && a.types == b.types && a.host == b.host;
}

std::size_t ScoredPlacer::AskedHash::operator()(const Asked& asked) const noexcept {
  const PlacementRequest& r = asked.request;
  std::uint64_t hash = with(with(0, r.gang), r.level);
  hash = with(hash, static_cast<std::int64_t>(r.memory.value));
  hash = with(hash, r.share.value);
  hash = with(hash, r.kind == nullptr ? -1 : r.kind->number);
  hash = with(hash, static_cast<std::int64_t>(r.types));
  hash = with(hash, r.host.milli_cores);
  return static_cast<std::size_t>(with(hash, r.host.memory));
}

void ScoredPlacer::see(NodeId node) {
  views_[node.index()] = view_of(cluster_, node);
  score_->look_at(views_[node.index()]);
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

void ScoredPlacer::score(const PlacementRequest& request, NodeId node, Scores& scores) const {
  const auto asked = question(request, node);
  scores.by_place[static_cast<std::size_t>(place_[node.index()])] =
      asked ? static_cast<Score>(score_->offer(*asked).score) : kDoesNotFit;
}

void ScoredPlacer::fill(const PlacementRequest& request, Scores& scores) const {
  scores.by_place.resize(order_.size());
  for (const NodeId node : order_) score(request, node, scores);
}

void ScoredPlacer::catch_up(const PlacementRequest& request, Scores& scores) {
  const NodeChanges& changes = cluster_.node_changes();
  ++catches_;
  for (std::uint64_t n = scores.seen; n < changes.count(); ++n) {
    const NodeId node = changes.at(n);
    if (std::exchange(looked_at_[node.index()], catches_) != catches_) {
      score(request, node, scores);
    }
  }
}

const std::vector<ScoredPlacer::Score>& ScoredPlacer::scores_of(const PlacementRequest& request) {
  if (scores_.size() >= kMostAsked) scores_.clear();
  Scores& scores = scores_[Asked{request}];
  const bool knows = !scores.by_place.empty() && cluster_.node_changes().remembers(scores.seen);
  knows ? catch_up(request, scores) : fill(request, scores);
  scores.seen = cluster_.node_changes().count();
  return scores.by_place;
}

/// The first of those with the highest score.
NodeId ScoredPlacer::best(const std::vector<Score>& scores) const {
  const auto found = std::max_element(scores.begin(), scores.end());
  return *found == kDoesNotFit ? NodeId{}
                               : order_[static_cast<std::size_t>(found - scores.begin())];
}

std::optional<Allocation> ScoredPlacer::drawn(const PlacementRequest& request,
                                              const std::vector<Score>& scores) const {
  const auto fitting = static_cast<std::int64_t>(scores.size()) -
                       std::count(scores.begin(), scores.end(), kDoesNotFit);
  if (fitting == 0) return std::nullopt;
  RandomStream random(with(seed_, static_cast<std::int64_t>(request.draw)), "drawn nodes");
  auto ticket = random.below(fitting);
  std::size_t place = 0;
  while (scores[place] == kDoesNotFit || ticket-- > 0) ++place;
  const auto asked = question(request, order_[place]);
  GpuMask gpus = score_->offer(*asked).gpus;
  if (request.share < kWholeGpu && request.gang == 1) {
    GpuMask rest = asked->candidates;
    for (auto skip = random.below(std::popcount(rest)); skip > 0; --skip) rest &= rest - 1;
    gpus = first_of(rest, 1);
  }
  return allocation(request, order_[place], gpus);
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

std::optional<Allocation> ScoredPlacer::over_nodes(const PlacementRequest& request) const {
  for (int type = 0; type < cluster_.shape().types(); ++type) {
    if (!has_type(request.types, type)) continue;
    if (auto found = over_nodes(request, type)) return found;
  }
  return std::nullopt;
}

std::optional<Allocation> ScoredPlacer::over_nodes(const PlacementRequest& request,
                                                   int type) const {
  struct Idle {
    NodeId node;
    GpuMask gpus;
    int replicas;
  };
  std::vector<Idle> rooms;
  for (const NodeId id : order_) {
    const NodeView& node = view(id);
    if (!node.is_open || node.type != type) continue;
    GpuMask idle = 0;
    for (std::size_t i = 0; i < node.left.size(); ++i) {
      if (node.left[i] == kWholeGpu.value) idle |= GpuMask{1} << i;
    }
    const int replicas = std::min(std::popcount(idle), replicas_within(node.host, request));
    if (replicas > 0) rooms.push_back({id, idle, replicas});
  }
  std::stable_sort(rooms.begin(), rooms.end(),
                   [](const Idle& a, const Idle& b) { return a.replicas > b.replicas; });
  Allocation out;
  out.share = request.share;
  out.host = request.host;
  int missing = request.gang;
  for (const Idle& room : rooms) {
    const int here = std::min(missing, room.replicas);
    append(view(room.node), first_of(room.gpus, here), out);
    if ((missing -= here) == 0) return out;
  }
  return std::nullopt;
}

std::optional<Allocation> ScoredPlacer::find(const PlacementRequest& request) {
  see_changes();
  if (is_wider_than_nodes(request)) return over_nodes(request);
  const std::vector<Score>& scores = scores_of(request);
  if (score_->draws()) return drawn(request, scores);
  const NodeId node = best(scores);
  if (!node) return std::nullopt;
  const auto asked = question(request, node);
  return allocation(request, node, score_->offer(*asked).gpus);
}

}  // namespace mimus::scheduler
