// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/registry.hpp"
#include "scheduler/batch/batch_split.hpp"
#include "scheduler/batch/learning_rate.hpp"
#include "scheduler/estimate/estimator.hpp"

namespace mimus::scheduler {

/// What a batch choice sees of a job.
struct BatchQuery {
  const JobView& job;
  const Allocation* allocation;  ///< null before the job is placed
  BatchLimits limits;
  const Estimator& estimate;
};

/// How many samples per step, and how split? All choices split a total batch as split_batch says.
class Batching {
 public:
  virtual ~Batching() = default;
  /// The batch for an attempt: asked when the job enters the queue, which fixes the memory it is
  /// placed with, and again once its allocation is known.
  [[nodiscard]] virtual BatchPlan plan(const BatchQuery& query) const = 0;
  /// Least time between two calls of retune for one job; Duration::max() for never.
  [[nodiscard]] virtual Duration retune_interval() const { return Duration::max(); }
  /// A better batch for a running job that has just reported progress; nothing to keep the old one.
  [[nodiscard]] virtual std::optional<BatchPlan> retune(const BatchQuery& query) const;
  /// How often a job's agent is to measure; Duration::max() when the choice learns nothing from
  /// running jobs: observe() need not be called then.
  [[nodiscard]] virtual Duration sample_interval() const { return Duration::max(); }
  [[nodiscard]] bool wants_samples() const { return sample_interval() != Duration::max(); }
  /// A running job has reported what it measured; `job` holds what it reported with it.
  virtual void observe(const JobView&, const JobSample&) {}
  /// A job has left the system and will not be asked about any more.
  virtual void left(const JobView&) {}
  /// True when batches may be others than users ask for.
  [[nodiscard]] virtual bool chooses_batch() const { return false; }
  /// True when the choice is nothing without an estimate of throughput.
  [[nodiscard]] virtual bool needs_estimate() const { return false; }
  /// How learning rates follow batches, whether the user or the policy chose them.
  [[nodiscard]] virtual const LearningRate& learning_rate() const = 0;
};

[[nodiscard]] const Registry<Batching>& batch_choices();

}  // namespace mimus::scheduler
