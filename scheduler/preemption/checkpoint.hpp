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
  struct Settings {
    Duration min_run = std::chrono::seconds(60);  ///< from an attempt's first step to a stop
  };
  explicit Checkpoint(Settings settings) : settings_(settings) {}

  [[nodiscard]] bool active() const override { return true; }
  [[nodiscard]] Instant stoppable_from(const JobView& running) const override;
  [[nodiscard]] std::vector<AttemptId> victims(std::span<const JobView* const> worse,
                                               WhatIf& what_if) const override;
  [[nodiscard]] Duration min_run() const override { return settings_.min_run; }

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
