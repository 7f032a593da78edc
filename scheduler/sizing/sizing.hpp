// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/registry.hpp"
#include "scheduler/estimate/estimator.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/sizing/batch_split.hpp"
#include "scheduler/sizing/handout.hpp"

namespace mimus::scheduler {

/// What a sizing choice sees of a job.
struct SizingQuery {
  const JobView& job;
  const Allocation* allocation;  ///< null before the job is placed
  BatchLimits limits;
  const Estimator& estimate;
};

/// What a choice that hands out the cluster sees besides the jobs.
struct AllotQuery {
  Instant now;
  const Order& order;
  Handout& handout;  ///< from which all that it answers is taken
};

/// The GPUs a job is to have until the next round; none when it is to wait.
struct Allotted {
  JobId job;
  int gpus = 0;
};

/// How many samples per step, and how split? All choices split a total batch as split_batch says.
/// A choice that allots hands out the whole cluster anew in every round, by itself: preemption
/// stops nothing, and GPUs are not shared.
class Sizing {
 public:
  virtual ~Sizing() = default;
  /// The batch for an attempt: asked when the job enters the queue, which fixes the memory it is
  /// placed with, and again once its allocation is known.
  [[nodiscard]] virtual BatchPlan plan(const SizingQuery& query) const = 0;
  /// Least time between two calls of retune for one job; Duration::max() for never.
  [[nodiscard]] virtual Duration retune_interval() const { return Duration::max(); }
  /// A better batch for a running job that has just reported progress; nothing to keep the old one.
  [[nodiscard]] virtual std::optional<BatchPlan> retune(const SizingQuery& query) const;
  /// True when batches may be others than users ask for.
  [[nodiscard]] virtual bool chooses_batch() const { return false; }
  /// True when the choice is nothing without an estimate of throughput.
  [[nodiscard]] virtual bool needs_estimate() const { return false; }
  /// True when the choice asks an oracle for the truth about jobs; goes into the results.
  [[nodiscard]] virtual bool asks_oracle() const { return false; }
  /// False when an oracle that this choice needs was not handed in.
  [[nodiscard]] virtual bool ready() const { return true; }

  /// Least time between two calls of allot, which falls on its multiples; zero when the choice does
  /// not allot.
  [[nodiscard]] virtual Duration round() const { return Duration::zero(); }
  [[nodiscard]] bool allots() const { return round() > Duration::zero(); }
  /// False when the choice makes gangs of its own. It then goes by neither order nor locality.
  [[nodiscard]] virtual bool keeps_gangs() const { return true; }
  /// Whether a running job whose number of GPUs changes goes on with them, instead of being stopped
  /// and started anew.
  [[nodiscard]] virtual bool resizes_in_place() const { return false; }
  /// Hands out the cluster among `jobs`, which come by arrival. Those left out get nothing; those
  /// that must start are started in the order of the answer.
  [[nodiscard]] virtual std::vector<Allotted> allot(std::span<const Contender> jobs,
                                                    const AllotQuery& query) const;
};

/// `inputs` are captured by the choices that need them.
[[nodiscard]] Registry<Sizing> sizing_choices(const PolicyInputs& inputs);

}  // namespace mimus::scheduler
