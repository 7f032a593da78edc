// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/preemption/preemption.hpp"

namespace mimus::scheduler {

/// Stops running jobs by checkpoint for a job that ranks strictly before them: worst rank first,
/// and of those only the ones whose GPUs are needed. For interchangeable GPUs this is the rule
/// "walk the ranking and run whatever fits" of Tiresias (Gu et al., NSDI'19) and of the public
/// preemptive simulators. A job is left alone for `min_run` after its first step, so that every
/// attempt makes progress.
class Checkpoint final : public Preemption {
 public:
  explicit Checkpoint(Duration min_run) : min_run_(min_run) {}

  [[nodiscard]] bool active() const override { return true; }
  [[nodiscard]] Instant stoppable_from(const JobView& running) const override;
  [[nodiscard]] std::vector<AttemptId> victims(std::span<const JobView* const> worse,
                                               WhatIf& what_if) const override;
  [[nodiscard]] Duration min_run() const override { return min_run_; }

 private:
  Duration min_run_;
};

}  // namespace mimus::scheduler
