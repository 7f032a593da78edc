// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/checkpoint.hpp"

#include <algorithm>

namespace mimus::scheduler {

Instant Checkpoint::stoppable_from(const JobView& running) const {
  if (running.state != JobState::running || running.stepping_since == kNever) return kNever;
  return running.stepping_since + min_run_;
}

std::vector<AttemptId> Checkpoint::victims(std::span<const JobView* const> worse,
                                           WhatIf& what_if) const {
  std::vector<AttemptId> stopped;
  for (const JobView* job : worse) {
    what_if.release(job->attempt);
    stopped.push_back(job->attempt);
    if (what_if.fits()) break;
  }
  if (stopped.empty() || !what_if.fits()) return {};
  // The last one was needed by construction; of the others spare what is not, best rank first.
  for (std::size_t i = stopped.size() - 1; i-- > 0;) {
    what_if.restore(stopped[i]);
    if (what_if.fits()) {
      stopped[i] = AttemptId{};
    } else {
      what_if.release(stopped[i]);
    }
  }
  std::erase(stopped, AttemptId{});
  return stopped;
}

}  // namespace mimus::scheduler
