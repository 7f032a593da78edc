// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/registry.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// A question to the books: would the blocked job fit if these attempts held nothing?
class WhatIf {
 public:
  virtual ~WhatIf() = default;
  virtual void release(AttemptId attempt) = 0;
  virtual void restore(AttemptId attempt) = 0;  ///< undoes one release
  [[nodiscard]] virtual bool fits() const = 0;
};

/// Decides which jobs must yield.
class Preemption {
 public:
  virtual ~Preemption() = default;
  /// False if no job ever yields; the other functions are then not called.
  [[nodiscard]] virtual bool active() const = 0;
  /// The earliest instant at which a running job may be stopped, fixed once it has made its first
  /// step; kNever when it may not.
  [[nodiscard]] virtual Instant stoppable_from(const JobView& running) const = 0;
  /// The attempts to stop so that a blocked job fits; empty when stopping does not help.
  /// `worse`: running jobs ranked after the blocked one that may be stopped now, worst first; where
  /// GPUs are interchangeable only as many as are needed at most.
  /// The state in which `what_if` is left does not matter.
  [[nodiscard]] virtual std::vector<AttemptId> victims(std::span<const JobView* const> worse,
                                                       WhatIf& what_if) const = 0;
  /// Least time between a first step and a stop; matters for orders that change continuously.
  [[nodiscard]] virtual Duration min_run() const { return Duration::zero(); }
};

[[nodiscard]] const Registry<Preemption>& preemption_choices();

}  // namespace mimus::scheduler
