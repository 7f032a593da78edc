// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/checkpoint.hpp"

#include <algorithm>

namespace mimus::scheduler {
namespace {

/// The shortest prefix of attempts, worst first, without which the blocked job fits. They are
/// released when it returns. Empty if the job does not fit even without all of them. If the job
/// fits without some attempts, it also fits without more of them. The number is therefore found in
/// growing strides and then by bisection.
std::vector<AttemptId> worst_needed(std::span<const JobView* const> worse, WhatIf& what_if) {
  std::size_t released = 0;
  const auto release_up_to = [&](std::size_t count) {
    for (; released < count; ++released) what_if.release(worse[released]->attempt);
    for (; released > count; --released) what_if.restore(worse[released - 1]->attempt);
    return what_if.fits();
  };
  std::size_t too_few = 0;  // with none released the job is blocked
  std::size_t enough = 0;
  for (std::size_t stride = 1; enough == 0; stride *= 2) {
    if (too_few == worse.size()) return {};
    const std::size_t count = std::min(too_few + stride, worse.size());
    (release_up_to(count) ? enough : too_few) = count;
  }
  while (enough - too_few > 1) {
    const std::size_t middle = too_few + (enough - too_few) / 2;
    (release_up_to(middle) ? enough : too_few) = middle;
  }
  if (released != enough) (void)release_up_to(enough);
  std::vector<AttemptId> needed;
  for (const JobView* job : worse.first(enough)) needed.push_back(job->attempt);
  return needed;
}

}  // namespace

Instant Checkpoint::stoppable_from(const JobView& running) const {
  if (running.state != JobState::running || running.stepping_since == kNever) return kNever;
  return running.stepping_since + settings_.min_run;
}

std::vector<AttemptId> Checkpoint::victims(std::span<const JobView* const> worse,
                                           WhatIf& what_if) const {
  std::vector<AttemptId> stopped = worst_needed(worse, what_if);
  if (stopped.empty()) return {};
  // The last one was needed by construction. Keeps those of the others that are not needed, best
  // rank first.
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
