// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/driver/state.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

State::State(ClusterShape shape, Policy row)
    : cluster(std::move(shape)),
      policy(std::move(row)),
      fit(cluster, *policy.sharing, *policy.placement) {
  ensure(policy.estimate->ready(), "the policy's estimate needs a throughput estimate");
}

Usage State::usage(const std::string& group) const {
  const auto found = held_by_group.find(group);
  return {.held_by_group = found == held_by_group.end() ? 0 : found->second,
          .held = held,
          .gpus = cluster.shape().gpus()};
}

Bytes State::spare_memory(JobId job, const Allocation& allocation) const {
  const Bytes capacity = cluster.shape().gpu_memory;
  if (capacity == Bytes{}) return capacity;
  Bytes least = capacity;
  for (const Slot& slot : allocation.slots) {
    Bytes spare = capacity;
    for (const Tenant& tenant : cluster.gpu(slot.gpu).tenants) {
      if (tenant.job != job) spare -= tenant.memory;
    }
    least = std::min(least, spare);
  }
  return least;
}

SizingQuery State::query(const JobRecord& job, const Allocation* allocation) const {
  const Bytes memory =
      allocation ? spare_memory(job.view.id, *allocation) : cluster.shape().gpu_memory;
  return {job.view, allocation, limits_within(job.view.model, memory), *policy.estimate};
}

}  // namespace mimus::scheduler
