// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/jobs/job_view.hpp"

#include <algorithm>

namespace mimus::scheduler {

const char* name(JobState state) {
  switch (state) {
    case JobState::queued:
      return "queued";
    case JobState::starting:
      return "starting";
    case JobState::running:
      return "running";
    case JobState::stopping:
      return "stopping";
    case JobState::finished:
      return "finished";
    case JobState::failed:
      return "failed";
    case JobState::rejected:
      return "rejected";
    case JobState::killed:
      return "killed";
  }
  return "unknown";
}

const char* name(SuspendedMemory keeps) {
  switch (keeps) {
    case SuspendedMemory::all:
      return "all";
    case SuspendedMemory::state:
      return "state";
    case SuspendedMemory::nothing:
      return "nothing";
  }
  return "unknown";
}

const char* name(WaitCause cause) {
  switch (cause) {
    case WaitCause::none:
      return "none";
    case WaitCause::capacity:
      return "capacity";
    case WaitCause::fragmentation:
      return "fragmentation";
    case WaitCause::order:
      return "order";
    case WaitCause::quota:
      return "quota";
    case WaitCause::backoff:
      return "backoff";
    case WaitCause::restart:
      return "restart";
    case WaitCause::boot:
      return "boot";
  }
  return "unknown";
}

Bytes ModelFacts::kept_memory(std::int64_t per_gpu_batch, const DeviceLimits& limits,
                              SuspendedMemory keeps) const {
  switch (keeps) {
    case SuspendedMemory::all:
      return limits.on_device(memory(per_gpu_batch));
    case SuspendedMemory::state:
      return limits.on_device(base_memory);
    case SuspendedMemory::nothing:
      return Bytes{};
  }
  return limits.on_device(memory(per_gpu_batch));
}

WideDuration JobView::replica_time(Instant now) const {
  if (!holds_gpus()) return attained_time;
  return attained_time + WideDuration{std::min(now, suspended_since) - running_since} * replicas();
}

WideDuration JobView::training_time(Instant now) const {
  if (!holds_gpus()) return kept_training;
  const Instant until = std::min({now, asked_to_stop, suspended_since});
  if (until <= stepping_since) return kept_training;
  return kept_training + WideDuration{until - stepping_since} * replicas();
}

WideDuration JobView::service(Instant now) const {
  return gpu_time(replica_time(now), share);
}

}  // namespace mimus::scheduler
