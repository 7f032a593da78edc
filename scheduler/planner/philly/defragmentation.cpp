// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/philly/defragmentation.hpp"

#include <algorithm>
#include <functional>

namespace mimus::scheduler {
namespace {

/// The node of all of its GPUs; none of a gang that has several.
NodeId only_node_of(const ClusterShape& shape, const Allocation& place) {
  const NodeId node = shape.node_of(place.slots.front().gpu);
  const bool is_one = std::ranges::all_of(
      place.slots, [&](const Slot& slot) { return shape.node_of(slot.gpu) == node; });
  return is_one ? node : NodeId{};
}

bool has(const JobView& job, const Allocation& place) {
  return job.holds_gpus() &&
         std::ranges::equal(job.allocation.slots, place.slots, {}, &Slot::gpu, &Slot::gpu);
}

/// The first GPUs of the node that are idle and not booked.
Allocation first_free(const Cluster& cluster, NodeId node, int gpus) {
  const int per_node = cluster.shape().gpus_per_node;
  Allocation found;
  for (int i = 0; i < per_node && static_cast<int>(found.slots.size()) < gpus; ++i) {
    const GpuId gpu{node.value() * per_node + i};
    if (cluster.usable(gpu) && cluster.gpu(gpu).idle()) found.slots.push_back({gpu, {}});
  }
  return found;
}

/// A node other than `cleared` for each of the gangs, the fullest one that is enough; empty when
/// one of them finds none.
std::vector<NodeId> nodes_elsewhere(const NodeIndex& free, NodeId cleared,
                                    const std::vector<const PlanJob*>& jobs) {
  std::vector<int> left;
  for (int node = 0; node < free.all_nodes().end; ++node) left.push_back(free.count(NodeId{node}));
  left[cleared.index()] = 0;
  std::vector<NodeId> nodes;
  for (const PlanJob* job : jobs) {
    const int gpus = job->view->gpus();
    auto best = left.end();
    for (auto node = left.begin(); node != left.end(); ++node) {
      if (*node >= gpus && (best == left.end() || *node < *best)) best = node;
    }
    if (best == left.end()) return {};
    *best -= gpus;
    nodes.emplace_back(static_cast<NodeId::value_type>(best - left.begin()));
  }
  return nodes;
}

}  // namespace

void Defragmentation::follow(const PlanQuery& query) {
  if (moving_.empty()) return;
  for (const PlanJob& job : query.jobs) {
    const auto move = moving_.find(job.view->id);
    if (move == moving_.end()) continue;
    const bool is_over = has(*job.view, move->second) || !job.view->holds_gpus();
    if (is_over) moving_.erase(move);
  }
}

void Defragmentation::forget(JobId job) {
  moving_.erase(job);
  moved_at_.erase(job);
}

Target Defragmentation::target_of(const JobView& job) const {
  const auto move = moving_.find(job.id);
  if (move == moving_.end()) return {job.id, job.gpus()};
  return {job.id, move->second};
}

std::optional<Allocation> Defragmentation::make_room(const PlanQuery& query,
                                                     VirtualClusters& clusters,
                                                     const PlanJob& job) {
  const int gang = job.view->gang;
  const ClusterShape& shape = query.cluster.shape();
  if (!is_on() || query.now < next_at_ || gang > shape.gpus_per_node) return std::nullopt;
  std::optional<Clearance> best;
  const auto jobs_of = movable(query, clusters);
  for (int node = 0; node < shape.nodes; ++node) {
    auto clearance = clearance_of(query.cluster.free_gpus(), NodeId{node},
                                  jobs_of[static_cast<std::size_t>(node)], gang);
    const bool is_better = clearance && (!best || clearance->gpus < best->gpus);
    if (is_better) best = std::move(clearance);
  }
  if (!best) return std::nullopt;
  move(query, *best);
  next_at_ = query.now + settings_.interval;
  query.placer.ask_for(job, gang);
  return query.placer.find();
}

/// By node: jobs that are alone on it with all of their GPUs and may move.
std::vector<std::vector<const PlanJob*>> Defragmentation::movable(const PlanQuery& query,
                                                                  VirtualClusters& clusters) const {
  const ClusterShape& shape = query.cluster.shape();
  std::vector<std::vector<const PlanJob*>> jobs(static_cast<std::size_t>(shape.nodes));
  for (const VirtualCluster& cluster : clusters.all()) {
    for (const PlanJob* job : cluster.running) {
      if (!may_move(query, clusters, cluster, *job->view)) continue;
      const NodeId node = only_node_of(shape, job->view->allocation);
      if (node) jobs[node.index()].push_back(job);
    }
  }
  return jobs;
}

/// While it moves it holds both places, which admission has to allow.
bool Defragmentation::may_move(const PlanQuery& query, const VirtualClusters& clusters,
                               const VirtualCluster& cluster, const JobView& job) const {
  const auto moved = moved_at_.find(job.id);
  const bool rests = moved != moved_at_.end() && query.now - moved->second < settings_.rest;
  if (rests || moving_.contains(job.id) || job.state != JobState::running) return false;
  if (job.suspension != Suspension::none) return false;
  const Usage usage{.held_by_group = cluster.used,
                    .held = clusters.counted(),
                    .gpus = query.cluster.shape().gpus()};
  return query.admission.admit(job, job.demand(), usage).verdict == Verdict::accept;
}

/// The smallest gang that is enough, else the largest ones until they are.
std::optional<Defragmentation::Clearance> Defragmentation::clearance_of(
    const NodeIndex& free, NodeId node, std::vector<const PlanJob*> jobs, int gang) const {
  const int missing = gang - free.count(node);
  std::ranges::stable_sort(jobs, std::greater<>(),
                           [](const auto* job) { return job->view->gpus(); });
  Clearance clearance;
  for (const PlanJob* job : jobs) {
    if (job->view->gpus() >= missing) clearance = {{job}, job->view->gpus(), {}};
  }
  if (clearance.jobs.empty()) {
    for (const PlanJob* job : jobs) {
      if (clearance.gpus >= missing) break;
      clearance.jobs.push_back(job);
      clearance.gpus += job->view->gpus();
    }
  }
  const bool is_enough = clearance.gpus >= missing && clearance.gpus <= gang;
  const bool is_few = clearance.jobs.size() <= static_cast<std::size_t>(settings_.most_moves);
  if (!is_enough || !is_few) return std::nullopt;
  clearance.nodes = nodes_elsewhere(free, node, clearance.jobs);
  if (clearance.nodes.empty()) return std::nullopt;
  return clearance;
}

void Defragmentation::move(const PlanQuery& query, const Clearance& clearance) {
  for (std::size_t i = 0; i < clearance.jobs.size(); ++i) {
    const JobView& job = *clearance.jobs[i]->view;
    Allocation place = first_free(query.cluster, clearance.nodes[i], job.gpus());
    query.placer.book(job.id, place);
    moved_at_[job.id] = query.now;
    moving_[job.id] = std::move(place);
  }
  for (const PlanJob* job : clearance.jobs) query.placer.release(job->view->attempt);
}

}  // namespace mimus::scheduler
