// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/shortest_job_first.hpp"

namespace mimus::scheduler {

Rank ShortestJobFirst::rank(const JobView& job, Instant) const {
  const std::int64_t known = job.estimated_run_time.count();
  const WideInteger major = known > 0 ? known : major_of(settings_.unknown);
  if (known > 0 && settings_.measure == Measure::service) {
    Rank rank{.tie = job.demand().value, .arrival = job.arrival, .job = job.id};
    set_thousandths(rank, WideInteger{known} * job.demand().value);
    return rank;
  }
  return {.major = major, .arrival = job.arrival, .job = job.id};
}

}  // namespace mimus::scheduler
