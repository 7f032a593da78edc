// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/job_truth.hpp"

namespace mimus::emulator {

JobTruth& JobTruths::arrive(workloads::Job&& job, bool run_time_job) {
  const JobId id = job.id;
  JobTruth& truth = jobs_.emplace(id, std::move(job));
  if (run_time_job) {
    truth.job.work_samples = to_seconds(truth.job.run_time);
  } else {
    truth.model = &models_.at(truth.job.model);
  }
  return truth;
}

}  // namespace mimus::emulator
