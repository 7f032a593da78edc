// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/shortest_job_first.hpp"

#include <limits>

namespace mimus::scheduler {

Rank ShortestJobFirst::rank(const JobView& job, Instant) const {
  std::int64_t key = job.user_estimate.count();
  if (key <= 0) {
    key = settings_.unknown == Unknown::first ? 0 : std::numeric_limits<std::int64_t>::max();
  }
  return {.major = key, .arrival = job.arrival, .job = job.id};
}

}  // namespace mimus::scheduler
