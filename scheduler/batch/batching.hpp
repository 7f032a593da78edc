// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/registry.hpp"
#include "scheduler/batch/batch_split.hpp"
#include "scheduler/batch/learning_rate.hpp"
#include "scheduler/estimate/estimator.hpp"

namespace mimus::scheduler {

/// What a batch choice knows about a job.
struct BatchQuery {
  const JobView& job;
  const Allocation* allocation;  ///< null before the job is placed
  BatchLimits limits;
  const Estimator& estimate;
};

/// Chooses the samples per step and how they are split. All choices split a total batch with
/// split_batch().
class Batching {
 public:
  virtual ~Batching() = default;
  /// The batch of an attempt. Called when the job enters the queue, which fixes the memory with
  /// which it is placed, and again when its allocation is known.
  [[nodiscard]] virtual BatchPlan plan(const BatchQuery& query) const = 0;
  /// Minimum time between two calls of retune for one job; Duration::max() for never.
  [[nodiscard]] virtual Duration retune_interval() const { return Duration::max(); }
  /// A better batch for a running job that has just reported progress; nothing to keep the present
  /// one.
  [[nodiscard]] virtual std::optional<BatchPlan> retune(const BatchQuery& query) const;
  /// How often a job's agent measures; Duration::max() if the choice learns nothing from running
  /// jobs: observe() is then not needed.
  [[nodiscard]] virtual Duration sample_interval() const { return Duration::max(); }
  [[nodiscard]] bool wants_samples() const { return sample_interval() != Duration::max(); }
  /// A running job has reported what it measured; `job` contains the rest of its report.
  virtual void observe(const JobView&, const JobSample&) {}
  /// A job has left the system. There will be no more calls about it.
  virtual void left(const JobView&) {}
  /// True if batches may differ from those that users request.
  [[nodiscard]] virtual bool chooses_batch() const { return false; }
  /// True if the batches that jobs plan (JobView::batch_plan) are theirs.
  [[nodiscard]] virtual bool follows_plans() const { return false; }
  /// True if the choice needs an estimate of throughput.
  [[nodiscard]] virtual bool needs_estimate() const { return false; }
  /// How learning rates follow batches, whether the user or the policy chose them.
  [[nodiscard]] virtual const LearningRate& learning_rate() const = 0;
};

[[nodiscard]] const Registry<Batching>& batch_choices();

}  // namespace mimus::scheduler
