// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/job_truth.hpp"

#include "base/error.hpp"

namespace mimus::emulator {

JobTruth& JobTruths::arrive(workloads::Job job, bool run_time_job) {
  const JobId id = job.id;
  JobTruth truth;
  truth.model = run_time_job ? nullptr : &models_.at(job.model);
  if (run_time_job) job.work_samples = to_seconds(job.run_time);
  truth.job = std::move(job);
  const auto [place, is_new] = jobs_.emplace(id, std::move(truth));
  ensure(is_new, "a job arrives twice");
  return place->second;
}

JobTruth& JobTruths::at(JobId job) {
  const auto found = jobs_.find(job);
  ensure(found != jobs_.end(), "a job is asked for that is not in the system");
  return found->second;
}

const JobTruth& JobTruths::at(JobId job) const {
  const auto found = jobs_.find(job);
  ensure(found != jobs_.end(), "a job is asked for that is not in the system");
  return found->second;
}

}  // namespace mimus::emulator
