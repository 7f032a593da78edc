// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/no_preemption.hpp"

namespace mimus::scheduler {

Instant NoPreemption::stoppable_from(const JobView&) const {
  return kNever;
}

std::vector<AttemptId> NoPreemption::victims(std::span<const JobView* const>, WhatIf&) const {
  return {};
}

}  // namespace mimus::scheduler
