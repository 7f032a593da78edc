// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/fifo.hpp"

namespace mimus::scheduler {

Rank Fifo::rank(const JobView& job, Instant) const {
  return {.arrival = job.arrival, .job = job.id};
}

}  // namespace mimus::scheduler
