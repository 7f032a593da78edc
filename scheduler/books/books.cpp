// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/books.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

Books::Books(ClusterShape shape, Policy row)
    : cluster(std::move(shape)),
      policy(std::move(row)),
      shares_gpus(policy.max_tenants() > 1),
      interchangeable(!shares_gpus && policy.placement->counts_only() &&
                      cluster.shape().types() == 1),
      limits_admission(policy.admission->limits()),
      books_hosts(policy.places_hosts() && cluster.shape().has_hosts()),
      fit(cluster, *policy.sharing, *policy.placement),
      kinds(policy.placement->kind_traits() | policy.sharing->kind_traits()),
      quarantine(policy.recovery->quarantine()) {
  ensure(policy.estimate->ready(), "the policy's estimate needs a throughput estimate");
  policy.estimate->begin(cluster.shape());
  policy.placement->begin(cluster.shape());
}

Usage Books::usage(int group, MilliGpus promised) const {
  const MilliGpus ahead = std::max(MilliGpus{}, promised - groups.stopping_in(group));
  return {.held_by_group = groups.held_by(group) + ahead,
          .held = groups.held(),
          .gpus = cluster.shape().gpus()};
}

Usage Books::usage_after_stops(int group, MilliGpus promised) const {
  return {.held_by_group = groups.held_by(group) - groups.stopping_in(group) + promised,
          .held = groups.held() - groups.stopping(),
          .gpus = cluster.shape().gpus()};
}

Bytes Books::spare_memory(JobId job, const Allocation& allocation) const {
  const ClusterShape& shape = cluster.shape();
  if (!shape.groups && (shape.gpu_memory == Bytes{} || !shares_gpus)) return shape.gpu_memory;
  if (allocation.slots.empty()) return Bytes{};
  Bytes least = shape.memory_of(allocation.slots.front().gpu);
  for (const Slot& slot : allocation.slots) {
    Bytes spare = shape.memory_of(slot.gpu);
    for (const Tenant& tenant : cluster.gpu(slot.gpu).tenants) {
      if (tenant.job != job) spare -= tenant.memory;
    }
    least = std::min(least, spare);
  }
  return least;
}

BatchQuery Books::query(const JobRecord& job, const Allocation* allocation) const {
  const Bytes memory = allocation ? spare_memory(job.view.id, *allocation)
                                  : cluster.shape().memory_of_types(job.view.types);
  return {job.view, allocation, limits_within(job.view.model, memory), *policy.estimate};
}

BatchPlan Books::batch_of(const JobRecord& job, const Allocation* allocation) const {
  if (job.planned_batch) return *job.planned_batch;
  if (job.view.gang == 0) return {};  // it trains nothing
  return policy.batch->plan(query(job, allocation));
}

}  // namespace mimus::scheduler
