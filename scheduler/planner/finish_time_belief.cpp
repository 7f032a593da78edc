// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/finish_time_belief.hpp"

#include <algorithm>

#include "scheduler/planner/believed_course.hpp"

namespace mimus::scheduler {
namespace {

constexpr double kLeastRemaining = 60.0;  ///< of a job without any belief [s]

}  // namespace

BelievedRunTime believed_run_time(const JobView& job, std::optional<double> rate, Instant now) {
  const double trained = to_seconds(job.training_time(now)) / job.requested_gang;
  const double done = rate ? job.progress.samples_done / *rate : trained;
  const double whole = to_seconds(job.estimated_run_time);
  const double left = whole > 0.0 ? std::max(whole - done, 0.0) : std::max(done, kLeastRemaining);
  return {std::max(whole, done + left), left};
}

void FinishTimeBelief::at(const PlanQuery& query) {
  job_seconds_ += jobs_ * to_seconds(query.now - now_);
  now_ = query.now;
  jobs_ = static_cast<double>(query.jobs.size());
  std::unordered_map<JobId, double> known;
  for (const PlanJob& job : query.jobs) {
    const auto before = job_seconds_at_arrival_.find(job.view->id);
    known[job.view->id] = before == job_seconds_at_arrival_.end() ? job_seconds_ : before->second;
  }
  job_seconds_at_arrival_ = std::move(known);
}

double FinishTimeBelief::mean_jobs(const JobView& job, Instant now) const {
  const double age = to_seconds(now - job.arrival);
  const auto since = job_seconds_at_arrival_.find(job.id);
  if (age <= 0.0 || since == job_seconds_at_arrival_.end()) return std::max(jobs_, 1.0);
  return std::max((job_seconds_ - since->second) / age, 1.0);
}

double FinishTimeBelief::rho(const JobView& job, int gpus, const PlanQuery& query) const {
  const int gang = job.requested_gang;
  const BelievedCourse course(query);
  const auto rate_of_gang = course.throughput(job, gang);
  const auto rate = gpus == gang ? rate_of_gang : course.throughput(job, gpus);
  const double slower = rate && rate_of_gang
                            ? *rate_of_gang / *rate
                            : static_cast<double>(gang) / static_cast<double>(gpus);
  const BelievedRunTime time = believed_run_time(job, rate_of_gang, query.now);
  const double part =
      std::min(query.cluster.gpus_left() / mean_jobs(job, query.now), static_cast<double>(gang));
  return (to_seconds(query.now - job.arrival) + time.left * slower) /
         (time.whole * gang / std::max(part, 1e-9));
}

}  // namespace mimus::scheduler
