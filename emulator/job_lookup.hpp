// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "workloads/jobs/job.hpp"

namespace mimus::emulator {

/// How an oracle looks at the jobs in the system. Both functions are called for every question.
struct JobLookup {
  std::function<const workloads::Job&(JobId)> job;
  /// Progress of the job, including the running attempt [samples at M0, or s of run time].
  std::function<double(JobId)> samples_done;
};

}  // namespace mimus::emulator
