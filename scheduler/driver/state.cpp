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
      preempts(policy.preemption->active() && !policy.sizing->allots()),
      shares_gpus(policy.max_tenants() > 1),
      interchangeable(!shares_gpus && policy.placement->counts_only()),
      limits_admission(policy.admission->limits()),
      fit(cluster, *policy.sharing, *policy.placement),
      runners(*policy.order, *policy.preemption) {
  ensure(policy.estimate->ready(), "the policy's estimate needs a throughput estimate");
}

Usage State::usage(int group, MilliGpus promised) const {
  const MilliGpus ahead = std::max(MilliGpus{}, promised - groups.stopping_in(group));
  return {.held_by_group = groups.held_by(group) + ahead,
          .held = groups.held(),
          .gpus = cluster.shape().gpus()};
}

Usage State::usage_after_stops(int group, MilliGpus promised) const {
  return {.held_by_group = groups.held_by(group) - groups.stopping_in(group) + promised,
          .held = groups.held() - groups.stopping(),
          .gpus = cluster.shape().gpus()};
}

Bytes State::spare_memory(JobId job, const Allocation& allocation) const {
  const Bytes capacity = cluster.shape().gpu_memory;
  if (capacity == Bytes{} || !shares_gpus) return capacity;
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

void mark_stopping(State& state, JobRecord& job, MilliGpus giving_back) {
  state.runners.remove(job);
  job.giving_back = giving_back;
  state.groups.change_stopping(job.group, giving_back);
  job.view.state = JobState::stopping;
  job.view.waits_for = WaitCause::restart;
  const auto at =
      std::lower_bound(state.stopping.begin(), state.stopping.end(), job.view.id,
                       [](const JobRecord* stopping, JobId id) { return stopping->view.id < id; });
  state.stopping.insert(at, &job);
}

void stop_attempt(State& state, JobRecord& job, std::string reason, Instant now,
                  Decision& decision) {
  mark_stopping(state, job, job.view.allocation.held());
  job.view.asked_to_stop = now;
  decision.actions.emplace_back(StopAttempt{job.view.attempt, std::move(reason)});
}

}  // namespace mimus::scheduler
