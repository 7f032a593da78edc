// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "scheduler/containers/id_pool.hpp"
#include "scheduler/jobs/allocation.hpp"
#include "workloads/jobs/job.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// The truth about a job in the system, which the scheduler does not see.
struct JobTruth {
  explicit JobTruth(workloads::Job&& arriving) : job(std::move(arriving)) {}

  workloads::Job job;
  const workloads::Model* model = nullptr;  ///< null when its work is recorded run time
  double samples_done = 0.0;                ///< at its last checkpoint
  double samples_reported = 0.0;            ///< as its running attempt last reported
  int failures = 0;                         ///< that its plan has caused
  int attempts = 0;                         ///< that got new GPUs
  Instant fails = kNever;                   ///< planned end of its present attempt
  bool has_checkpoint = false;
  bool cancelled = false;      ///< by its workload
  bool is_over = false;        ///< its attempt has ended since then, as its workload has been told
  scheduler::Allocation last;  ///< of its last attempt
  AttemptId attempt;           ///< that runs now, else none
};

/// The jobs in the system, which have arrived and not ended. The testbed keeps them; oracles read
/// them.
class JobTruths {
 public:
  explicit JobTruths(const workloads::ModelCatalogue& models) : models_(models) {}

  /// `run_time_job`: its work is counted in seconds of recorded run time.
  JobTruth& arrive(workloads::Job&& job, bool run_time_job);
  /// Throws InternalError if the job is not in the system.
  [[nodiscard]] JobTruth& at(JobId job) { return jobs_.at(job); }
  [[nodiscard]] const JobTruth& at(JobId job) const { return jobs_.at(job); }
  void leave(JobId job) { jobs_.erase(job); }
  [[nodiscard]] bool empty() const { return jobs_.empty(); }
  [[nodiscard]] const workloads::ModelCatalogue& models() const { return models_; }

 private:
  const workloads::ModelCatalogue& models_;
  scheduler::IdPool<JobId, JobTruth> jobs_;
};

}  // namespace mimus::emulator
