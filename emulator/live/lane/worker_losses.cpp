// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/lane/worker_losses.hpp"

namespace mimus::emulator {

void WorkerLosses::abandon(const AbandonAttempt& message, std::int64_t attempt, bool begins) {
  for (const std::int64_t id : {message.attempt, message.before, message.next}) {
    if (id < 0) continue;
    gone_.insert(id);
    if (message.all_live) {
      cut_off_.insert(id);
    } else {
      cut_off_.erase(id);  // a worker has died meanwhile
    }
  }
  owed_.push_back(message.attempt);
  if (!is_abandoned(attempt) && !begins) left();
}

void WorkerLosses::left() {
  for (const std::int64_t attempt : std::exchange(owed_, {})) {
    mailbox_.send(0, AttemptAbandoned{attempt});
  }
}

/// A message from the previous cell belongs to an attempt that was abandoned.
void WorkerLosses::meet(const GangMeets& message, int source) {
  if (message.cell == cell_) met_[{message.attempt, message.number}].insert(source);
}

const std::set<int>& WorkerLosses::met(std::int64_t attempt, std::int32_t number) {
  return met_[{attempt, number}];
}

}  // namespace mimus::emulator
