// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/scheduler.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "scheduler/driver/state.hpp"
#include "scheduler/driver/take_event.hpp"

namespace mimus::scheduler {

Scheduler::Scheduler(ClusterShape shape, Policy policy)
    : state_(std::make_unique<State>(std::move(shape), std::move(policy))) {}
Scheduler::~Scheduler() = default;
Scheduler::Scheduler(Scheduler&&) noexcept = default;
Scheduler& Scheduler::operator=(Scheduler&&) noexcept = default;

Decision Scheduler::on_event(const Event& event, Instant now) {
  return on_events({&event, 1}, now);
}

Decision Scheduler::on_events(std::span<const Event> events, Instant now) {
  ensure(now >= last_, "an event lies before the last one");
  last_ = now;
  Decision decision;
  bool pass = now >= std::min({state_->timers.next(), power_wake_up_, room_wake_up_});
  for (const Event& event : events) pass |= take_event(*state_, event, now, decision);
  if (pass) {
    ++state_->version;
    reconsider_due(*state_, now);
    power_wake_up_ = apply_power(*state_, now);
    start_fitting(*state_, now, decision);
    room_wake_up_ = make_room(*state_, now, decision);
  }
  decision.wake_up = std::min({state_->timers.next(), power_wake_up_, room_wake_up_});
  ensure(decision.wake_up > now, "a policy asks to be woken in the past");
  return decision;
}

const Cluster& Scheduler::cluster() const {
  return state_->cluster;
}

const JobView& Scheduler::job(JobId id) const {
  JobRecord& job = state_->jobs.at(id);
  if (job.view.state == JobState::queued) explain(*state_, job);
  return job.view;
}

const std::vector<JobId>& Scheduler::queue() const {
  if (queue_version_ == state_->version) return queue_;
  std::vector<Rank> waiting(state_->held_back.begin(), state_->held_back.end());
  waiting.reserve(queued());
  for (const auto& head : state_->pending.heads()) {
    waiting.insert(waiting.end(), head.request->waiting.begin(), head.request->waiting.end());
  }
  std::sort(waiting.begin(), waiting.end());
  queue_.clear();
  for (const Rank& rank : waiting) {
    explain(*state_, state_->jobs.at(rank.job));
    queue_.push_back(rank.job);
  }
  queue_version_ = state_->version;
  return queue_;
}

std::size_t Scheduler::unfinished() const {
  return state_->unfinished;
}

std::size_t Scheduler::queued() const {
  return state_->pending.size() + state_->held_back.size();
}

}  // namespace mimus::scheduler
