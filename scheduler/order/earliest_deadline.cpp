// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/earliest_deadline.hpp"

namespace mimus::scheduler {

Rank EarliestDeadline::rank(const JobView& job, Instant) const {
  return {.major = job.deadline.time_since_epoch().count(), .arrival = job.arrival, .job = job.id};
}

}  // namespace mimus::scheduler
