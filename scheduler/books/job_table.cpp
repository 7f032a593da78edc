// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/job_table.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace mimus::scheduler {

JobRecord& JobTable::add(JobView&& view) {
  ensure(static_cast<bool>(view.id), "a job without an id arrives");
  const JobId id = view.id;
  JobRecord& job = jobs_.emplace(id, std::move(view));
  by_arrival_.add(job);
  return job;
}

JobRecord* JobTable::running(AttemptId attempt) const {
  JobRecord* const* found = attempts_.find(attempt);
  return found == nullptr ? nullptr : *found;
}

std::vector<JobRecord*> JobTable::all() {
  std::vector<JobRecord*> jobs;
  jobs.reserve(jobs_.size());
  jobs_.for_each([&](JobId, JobRecord& job) {
    if (!job.left) jobs.push_back(&job);
  });
  std::sort(jobs.begin(), jobs.end(),
            [](const JobRecord* a, const JobRecord* b) { return a->view.id < b->view.id; });
  return jobs;
}

void JobTable::begin_attempt(JobRecord& job, AttemptId attempt) {
  ensure(!job.view.attempt, "a job that runs starts again");
  job.view.attempt = attempt;
  job.view.last_attempt = attempt;
  attempts_.insert(attempt, &job);
}

void JobTable::end_attempt(JobRecord& job) {
  attempts_.erase(job.view.attempt);
  job.view.attempt = AttemptId{};
}

void JobTable::leave(JobRecord& job) {
  job.left = true;
  by_arrival_.remove(job);
  left_.push_back(job.view.id);
}

void JobTable::forget_left() {
  for (const JobId job : left_) jobs_.erase(job);
  left_.clear();
}

}  // namespace mimus::scheduler
