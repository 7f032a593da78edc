// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/queue/queue_state.hpp"

namespace mimus::scheduler {

/// Starts jobs from the queue by rank, and stops running ones for better ranked ones if the
/// preemption choice allows it.
class QueueDecider final : public Decider {
 public:
  explicit QueueDecider(Books& books) : state_(books) {}

  bool hear(Happening what, JobRecord* job, Instant now) override;
  void decide(Instant now, Decision& decision) override;
  /// The next instant at which a running job might be stopped.
  [[nodiscard]] Instant wake_up() const override { return wake_up_; }

 private:
  bool hear_first_step(JobRecord& job, Instant now);
  [[nodiscard]] bool starts_quietly(const JobRecord& job, Instant now);

  QueueState state_;
  Instant wake_up_ = kNever;
  /// The instant of the last decision, if it left no job that could start, none for which GPUs
  /// could be cleared and none that is being stopped. Deciding again at this instant then has no
  /// effect.
  Instant settled_at_ = Instant::min();
};

}  // namespace mimus::scheduler
