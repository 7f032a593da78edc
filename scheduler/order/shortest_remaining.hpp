// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/order/order.hpp"
#include "scheduler/order/unknown_run_time.hpp"

namespace mimus::scheduler {

/// Shortest remaining time first (SRTF), or shortest remaining service first (SRSF: remaining time
/// × GPUs, "shortest-gpu" in the public simulator of Tiresias, Gu et al., NSDI'19; a share s of a
/// GPU counts s). The remaining time is the estimated run time less the time in which the job has
/// made steps that it kept. Start-ups, checkpoints being written and work that a failure lost do
/// not count. A job that has trained for longer than its estimate has no time left. Ties go to the
/// earlier job. Without preemption a job's rank at its start is that of its whole estimate.
class ShortestRemaining final : public Order {
 public:
  enum class Measure { time, service };
  struct Settings {
    Measure measure = Measure::time;
    bool skip = true;
    Unknown unknown = Unknown::first;
  };
  explicit ShortestRemaining(Settings settings) : settings_(settings) {}

  [[nodiscard]] Rank rank(const JobView& job, Instant now) const override;
  [[nodiscard]] bool blocks() const override { return !settings_.skip; }
  [[nodiscard]] bool asks_run_time() const override { return true; }
  /// The instant at which a running job's remaining time is over.
  [[nodiscard]] Instant next_change(const JobView& job, Instant now) const override;
  /// Never, because the remaining time of a running job shrinks and that of a waiting one does not.
  [[nodiscard]] Instant overtaken_at(const JobView& running, const JobView& waiting,
                                     Instant now) const override;
  [[nodiscard]] std::int64_t drift(const JobView& running, Instant now) const override;

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
