// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/power/ces.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace mimus::scheduler {
namespace {

bool is_down(const Cluster& cluster, NodeId node) {
  const std::int64_t first = cluster.shape().first_gpu(node);
  for (int i = 0; i < cluster.shape().gpus_on(node); ++i) {
    if (cluster.gpu(GpuId{first + i}).up) return false;
  }
  return true;
}

/// Idle, also of jobs without GPUs, up, and promised to no job.
bool may_sleep(const Cluster& cluster, NodeId node) {
  return cluster.tenants_on(node) == 0 &&
         cluster.free_gpus().count(node) == cluster.shape().gpus_on(node);
}

/// The nodes that waiting jobs would fill, up to those of the cluster.
int nodes_for(std::span<const WaitingGangs> waiting, const ClusterShape& shape) {
  double whole = 0.0, gpus_of_others = 0.0;
  for (const WaitingGangs& gangs : waiting) {
    const auto jobs = static_cast<double>(gangs.jobs);
    if (gangs.gpus >= shape.gpus_per_node) {
      whole += jobs * std::ceil(gangs.gpus / shape.gpus_per_node);
    } else if (gangs.gpus * 2 > shape.gpus_per_node) {
      whole += jobs;
    } else {
      gpus_of_others += jobs * gangs.gpus;
    }
  }
  const double nodes = whole + std::ceil(gpus_of_others / shape.gpus_per_node);
  return static_cast<int>(std::min(nodes, static_cast<double>(shape.nodes)));
}

}  // namespace

ForecastSettings Ces::Settings::forecast_of_steps() const {
  ForecastSettings of_steps = forecast;
  of_steps.day = std::max(1, static_cast<int>(std::lround(std::chrono::hours(24) / step)));
  return of_steps;
}

Ces::Ces(const Settings& settings)
    : settings_(settings), forecast_(make_forecast(settings.forecast_of_steps())) {}

void Ces::begin(const Cluster& cluster) {
  rule_.emplace(settings_.rule, cluster.shape().nodes);
  step_end_ = Instant{} + settings_.step;
}

PowerDecision Ces::decide(const PowerQuery& query) {
  if (!rule_) begin(query.cluster);
  const bool has_step_ended = end_steps(query.now);
  std::erase_if(booting_, [&](const auto& node) { return node.second <= query.now; });
  meet(query, has_step_ended);
  const int nodes = query.cluster.shape().nodes;
  const int awake = nodes - static_cast<int>(asleep_.size());
  const int active = rule_->warming_up() ? nodes : rule_->active();
  if (active > awake) wake(active - awake, query.now);
  if (active < awake) put_to_sleep(awake - active, query.cluster);
  PowerDecision decision{{asleep_.begin(), asleep_.end()}, {}};
  for (const auto& [node, until] : booting_) decision.booting.push_back(node);
  return decision;
}

bool Ces::end_steps(Instant now) {
  const Instant before = step_end_;
  for (; step_end_ <= now; step_end_ += settings_.step) {
    forecast_->observe(most_used_);
    rule_->end_step(most_used_, [&](int steps) { return forecast_->mean(steps); });
    most_used_ = used_;
  }
  return step_end_ != before;
}

void Ces::meet(const PowerQuery& query, bool has_step_ended) {
  const ClusterShape& shape = query.cluster.shape();
  int demand = needed(query.cluster) + nodes_for(query.waiting, shape);
  for (const WaitingGangs& gangs : query.waiting) {
    const bool is_stuck = query.now - gangs.since > settings_.step + settings_.boot;
    if (has_step_ended && is_stuck) demand = std::max(demand, rule_->active() + 1);
  }
  demand = std::min(demand, shape.nodes);
  // Demand within what is on shows as use once the jobs have started.
  if (rule_->meet(demand)) most_used_ = std::max(most_used_, demand);
}

Instant Ces::observe(const PowerQuery& query) {
  used_ = needed(query.cluster);
  most_used_ = std::max(most_used_, used_);
  waits_ = !query.waiting.empty();
  Instant next = at_rest() ? kNever : step_end_;
  for (const auto& [node, until] : booting_) next = std::min(next, until);
  return next;
}

int Ces::needed(const Cluster& cluster) const {
  int nodes = cluster.nodes_in_use();
  for (int i = 0; i < cluster.shape().nodes; ++i) {
    const NodeId node{i};
    const bool counted = cluster.tenants_on(node) > 0 || asleep_.contains(node);
    if (!counted && !may_sleep(cluster, node) && is_down(cluster, node)) ++nodes;
  }
  return nodes;
}

void Ces::wake(int nodes, Instant now) {
  for (; nodes > 0 && !asleep_.empty(); --nodes) {
    const NodeId node = *asleep_.begin();
    asleep_.erase(asleep_.begin());
    if (settings_.boot > Duration::zero()) booting_.emplace(node, now + settings_.boot);
  }
}

void Ces::put_to_sleep(int nodes, const Cluster& cluster) {
  for (int i = cluster.shape().nodes - 1; i >= 0 && nodes > 0; --i) {
    const NodeId node{i};
    if (asleep_.contains(node) || !may_sleep(cluster, node)) continue;
    asleep_.insert(node);
    --nodes;
  }
}

/// With constant use, no step switches nodes off. Steps that end meanwhile are made up for later.
bool Ces::at_rest() const {
  if (rule_->warming_up() || (waits_ && !asleep_.empty())) return false;
  return most_used_ == used_ && rule_->has_used_just(used_);
}

}  // namespace mimus::scheduler
