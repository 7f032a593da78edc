// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/step_time_estimate.hpp"

#include "base/error.hpp"

namespace mimus::emulator {

std::optional<Duration> StepTimeEstimate::step_time(const std::string& model,
                                                    const scheduler::Allocation& allocation,
                                                    const scheduler::BatchPlan& batch) const {
  const workloads::Model* found = models_.find(model);
  if (found == nullptr || allocation.slots.empty() || steps_.counts_run_time()) return std::nullopt;
  Attempt attempt;
  attempt.model = found;
  attempt.allocation = allocation;
  attempt.batch = batch;
  try {
    return steps_.step(attempt, {}).step;
  } catch (const UsageError&) {  // not in the profile
    return std::nullopt;
  }
}

}  // namespace mimus::emulator
