// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/lane_count.hpp"

#include <algorithm>

#include "scheduler/jobs/milli_gpus.hpp"

namespace mimus::emulator {

int lane_count(const scheduler::Policy& policy, const workloads::Workload& workload) {
  std::int64_t jobs = 0;
  auto smallest = scheduler::kWholeGpu;
  for (const workloads::Job& job : workload.jobs) {
    if (job.gang == 0) continue;
    ++jobs;
    smallest = std::min(smallest, scheduler::MilliGpus::of_share(job.gpu_share));
  }
  std::int64_t lanes = std::min<std::int64_t>(policy.max_tenants(), jobs);
  if (policy.divides_gpus()) {
    lanes = std::min(lanes, scheduler::kWholeGpu.value / smallest.value);
  }
  return static_cast<int>(std::max<std::int64_t>(lanes, 1));
}

}  // namespace mimus::emulator
