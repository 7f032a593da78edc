// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scheduler/queue/queue_state.hpp"

namespace mimus::scheduler {
namespace {

bool all_stand(const std::vector<Promise>& made, const std::vector<Promise>& promises) {
  return std::all_of(made.begin(), made.end(), [&](const Promise& promise) {
    return std::find(promises.begin(), promises.end(), promise) != promises.end();
  });
}

}  // namespace

Instant start_and_make_room(QueueState& state, Instant now, Decision& decision,
                            MakeRoom make_room) {
  arrange_queue(state.books, now);
  while (true) {
    const StartPass before = start_fitting(state, now, state.preempts, decision);
    StartPass rest;
    if (!before.complete) {
      (void)make_room(state, now, decision);
      rest = start_fitting(state, now, false, decision);
    }
    const Instant next_chance = make_room(state, now, decision);
    const bool stand = all_stand(before.unfulfilled, state.promises) &&
                       all_stand(rest.unfulfilled, state.promises);
    if (stand) return next_chance;
  }
}

}  // namespace mimus::scheduler
