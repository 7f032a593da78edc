// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "scheduler/batch/batching.hpp"

namespace mimus::scheduler {

/// Batches that an agent inside each job sets while it runs, from what the job has measured; the
/// user's total until it knows enough. `State` is what an agent remembers of its job, also while
/// the job waits. Totals are split by split_batch and cut to the job's limits. Rigid jobs keep
/// their user's batch.
template <class State>
class Agent : public Batching {
 public:
  [[nodiscard]] BatchPlan plan(const BatchQuery& query) const final {
    const auto total = query.job.rigid ? std::nullopt : wanted(query.job);
    return split_batch(total.value_or(query.job.requested_batch), query.job.gang, query.limits);
  }
  [[nodiscard]] Duration retune_interval() const final { return interval_; }
  [[nodiscard]] std::optional<BatchPlan> retune(const BatchQuery& query) const final {
    const BatchPlan next = plan(query);
    return next == query.job.batch ? std::nullopt : std::optional(next);
  }
  [[nodiscard]] bool chooses_batch() const final { return true; }
  [[nodiscard]] Duration sample_interval() const final { return interval_; }
  void observe(const JobView& job, const JobSample& sample) final {
    if (sample.steps > 0) learn(states_.try_emplace(job.id, first_).first->second, sample);
  }
  void left(const JobView& job) final { states_.erase(job.id); }

 protected:
  /// `interval`: time between two reports of a job, after each of which it may change its batch.
  Agent(Duration interval, State first) : interval_(interval), first_(std::move(first)) {}
  virtual void learn(State& state, const JobSample& sample) const = 0;
  /// The total batch that the agent chooses now; nothing while it knows too little.
  [[nodiscard]] virtual std::optional<std::int64_t> total(const JobView& job,
                                                          const State& state) const = 0;

  /// The same before the job has reported anything.
  [[nodiscard]] virtual std::optional<std::int64_t> at_first(const JobView& /*job*/) const {
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<std::int64_t> wanted(const JobView& job) const {
    const auto found = states_.find(job.id);
    return found == states_.end() ? at_first(job) : total(job, found->second);
  }

  Duration interval_;
  State first_;
  std::map<JobId, State> states_;
};

}  // namespace mimus::scheduler
