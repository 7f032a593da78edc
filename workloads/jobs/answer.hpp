// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/jobs/job.hpp"

namespace mimus::workloads {

/// Of what becomes of its jobs, what a workload hears.
enum class Hears {
  nothing,
  ends,      ///< that they have left the system
  progress,  ///< that, and how far they are
};

/// What a workload hears of one of its jobs.
struct JobNews {
  enum class What { progress, finished, killed, gave_up };
  JobId job;
  What what = What::progress;
  double progress = 0.0;  ///< share of its work that is done, 0..1
  Instant at{};           ///< when it is heard
};

/// A trial of a hyper-parameter search has validated its model.
struct TrialValidation {
  JobId job;
  std::string application;     ///< the search
  std::int64_t trial = 0;      ///< of it, from 0
  double learning_rate = 1.0;  ///< over the best one
  std::int64_t batch = 1;      ///< total [samples]
  std::int64_t rung = 0;       ///< how many validations the trial had before
  double progress = 0.0;       ///< share of a full training
  double loss = 0.0;
  Duration since_arrival{};  ///< of the search
  bool goes_on = true;       ///< else the trial is stopped
};

/// What a workload does about the news.
struct Answer {
  std::vector<Job> submitted;  ///< they arrive when the news is heard, whatever is stated
  std::vector<JobId> cancelled;
  std::vector<TrialValidation> validations;  ///< for the record
};

}  // namespace mimus::workloads
