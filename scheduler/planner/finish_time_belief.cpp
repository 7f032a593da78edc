// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/finish_time_belief.hpp"

#include <algorithm>
#include <utility>

#include "scheduler/planner/believed_course.hpp"

namespace mimus::scheduler {
namespace {

constexpr double kLeastRemaining = 60.0;  ///< of a job without any belief [s]
constexpr double kLeastPart = 1e-9;       ///< of a cluster

}  // namespace

BelievedRunTime believed_run_time(const JobView& job, std::optional<double> rate, Instant now) {
  const double trained = to_seconds(job.training_time(now)) / job.requested_gang;
  const double done = rate ? job.progress.samples_done / *rate : trained;
  const double whole = to_seconds(job.estimated_run_time);
  const double left = whole > 0.0 ? std::max(whole - done, 0.0) : std::max(done, kLeastRemaining);
  return {std::max(whole, done + left), left};
}

void FinishTimeBelief::at(const PlanQuery& query) {
  const double since = to_seconds(query.now - now_);
  application_seconds_ += count_ * since;
  now_ = query.now;
  Known known;
  std::map<ApplicationKey, std::map<JobId, Seen>> present;
  for (const PlanJob& job : query.jobs) {
    const ApplicationKey key = application_of(*job.view);
    if (!key.first.empty()) present[key].emplace(job.view->id, seen(*job.view, query.now));
    const auto [entry, is_first] = known.try_emplace(key);
    if (!is_first) continue;
    if (const auto before = known_.find(key); before != known_.end()) {
      entry->second = std::move(before->second);
    } else {
      entry->second = {application_seconds_, job.view->arrival, 0.0, {}};
    }
  }
  for (auto& [key, jobs] : present) {
    Application& application = known.at(key);
    for (const auto& [job, before] : application.jobs) {
      if (jobs.contains(job)) continue;
      application.service_of_ended += before.service + before.gpus * since;
    }
    application.jobs = std::move(jobs);
  }
  known_ = std::move(known);
  count_ = static_cast<double>(known_.size());
}

FinishTimeBelief::Seen FinishTimeBelief::seen(const JobView& job, Instant now) {
  return {to_seconds(job.training_time(now)), job.trains() ? job.gpus() : 0};
}

double FinishTimeBelief::mean_applications(const JobView& of, Instant arrival, Instant now) const {
  const double age = to_seconds(now - arrival);
  const auto since = known_.find(application_of(of));
  if (age <= 0.0 || since == known_.end()) return std::max(count_, 1.0);
  return std::max((application_seconds_ - since->second.seconds_at_arrival) / age, 1.0);
}

/// Of the cluster, that an application of its time would have alone [GPUs].
double FinishTimeBelief::part_of(const JobView& of, Instant arrival, double demand,
                                 const PlanQuery& query) const {
  const double mean = mean_applications(of, arrival, query.now);
  return std::max(std::min(query.cluster.gpus_left() / mean, demand), kLeastPart);
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
  const double part = part_of(job, job.arrival, gang, query);
  return (to_seconds(query.now - job.arrival) + time.left * slower) / (time.whole * gang / part);
}

double FinishTimeBelief::rho(std::span<const JobView* const> jobs, int gpus,
                             const PlanQuery& query) const {
  const JobView& first = *jobs.front();
  if (first.application.empty()) return rho(first, gpus, query);
  const auto known = known_.find(application_of(first));
  const bool is_known = known != known_.end();
  const Instant arrival = is_known ? known->second.arrival : first.arrival;
  const BelievedCourse course(query);
  double service = is_known ? known->second.service_of_ended : 0.0;
  double left = 0.0, longest = 0.0, demand = 0.0;
  for (const JobView* job : jobs) {
    const int gang = job->requested_gang;
    const auto time = believed_run_time(*job, course.throughput(*job, gang), query.now);
    service += time.whole * gang;
    left += time.left * gang;
    longest = std::max(longest, time.left);
    demand += gang;
  }
  const double remaining = std::max(left / std::min<double>(gpus, demand), longest);
  const double alone = service / part_of(first, arrival, demand, query);
  return (to_seconds(query.now - arrival) + remaining) / alone;
}

}  // namespace mimus::scheduler
