// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/checkpoint_times.hpp"

#include <algorithm>

namespace mimus::emulator {

void CheckpointTimes::plan(JobId job, Course& course, Instant due) {
  due_.erase({course.due, job});
  course.due = due;
  if (due != kNever) due_.emplace(due, job);
}

void CheckpointTimes::trains(JobId job, Instant at) {
  const auto [found, is_first] = courses_.try_emplace(job);
  Course& course = found->second;
  if (is_first) course.safe_at = at;
  course.trains = true;
  plan(job, course, std::max(at, course.safe_at + every_));
}

void CheckpointTimes::pauses(JobId job) {
  const auto found = courses_.find(job);
  if (found == courses_.end()) return;
  found->second.trains = false;
  plan(job, found->second, kNever);
}

void CheckpointTimes::saved(JobId job, Instant at) {
  Course& course = courses_.at(job);
  course.safe_at = at;
  if (course.trains) plan(job, course, at + every_);
}

void CheckpointTimes::ended(JobId job) {
  pauses(job);
  courses_.erase(job);
}

std::optional<JobId> CheckpointTimes::take(Instant now) {
  if (next() > now) return std::nullopt;
  const JobId job = due_.begin()->second;
  plan(job, courses_.at(job), kNever);
  return job;
}

}  // namespace mimus::emulator
