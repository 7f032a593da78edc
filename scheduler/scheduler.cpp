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
  Decision decision;
  begin(now, decision);
  bool pass = false;
  for (const Event& event : events) pass |= take_event(*state_, Event(event), now, decision);
  decide(pass, now, decision);
  return decision;
}

void Scheduler::on_events(std::span<Event> events, Instant now, Decision& decision) {
  begin(now, decision);
  bool pass = false;
  for (Event& event : events) pass |= take_event(*state_, std::move(event), now, decision);
  decide(pass, now, decision);
}

void Scheduler::begin(Instant now, Decision& decision) {
  ensure(now >= last_, "an event lies before the last one");
  last_ = now;
  decision.actions.clear();
  state_->jobs.forget_left();
}

void Scheduler::decide(bool pass, Instant now, Decision& decision) {
  State& state = *state_;
  if (pass || now >= wake_up()) {
    ++state.version;
    reconsider_due(state, now);
    power_wake_up_ = apply_power(state, now);
    if (state.policy.sizing->allots()) {
      state.room_wake_up = allot(state, now, decision);
    } else {
      state.room_wake_up = start_and_make_room(state, now, decision, make_room);
    }
    const bool settled = state.preempts && state.promises.empty() && state.stopping.empty();
    state.settled_at = settled ? now : Instant::min();
    if (state.accounts_waits) account_waits(state, now);
  }
  decision.wake_up = wake_up();
  ensure(decision.wake_up > now, "a policy asks to be woken in the past");
}

Instant Scheduler::wake_up() const {
  return std::min({state_->timers.next(), power_wake_up_, state_->room_wake_up});
}

void Scheduler::set_wait_accounting(bool on) {
  ensure(state_->jobs.all().empty(), "wait accounting is switched while jobs are in the system");
  state_->accounts_waits = on;
}

WaitTimes Scheduler::waited(JobId id, Instant now) const {
  const JobRecord& job = state_->jobs.at(id);
  return state_->accounts_waits ? waited_until(job, now) : job.view.waited;
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
    head.request->waiting.for_each([&](const WaitingJob& job) { waiting.push_back(job.rank); });
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
