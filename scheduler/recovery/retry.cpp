// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/recovery/retry.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mimus::scheduler {

RecoveryDecision Retry::after(const JobView& job, const AttemptEnded& end, Duration) {
  switch (end.reason) {
    case EndReason::out_of_memory:
      return after_memory(job);
    case EndReason::failed:
      return after_failure(job, end);
    case EndReason::finished:
    case EndReason::preempted:
    case EndReason::resized:
    case EndReason::moved:
    case EndReason::node_down:
    case EndReason::worker_lost:
      break;
  }
  return {};
}

RecoveryDecision Retry::after_memory(const JobView& job) const {
  if (settings_.on_memory == OnMemory::give_up) {
    return {.retry = false,
            .reason = fmt::format("out of memory with {} samples per GPU", job.batch.per_gpu)};
  }
  if (job.batch.per_gpu <= job.model.per_gpu_batch_min) {
    return {.retry = false,
            .reason = fmt::format("out of memory with {} samples per GPU, its smallest batch",
                                  job.batch.per_gpu)};
  }
  return {.delay = settings_.delay,
          .per_gpu_batch = std::max(job.model.per_gpu_batch_min, job.batch.per_gpu / 2),
          .reason = ""};
}

RecoveryDecision Retry::after_failure(const JobView& job, const AttemptEnded& end) const {
  const int counted = job.failures - job.memory_failures;
  if (counted <= settings_.retries) return {.delay = settings_.delay, .reason = ""};
  return {.retry = false,
          .reason = fmt::format("failed {} times, last: {}", counted,
                                end.detail.empty() ? "no detail given" : end.detail)};
}

}  // namespace mimus::scheduler
