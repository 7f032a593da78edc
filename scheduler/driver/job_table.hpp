// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "scheduler/driver/pending_queue.hpp"

namespace mimus::scheduler {

/// Everything the driver keeps of one job.
struct JobRecord {
  JobView view;
  std::string group;                ///< that admission counts it in
  BatchPlan plan;                   ///< with which it will be placed
  Rank rank;                        ///< while it waits
  RequestClass* request = nullptr;  ///< while it waits and nothing holds it back
  Instant held_until{};             ///< by recovery
  Instant reconsider_at = kNever;   ///< entry in the timers, kNever for none
  Instant retune_from{};            ///< next evaluation of its batch
};

/// Jobs and attempts by id.
class JobTable {
 public:
  /// InternalError when the job is known already.
  JobRecord& add(const JobView& view);
  /// InternalError when unknown.
  [[nodiscard]] JobRecord& at(JobId job) const;
  /// The job that runs this attempt now; null when it has ended.
  [[nodiscard]] JobRecord* running(AttemptId attempt) const;

  /// Gives the job a new attempt id and lists it as holding GPUs.
  AttemptId begin_attempt(JobRecord& job);
  /// The job's present attempt is over.
  void end_attempt(JobRecord& job);

  /// Jobs with an attempt, by id.
  [[nodiscard]] const std::set<JobId>& holding() const { return holding_; }

 private:
  std::vector<std::unique_ptr<JobRecord>> jobs_;  ///< by job id
  std::vector<JobId> job_of_attempt_;             ///< by attempt id
  std::set<JobId> holding_;
};

}  // namespace mimus::scheduler
