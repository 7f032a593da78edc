// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/batch/planned.hpp"

namespace mimus::scheduler {

std::optional<std::int64_t> Planned::total(const JobView& job,
                                           const TrainedSamples& trained) const {
  std::optional<std::int64_t> batch;
  for (const auto& [epoch, from_then_on] : job.batch_plan) {
    if (epoch <= epochs(job, trained)) batch = from_then_on;
  }
  return batch;
}

}  // namespace mimus::scheduler
