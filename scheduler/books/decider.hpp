// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/jobs/action.hpp"

namespace mimus::scheduler {

struct JobRecord;

/// What a decider hears of between its decisions, once the books know of it.
enum class Happening {
  arrival,     ///< a job has entered the queue, or recovery holds it back no longer
  first_step,  ///< an attempt has made its first step, or has resumed
  suspended,   ///< an attempt makes no steps any more and keeps its GPUs
  limited,     ///< an attempt's limits have come to hold
  report,      ///< a running job has reported progress
  reranked,    ///< a running job's rank follows from what the order has learned
  leaving,     ///< an attempt is asked to stop, or to go on elsewhere, or has ended
  end,         ///< a job has left, or its attempt has ended without being asked to
  stopped,     ///< an attempt has ended that was asked to stop
  failure,     ///< a node has gone down, come up or booted, or a GPU is lost
};

/// Decides who starts and who stops: from a queue (queue/) or by a plan (plan/).
class Decider {
 public:
  virtual ~Decider() = default;
  /// `job`: to which it has happened; null for failures. Returns true when a decision may now come
  /// out otherwise than the last one.
  virtual bool hear(Happening what, JobRecord* job, Instant now) = 0;
  virtual void decide(Instant now, Decision& decision) = 0;
  /// When to decide again at the latest, although nothing happens.
  [[nodiscard]] virtual Instant wake_up() const = 0;
};

}  // namespace mimus::scheduler
