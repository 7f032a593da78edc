// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/jobs/gang_range.hpp"

#include <fmt/format.h>

namespace mimus::workloads {

bool has_gang_range(const Job& job) {
  return job.gang_min > Job{}.gang_min || job.gang_max < Job{}.gang_max;
}

std::string why_no_range(const Job& job) {
  if (!has_gang_range(job)) return "";
  if (job.gang_min > job.gang) {
    return fmt::format("asks for {} GPUs, but its gang_min is {}; state at most the gang", job.gang,
                       job.gang_min);
  }
  if (job.gang_max >= job.gang) return "";
  return fmt::format("asks for {} GPUs, but its gang_max is {}; state at least the gang", job.gang,
                     job.gang_max);
}

}  // namespace mimus::workloads
