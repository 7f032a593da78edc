// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gandiva/seats.hpp"

#include <algorithm>
#include <utility>

#include "scheduler/planner/replica_memory.hpp"

namespace mimus::scheduler {
namespace {

/// Nodes that a gang may take free GPUs of, the best ones first.
enum class Preference { own_affinity, no_affinity, other_affinity };

}  // namespace

std::size_t Seat::residents() const {
  std::size_t jobs = 0;
  for (const Turn& turn : turns) jobs += turn.size();
  return jobs;
}

bool Seat::hosts(JobId job) const {
  return std::ranges::any_of(
      turns, [job](const Turn& turn) { return std::ranges::find(turn, job) != turn.end(); });
}

void Seats::update(const PlanQuery& query) {
  IdMap<JobId, const JobView*> present;
  for (const PlanJob& job : query.jobs) present.insert(job.view->id, job.view);
  seat_of_ = {};
  std::erase_if(seats_, [&](Seat& seat) {
    const bool is_usable =
        std::ranges::all_of(seat.gpus, [&](GpuId gpu) { return query.placer.usable(gpu); });
    if (!is_usable) return true;
    for (Turn& turn : seat.turns) {
      std::erase_if(turn, [&](JobId job) { return present.find(job) == nullptr; });
    }
    std::erase_if(seat.turns, [](const Turn& turn) { return turn.empty(); });
    return seat.turns.empty();
  });
  for (Seat& seat : seats_) {
    seat.memory = {};
    for (const Turn& turn : seat.turns) {
      for (const JobId job : turn) {
        seat_of_.insert(job, &seat);
        seat.memory += replica_memory(*present.at(job));
      }
    }
  }
  count(query);
}

void Seats::count(const PlanQuery& query) {
  const ClusterShape& shape = query.cluster.shape();
  affinity_.resize(static_cast<std::size_t>(shape.nodes));
  nodes_.assign(affinity_.size(), {});
  free_.assign(static_cast<std::size_t>(shape.gpus()), false);
  for (int gpu = 0; gpu < shape.gpus(); ++gpu) {
    const GpuId id{gpu};
    if (!query.placer.usable(id)) continue;
    free_[id.index()] = true;
    ++nodes_[shape.node_of(id).index()].free;
  }
  largest_node_ = std::ranges::max(nodes_, {}, &Node::free).free;
  for (const Seat& seat : seats_) take_gpus(seat, shape);
  free_since_.resize(free_.size(), query.now);
  for (std::size_t gpu = 0; gpu < free_.size(); ++gpu) {
    if (!free_[gpu]) free_since_[gpu] = kNever;
    if (free_[gpu] && free_since_[gpu] == kNever) free_since_[gpu] = query.now;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].seats == 0) affinity_[i] = 0;
    nodes_[i].affinity = affinity_[i];
  }
}

void Seats::take_gpus(const Seat& seat, const ClusterShape& shape) {
  for (const GpuId gpu : seat.gpus) {
    Node& node = nodes_[shape.node_of(gpu).index()];
    free_[gpu.index()] = false;
    --node.free;
    ++node.seats;
    node.gangs += static_cast<int>(seat.residents());
  }
}

void Seats::give_gpus(const Seat& seat, const ClusterShape& shape) {
  for (const GpuId gpu : seat.gpus) {
    Node& node = nodes_[shape.node_of(gpu).index()];
    free_[gpu.index()] = true;
    ++node.free;
    --node.seats;
    node.gangs -= static_cast<int>(seat.residents());
  }
}

/// A gang that no node has the GPUs for takes all of as many nodes as it needs, and of the last one
/// the rest.
std::optional<std::vector<NodeId>> Seats::nodes_for(int gang) const {
  const auto preference = [&](const Node& node) {
    if (node.affinity == gang) return Preference::own_affinity;
    return node.affinity == 0 ? Preference::no_affinity : Preference::other_affinity;
  };
  const auto is_better = [&](const Node& one, const Node& other) {
    return std::pair(preference(one), one.gangs) < std::pair(preference(other), other.gangs);
  };
  std::vector<NodeId> taken;
  if (largest_node_ == 0) return std::nullopt;
  for (int left = gang; left > 0; left -= largest_node_) {
    NodeId best;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const NodeId node{static_cast<NodeId::value_type>(i)};
      const bool has_room = nodes_[i].free >= std::min(left, largest_node_);
      if (!has_room || std::ranges::find(taken, node) != taken.end()) continue;
      if (!best || is_better(nodes_[i], nodes_[best.index()])) best = node;
    }
    if (!best) return std::nullopt;
    taken.push_back(best);
  }
  return taken;
}

Seat* Seats::least_full(int gang, Bytes memory, Bytes capacity) {
  Seat* best = nullptr;
  for (Seat& seat : seats_) {
    const bool fits =
        seat.residents() < residents_ && (capacity == Bytes{} || seat.memory + memory <= capacity);
    if (seat.gang != gang || !fits) continue;
    if (best == nullptr || seat.residents() < best->residents()) best = &seat;
  }
  return best;
}

Seat& Seats::seat_on(std::span<const NodeId> nodes, int gang, const ClusterShape& shape) {
  Seat& seat = seats_.emplace_back();
  seat.gang = gang;
  const auto is_full = [&] { return static_cast<int>(seat.gpus.size()) == gang; };
  for (const NodeId node : nodes) {
    const std::int64_t first = node.value() * shape.gpus_per_node;
    for (std::int64_t gpu = first; gpu < first + shape.gpus_per_node; ++gpu) {
      if (free_[GpuId{gpu}.index()] && !is_full()) seat.gpus.emplace_back(gpu);
    }
    int& affinity = nodes_[node.index()].affinity;
    if (affinity == 0) affinity = affinity_[node.index()] = gang;
  }
  take_gpus(seat, shape);
  return seat;
}

Seat* Seats::new_seat(int gang, const ClusterShape& shape) {
  const auto nodes = nodes_for(gang);
  return nodes ? &seat_on(*nodes, gang, shape) : nullptr;
}

void Seats::put(Seat& seat, const JobView& job, const ClusterShape& shape) {
  seat.turns.push_back({job.id});
  seat.memory += replica_memory(job);
  seat_of_.assign(job.id, &seat);
  for (const GpuId gpu : seat.gpus) ++nodes_[shape.node_of(gpu).index()].gangs;
}

void Seats::take_out(Seat& seat, const JobView& job, const ClusterShape& shape) {
  for (const GpuId gpu : seat.gpus) --nodes_[shape.node_of(gpu).index()].gangs;
  std::erase(seat.turns, Turn{job.id});
  seat.memory += -1.0 * replica_memory(job);
  if (!seat.turns.empty()) return;
  give_gpus(seat, shape);
  seats_.remove_if([&seat](const Seat& other) { return &other == &seat; });
}

bool Seats::take_in(const PlanQuery& query, const JobView& job) {
  const ClusterShape& shape = query.cluster.shape();
  Seat* seat = new_seat(job.gang, shape);
  if (seat == nullptr) seat = least_full(job.gang, replica_memory(job), shape.gpu_memory);
  if (seat == nullptr) return false;
  put(*seat, job, shape);
  return true;
}

bool Seats::move_out(const PlanQuery& query, Seat& seat, const JobView& job) {
  const ClusterShape& shape = query.cluster.shape();
  Seat* to = new_seat(seat.gang, shape);
  if (to == nullptr) return false;
  take_out(seat, job, shape);
  put(*to, job, shape);
  return true;
}

/// The node of all of its GPUs; none of a gang that spreads.
NodeId Seats::node_of(const Seat& seat, const ClusterShape& shape) {
  const NodeId node = shape.node_of(seat.gpus.front());
  const bool is_one =
      std::ranges::all_of(seat.gpus, [&](GpuId gpu) { return shape.node_of(gpu) == node; });
  return is_one ? node : NodeId{};
}

/// The fullest node that has `gpus` free, except one.
NodeId Seats::fullest_with(int gpus, NodeId except) const {
  NodeId best;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const NodeId node{static_cast<NodeId::value_type>(i)};
    if (node == except || nodes_[i].free < gpus) continue;
    if (!best || nodes_[i].free < nodes_[best.index()].free) best = node;
  }
  return best;
}

void Seats::make_room(const PlanQuery& query, int gang,
                      const std::function<const JobView*(JobId)>& may_move) {
  const ClusterShape& shape = query.cluster.shape();
  if (gang > largest_node_ || std::ranges::max(nodes_, {}, &Node::free).free >= gang) return;
  Seat* smallest = nullptr;
  NodeId to;
  for (Seat& seat : seats_) {
    const bool is_smaller = smallest == nullptr || seat.gang < smallest->gang;
    const NodeId from = node_of(seat, shape);
    if (!is_smaller || seat.residents() != 1 || !from) continue;
    if (nodes_[from.index()].free + seat.gang < gang) continue;
    const NodeId other = fullest_with(seat.gang, from);
    if (!other || may_move(seat.turns.front().front()) == nullptr) continue;
    smallest = &seat;
    to = other;
  }
  if (smallest == nullptr) return;
  const JobView& job = *may_move(smallest->turns.front().front());
  Seat& seat = seat_on(std::span(&to, 1), smallest->gang, shape);
  take_out(*smallest, job, shape);
  put(seat, job, shape);
}

void Seats::shrink_all(const ClusterShape& shape) {
  for (Seat& seat : seats_) {
    if (seat.gpus.size() == static_cast<std::size_t>(seat.gang)) continue;
    give_gpus(seat, shape);
    seat.gpus.resize(static_cast<std::size_t>(seat.gang));
    take_gpus(seat, shape);
  }
}

Seat* Seats::gains_most(NodeId node, const ClusterShape& shape, const Gain& gain) {
  Seat* best = nullptr;
  double most = 0.0;
  for (Seat& seat : seats_) {
    if (seat.residents() != 1 || node_of(seat, shape) != node) continue;
    const auto gained = gain(seat.turns.front().front(), static_cast<int>(seat.gpus.size()));
    if (!gained || *gained <= most) continue;
    most = *gained;
    best = &seat;
  }
  return best;
}

Instant Seats::grow(const ClusterShape& shape, Instant since, const Gain& gain) {
  Instant next = kNever;
  for (int gpu = 0; gpu < shape.gpus(); ++gpu) {
    const GpuId id{gpu};
    if (!free_[id.index()]) continue;
    if (free_since_[id.index()] > since) {
      next = std::min(next, free_since_[id.index()]);
      continue;
    }
    Seat* seat = gains_most(shape.node_of(id), shape, gain);
    if (seat == nullptr) continue;
    give_gpus(*seat, shape);
    seat->gpus.push_back(id);
    take_gpus(*seat, shape);
  }
  return next;
}

}  // namespace mimus::scheduler
