// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/philly/probes.hpp"

#include <algorithm>

namespace mimus::scheduler {
namespace {

/// Jobs that are taken to be alike; "" of one that is like no other.
std::string kin(const JobView& job) {
  return job.group.empty() ? "" : job.user + '\n' + job.group;
}

}  // namespace

void Probes::follow(const PlanQuery& query) {
  next_ = kNever;
  if (!is_on()) return;
  for (const PlanJob& job : query.jobs) follow(*job.view, query.now);
}

int Probes::pool_gpus(const ClusterShape& shape) const {
  return std::min(settings_.nodes, shape.nodes - 1) * shape.gpus_per_node;
}

int Probes::gpus_outside(const PlanQuery& query) const {
  int gpus = query.placer.usable_gpus();
  for (int gpu = 0; gpu < pool_gpus(query.cluster.shape()); ++gpu) {
    if (query.placer.usable(GpuId{gpu})) --gpus;
  }
  return gpus;
}

void Probes::book_pool(const PlanQuery& query) {
  free_.clear();
  Allocation pool;
  for (int gpu = pool_gpus(query.cluster.shape()) - 1; gpu >= 0; --gpu) {
    const GpuId id{gpu};
    if (!query.cluster.usable(id) || !query.cluster.gpu(id).idle()) continue;
    free_.push_back(id);
    pool.slots.push_back({id, {}});
  }
  query.placer.book(JobId{}, pool);
}

void Probes::follow(const JobView& job, Instant now) {
  if (wants(job, now)) next_ = std::min(next_, job.queued_since + settings_.limit);
  const auto found = stages_.find(job.id);
  if (found == stages_.end() || found->second == Stage::passed) return;
  Stage& stage = found->second;
  if (!job.holds_gpus()) {
    if (stage == Stage::over) stage = Stage::passed;
    if (stage == Stage::probed) stages_.erase(found);  // it has failed and is probed again
    return;
  }
  if (stage == Stage::over || job.stepping_since == kNever) return;
  const Instant over = job.stepping_since + settings_.limit;
  if (now < over) {
    next_ = std::min(next_, over);
    return;
  }
  stage = Stage::over;
  if (!kin(job).empty()) proven_until_[kin(job)] = now + settings_.proven_for;
}

bool Probes::is_proven(const JobView& job, Instant now) const {
  const auto found = proven_until_.find(kin(job));
  return found != proven_until_.end() && now < found->second;
}

bool Probes::wants(const JobView& job, Instant now) const {
  if (!is_on() || job.holds_gpus() || job.rigid || job.requested_gang == 1) return false;
  const auto stage = stages_.find(job.id);
  if (stage != stages_.end() && stage->second != Stage::probed) return false;
  return now - job.queued_since < settings_.limit && !is_proven(job, now);
}

std::optional<Allocation> Probes::place(const JobView& job) {
  if (free_.empty()) return std::nullopt;
  const GpuId gpu = free_.back();
  free_.pop_back();
  stages_[job.id] = Stage::probed;
  return Allocation{.slots = {{gpu, {}}}, .share = job.share};
}

bool Probes::is_over(const JobView& job) const {
  const auto stage = stages_.find(job.id);
  return stage != stages_.end() && stage->second == Stage::over && job.holds_gpus();
}

}  // namespace mimus::scheduler
