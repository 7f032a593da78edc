// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// REALLOC_FACTOR of Pollux (Qiao et al., OSDI'21, §4.2) and of its artifact: the share of its
/// goodput with which a job counts if it would have to restart, max(T − Rδ, 0) ÷ (T + δ) at age T
/// after R restarts that cost `restart` = δ each. The first start is not a restart.
[[nodiscard]] inline double restart_factor(const JobView& job, Instant now, Duration restart) {
  const double age = to_seconds(now - job.arrival);
  const double cost = to_seconds(restart);
  const int restarts = std::max(job.attempts - 1, 0);
  if (age + cost <= 0.0) return 1.0;
  return std::max(age - restarts * cost, 0.0) / (age + cost);
}

}  // namespace mimus::scheduler
