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

void Seats::update(const PlanQuery& query) {
  IdMap<JobId, const JobView*> present;
  for (const PlanJob& job : query.jobs) present.insert(job.view->id, job.view);
  seat_of_ = {};
  std::erase_if(seats_, [&](Seat& seat) {
    const bool is_usable =
        std::ranges::all_of(seat.gpus, [&](GpuId gpu) { return query.placer.usable(gpu); });
    if (!is_usable) return true;
    std::erase_if(seat.residents, [&](JobId job) { return present.find(job) == nullptr; });
    return seat.residents.empty();
  });
  for (Seat& seat : seats_) {
    seat.memory = {};
    for (const JobId job : seat.residents) {
      seat_of_.insert(job, &seat);
      seat.memory += replica_memory(*present.at(job));
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
    node.gangs += static_cast<int>(seat.residents.size());
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
    const bool fits = seat.residents.size() < residents_ &&
                      (capacity == Bytes{} || seat.memory + memory <= capacity);
    if (seat.gang() != gang || !fits) continue;
    if (best == nullptr || seat.residents.size() < best->residents.size()) best = &seat;
  }
  return best;
}

Seat* Seats::new_seat(int gang, const ClusterShape& shape) {
  const auto nodes = nodes_for(gang);
  if (!nodes) return nullptr;
  Seat& seat = seats_.emplace_back();
  for (const NodeId node : *nodes) {
    const std::int64_t first = node.value() * shape.gpus_per_node;
    for (std::int64_t gpu = first; gpu < first + shape.gpus_per_node; ++gpu) {
      if (free_[GpuId{gpu}.index()] && seat.gang() < gang) seat.gpus.emplace_back(gpu);
    }
    int& affinity = nodes_[node.index()].affinity;
    if (affinity == 0) affinity = affinity_[node.index()] = gang;
  }
  take_gpus(seat, shape);
  return &seat;
}

bool Seats::take_in(const PlanQuery& query, const JobView& job) {
  const ClusterShape& shape = query.cluster.shape();
  const Bytes memory = replica_memory(job);
  Seat* seat = new_seat(job.gang, shape);
  if (seat == nullptr) seat = least_full(job.gang, memory, shape.gpu_memory);
  if (seat == nullptr) return false;
  seat->residents.push_back(job.id);
  seat->memory += memory;
  seat_of_.insert(job.id, seat);
  for (const GpuId gpu : seat->gpus) ++nodes_[shape.node_of(gpu).index()].gangs;
  return true;
}

}  // namespace mimus::scheduler
