// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/running_index.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace mimus::scheduler {

std::vector<RunningIndex::Group>::iterator RunningIndex::group_of(const JobRecord& job) {
  return std::lower_bound(
      groups_.begin(), groups_.end(), job, [](const Group& group, const JobRecord& j) {
        return std::pair(group.drift, group.counted_in) < std::pair(j.running.drift, j.group);
      });
}

bool RunningIndex::is_of(const Group& group, const JobRecord& job) {
  return group.drift == job.running.drift && group.counted_in == job.group;
}

void RunningIndex::add(JobRecord& job) {
  auto group = group_of(job);
  if (group == groups_.end() || !is_of(*group, job)) {
    group = groups_.insert(group, Group{job.running.drift, job.group, {}});
  }
  ensure(group->runners.insert({job.running.rank, &job}), "a job runs twice");
}

void RunningIndex::remove(const JobRecord& job) {
  const auto group = group_of(job);
  ensure(group != groups_.end() && group->runners.erase({job.running.rank, nullptr}),
         "a job that does not run is taken from the running ones");
  if (group->runners.empty()) groups_.erase(group);
}

bool RunningIndex::any_after(const Rank& rank, Instant time, Reach reach) const {
  return std::any_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    return reach.has(group.counted_in) && rank < group.runners.back().rank.at(group.drift, time);
  });
}

JobRecord* RunningIndex::last_before(const Group& group, const Rank& rank, Instant time) {
  const Runner* runner = group.runners.before({SteadyRank::of(rank, group.drift, time), nullptr});
  return runner == nullptr ? nullptr : runner->job;
}

RunningIndex::WorstFirst::WorstFirst(const RunningIndex& index, Instant time, Reach reach)
    : time_(time) {
  cursors_.reserve(index.groups_.size());
  for (const Group& group : index.groups_) {
    if (!reach.has(group.counted_in)) continue;
    move_to(cursors_.emplace_back(Cursor{&group, nullptr, {}}), &group.runners.back());
  }
}

void RunningIndex::WorstFirst::move_to(Cursor& cursor, const Runner* runner) const {
  cursor.runner = runner;
  if (runner != nullptr) cursor.rank = runner->rank.at(cursor.group->drift, time_);
}

JobRecord* RunningIndex::WorstFirst::next_after(const Rank& rank) {
  Cursor* worst = nullptr;
  for (Cursor& cursor : cursors_) {
    if (cursor.runner == nullptr) continue;
    if (worst == nullptr || worst->rank < cursor.rank) worst = &cursor;
  }
  if (worst == nullptr || !(rank < worst->rank)) return nullptr;
  JobRecord* job = worst->runner->job;
  move_to(*worst, worst->group->runners.before(*worst->runner));
  return job;
}

}  // namespace mimus::scheduler
