// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/jobs/action.hpp"

namespace mimus::scheduler {

struct JobRecord;

/// Events of which a decider is informed between its decisions, after the books.
enum class Happening {
  arrival,     ///< a job has entered the queue or is no longer held back
  first_step,  ///< an attempt has made its first step, or has resumed
  suspended,   ///< an attempt makes no more steps and keeps its GPUs
  limited,     ///< an attempt's limits are in force
  report,      ///< a running job has reported progress
  reranked,    ///< a running job's rank has changed with what was learned
  leaving,     ///< an attempt is asked to stop or to move, or has ended
  end,         ///< a job has left, or an attempt ended unasked
  stopped,     ///< an attempt that was asked to stop has ended
  failure,     ///< a node has gone down, come up or booted, or a GPU is lost
};

/// Decides which jobs start and stop: from a queue (queue/) or by a plan (plan/).
class Decider {
 public:
  virtual ~Decider() = default;
  /// `job`: the affected job; null for failures. Returns true if a new decision may have another
  /// result.
  virtual bool hear(Happening what, JobRecord* job, Instant now) = 0;
  /// Called before decide() where the power choice needs to know what nodes are worth: tells it, if
  /// a new plan is due.
  virtual void value_nodes(Instant /*now*/) {}
  virtual void decide(Instant now, Decision& decision) = 0;
  /// The latest instant of the next decision if nothing happens.
  [[nodiscard]] virtual Instant wake_up() const = 0;
};

}  // namespace mimus::scheduler
