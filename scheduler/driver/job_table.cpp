// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/driver/job_table.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.hpp"

namespace mimus::scheduler {

JobRecord& JobTable::add(JobView&& view) {
  ensure(static_cast<bool>(view.id), "a job without an id arrives");
  ensure(jobs_.find(view.id) == nullptr, "a job arrives twice");
  JobRecord& job = record(std::move(view));
  jobs_.insert(job.view.id, &job);
  return job;
}

JobRecord& JobTable::record(JobView&& view) {
  if (unused_.empty()) return records_.emplace_back(std::move(view));
  JobRecord* job = unused_.back();
  unused_.pop_back();
  std::destroy_at(job);
  return *std::construct_at(job, std::move(view));
}

JobRecord* JobTable::find(JobId job) const {
  JobRecord* const* found = jobs_.find(job);
  return found == nullptr ? nullptr : *found;
}

JobRecord& JobTable::at(JobId job) const {
  JobRecord* found = find(job);
  ensure(found != nullptr, "a job is asked for that has not arrived or has left");
  return *found;
}

JobRecord* JobTable::running(AttemptId attempt) const {
  JobRecord* const* found = attempts_.find(attempt);
  return found == nullptr ? nullptr : *found;
}

std::vector<JobRecord*> JobTable::all() const {
  std::vector<JobRecord*> jobs;
  jobs.reserve(jobs_.size());
  jobs_.for_each([&](JobId, JobRecord* job) {
    if (!job->left) jobs.push_back(job);
  });
  std::sort(jobs.begin(), jobs.end(),
            [](const JobRecord* a, const JobRecord* b) { return a->view.id < b->view.id; });
  return jobs;
}

AttemptId JobTable::begin_attempt(JobRecord& job) {
  ensure(!job.view.attempt, "a job that runs starts again");
  job.view.attempt = AttemptId{next_attempt_++};
  attempts_.insert(job.view.attempt, &job);
  return job.view.attempt;
}

void JobTable::end_attempt(JobRecord& job) {
  attempts_.erase(job.view.attempt);
  job.view.attempt = AttemptId{};
}

void JobTable::leave(JobRecord& job) {
  job.left = true;
  left_.push_back(&job);
}

void JobTable::forget_left() {
  for (JobRecord* job : left_) {
    jobs_.erase(job->view.id);
    unused_.push_back(job);
  }
  left_.clear();
}

}  // namespace mimus::scheduler
