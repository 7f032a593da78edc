// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/scheduler.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "scheduler/books/books.hpp"
#include "scheduler/books/take_event.hpp"
#include "scheduler/plan/reconciler.hpp"
#include "scheduler/queue/queue_decider.hpp"

namespace mimus::scheduler {

Scheduler::Scheduler(ClusterShape shape, Policy policy)
    : books_(std::make_unique<Books>(std::move(shape), std::move(policy))) {
  if (books_->policy.planner == nullptr) {
    books_->decider = std::make_unique<QueueDecider>(*books_);
  } else {
    books_->decider = std::make_unique<Reconciler>(*books_);
  }
}
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
  for (const Event& event : events) pass |= take_event(*books_, Event(event), now, decision);
  decide(pass, now, decision);
  return decision;
}

void Scheduler::on_events(std::span<Event> events, Instant now, Decision& decision) {
  begin(now, decision);
  bool pass = false;
  for (Event& event : events) pass |= take_event(*books_, std::move(event), now, decision);
  decide(pass, now, decision);
}

void Scheduler::begin(Instant now, Decision& decision) {
  ensure(now >= last_, "an event lies before the last one");
  last_ = now;
  decision.actions.clear();
  decision.refused_plan.clear();
  decision.power.clear();
  decision.quarantine.clear();
  decision.data.reset();
  books_->jobs.forget_left();
}

void Scheduler::decide(bool pass, Instant now, Decision& decision) {
  Books& books = *books_;
  if (pass || now >= wake_up()) {
    ++books.version;
    reconsider_due(books, now);
    end_quarantines(books, now, decision);
    if (books.policy.power->weighs()) books.decider->value_nodes(now);
    apply_power(books, now, decision);
    books.decider->decide(now, decision);
    if (books.policy.admission->turns_away()) turn_away_waiting(books, now, decision);
    power_wake_up_ = observe_power(books, now);
    cache_wake_up_ = apply_cache(books, now, decision);
    if (books.accounts_waits) account_waits(books, now);
  }
  decision.wake_up = wake_up();
  ensure(decision.wake_up > now, "a policy asks to be woken in the past");
}

Instant Scheduler::wake_up() const {
  return std::min({books_->timers.next(), power_wake_up_, cache_wake_up_,
                   books_->decider->wake_up(), books_->quarantine.next()});
}

void Scheduler::set_wait_accounting(bool on) {
  ensure(books_->jobs.all().empty(), "wait accounting is switched while jobs are in the system");
  books_->accounts_waits = on;
}

bool Scheduler::wants_samples() const {
  return books_->policy.wants_samples();
}

double Scheduler::cache_weight(const std::string& tenant) const {
  return books_->policy.cache->weight(tenant);
}

WaitTimes Scheduler::waited(JobId id, Instant now) const {
  const JobRecord& job = books_->jobs.at(id);
  return books_->accounts_waits ? waited_until(job, now) : job.view.waited;
}

const Cluster& Scheduler::cluster() const {
  return books_->cluster;
}

const JobView& Scheduler::job(JobId id) const {
  JobRecord& job = books_->jobs.at(id);
  if (job.view.state == JobState::queued) explain(*books_, job);
  return job.view;
}

const std::vector<JobId>& Scheduler::queue() const {
  if (queue_version_ == books_->version) return queue_;
  std::vector<Rank> waiting(books_->held_back.begin(), books_->held_back.end());
  waiting.reserve(queued());
  for (const auto& head : books_->pending.heads()) {
    head.request->waiting.for_each([&](const WaitingJob& job) { waiting.push_back(job.rank); });
  }
  std::sort(waiting.begin(), waiting.end());
  queue_.clear();
  for (const Rank& rank : waiting) {
    explain(*books_, books_->jobs.at(rank.job));
    queue_.push_back(rank.job);
  }
  queue_version_ = books_->version;
  return queue_;
}

std::size_t Scheduler::unfinished() const {
  return books_->unfinished;
}

std::size_t Scheduler::queued() const {
  return books_->pending.size() + books_->held_back.size();
}

}  // namespace mimus::scheduler
