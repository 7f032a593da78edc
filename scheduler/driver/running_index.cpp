// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/driver/running_index.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace mimus::scheduler {

std::vector<RunningIndex::Group>::iterator RunningIndex::group_of(std::int64_t drift) {
  return std::lower_bound(groups_.begin(), groups_.end(), drift,
                          [](const Group& group, std::int64_t d) { return group.drift < d; });
}

void RunningIndex::add(JobRecord& job) {
  auto group = group_of(job.running.drift);
  if (group == groups_.end() || group->drift != job.running.drift) {
    group = groups_.insert(group, Group{job.running.drift, {}});
  }
  ensure(group->runners.insert({job.running.rank, &job}), "a job runs twice");
}

void RunningIndex::remove(const JobRecord& job) {
  const auto group = group_of(job.running.drift);
  ensure(group != groups_.end() && group->runners.erase({job.running.rank, nullptr}),
         "a job that does not run is taken from the running ones");
  if (group->runners.empty()) groups_.erase(group);
}

bool RunningIndex::any_after(const Rank& rank, Instant time) const {
  return std::any_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    return rank < group.runners.back().rank.at(group.drift, time);
  });
}

JobRecord* RunningIndex::last_before(const Group& group, const Rank& rank, Instant time) {
  const Runner* runner = group.runners.before({SteadyRank::of(rank, group.drift, time), nullptr});
  return runner == nullptr ? nullptr : runner->job;
}

RunningIndex::WorstFirst::WorstFirst(const RunningIndex& index, Instant time) : time_(time) {
  cursors_.reserve(index.groups_.size());
  for (const Group& group : index.groups_) {
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
