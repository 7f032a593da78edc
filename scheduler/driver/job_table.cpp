// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/driver/job_table.hpp"

#include "base/error.hpp"

namespace mimus::scheduler {

JobRecord& JobTable::add(const JobView& view) {
  ensure(static_cast<bool>(view.id), "a job without an id arrives");
  if (view.id.index() >= jobs_.size()) jobs_.resize(view.id.index() + 1);
  auto& slot = jobs_[view.id.index()];
  ensure(slot == nullptr, "a job arrives twice");
  slot = std::make_unique<JobRecord>();
  slot->view = view;
  return *slot;
}

JobRecord& JobTable::at(JobId job) const {
  const bool known = job && job.index() < jobs_.size() && jobs_[job.index()] != nullptr;
  ensure(known, "a job is asked for that has not arrived");
  return *jobs_[job.index()];
}

JobRecord* JobTable::running(AttemptId attempt) const {
  if (!attempt || attempt.index() >= job_of_attempt_.size()) return nullptr;
  JobRecord& job = at(job_of_attempt_[attempt.index()]);
  return job.view.attempt == attempt ? &job : nullptr;
}

AttemptId JobTable::begin_attempt(JobRecord& job) {
  ensure(!job.view.attempt, "a job that runs starts again");
  job.view.attempt = AttemptId{static_cast<AttemptId::value_type>(job_of_attempt_.size())};
  job_of_attempt_.push_back(job.view.id);
  holding_.insert(job.view.id);
  return job.view.attempt;
}

void JobTable::end_attempt(JobRecord& job) {
  holding_.erase(job.view.id);
  job.view.attempt = AttemptId{};
}

}  // namespace mimus::scheduler
