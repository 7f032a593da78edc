// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/by_utilisation.hpp"

#include <cmath>

namespace mimus::scheduler {

Rank ByUtilisation::rank(const JobView& job, Instant) const {
  constexpr double kSteps = 1e9;
  const std::int64_t utilisation = std::llround(kSteps * job.estimated_utilisation);
  const bool highest = settings_.first == First::highest;
  return {.major = highest ? -utilisation : utilisation, .arrival = job.arrival, .job = job.id};
}

}  // namespace mimus::scheduler
