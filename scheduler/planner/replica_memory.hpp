// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// Estimated memory that a replica of the job needs on its GPU.
[[nodiscard]] inline Bytes replica_memory(const JobView& job) {
  return job.model.memory(job.holds_gpus() ? job.batch.per_gpu : job.requested_per_gpu());
}

}  // namespace mimus::scheduler
