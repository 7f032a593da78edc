// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scheduler/books/attempts.hpp"
#include "scheduler/queue/promises.hpp"
#include "scheduler/queue/runners.hpp"

namespace mimus::scheduler {

/// The state that the steps of a decision from the queue share, besides the books.
struct QueueState {
  explicit QueueState(Books& the_books)
      : books(the_books),
        preempts(books.policy.preemption->active()),
        runners(*books.policy.order, *books.policy.preemption) {}

  Books& books;
  bool preempts;  ///< running jobs may be stopped for waiting ones
  Runners runners;
  std::vector<Promise> promises;  ///< by rank, best first
};

/// The result of a walk through the waiting jobs.
struct StartPass {
  /// False when it ended at a job that may fit and would pass one that does not.
  bool complete = true;
  /// Promises that have kept GPUs from others without a start.
  std::vector<Promise> unfulfilled{};
};
/// Starts jobs that fit, by rank. What is left of the promises is for make_room to renew.
[[nodiscard]] StartPass start_fitting(QueueState& state, Instant now, bool ends_at_passing,
                                      Decision& decision);
/// Stops running jobs for blocked ones ranked before them. Returns the next instant at which
/// another one might be stopped.
Instant make_room(QueueState& state, Instant now, Decision& decision);
using MakeRoom = Instant (*)(QueueState& state, Instant now, Decision& decision);
/// Both of the above. Room for a job is made before jobs that would pass it start, so that none of
/// them gets what the better ranked one also needs. As long as a promise has withheld GPUs for
/// nothing, because a better ranked job took a part of them, the jobs concerned are tried again.
/// Returns the result of the last make_room.
[[nodiscard]] Instant start_and_make_room(QueueState& state, Instant now, Decision& decision,
                                          MakeRoom make_room);

}  // namespace mimus::scheduler
