// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/testbed.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::emulator {

Testbed::Testbed(workloads::JobStream& jobs, JobTruths& truths, scheduler::Scheduler& scheduler,
                 Engine& engine, results::Recorder& recorder, TestbedSettings settings)
    : jobs_(jobs),
      truths_(truths),
      scheduler_(scheduler),
      engine_(engine),
      recorder_(recorder),
      settings_(settings),
      wants_samples_(scheduler.wants_samples()),
      log_(recorder, scheduler.cluster().shape(),
           {.draws = settings.draws, .knows_busy_time = !settings.run_time_jobs}),
      untold_(settings.round, log_),
      untold_progress_(wants_samples_),
      arrivals_(jobs, settings.jobs_at_once) {
  scheduler_.set_wait_accounting(!recorder.keeps(results::RecordLevel::full));
  if (settings_.data) data_.emplace(scheduler_.cluster().shape(), *settings_.data);
  if (settings_.checkpoint_every) checkpoints_.emplace(*settings_.checkpoint_every);
  log_.set_prices(settings_.prices);
  if (settings_.until_jobs) log_.await(*settings_.until_jobs);
  if (settings_.mix) log_.keep_allocation(scheduler_.cluster(), *settings_.mix);
}

void Testbed::run(const Watcher& watcher) {
  try {
    loop(watcher);
    take_last_steps();
  } catch (...) {
    write_log();
    recorder_.flush();
    throw;
  }
  write_log();
}

/// What jobs have done must not depend on how often they report.
void Testbed::take_last_steps() {
  happened_.clear();
  engine_.report_last_steps(happened_);
  for (TimedEvent& what : happened_) take(what);
}

void Testbed::write_log() {
  const Instant now = engine_.now();
  untold_.charge(now);
  log_.write(scheduler_, now);
  write_data(now);
}

void Testbed::loop(const Watcher& watcher) {
  Instant now{};
  while (!all_ended() && !is_over(now)) {
    happened_.clear();
    const Instant due = next_deadline(now);
    now = engine_.next(std::min(due, next_of_jobs()), happened_);
    if (untold_.has_rounds() && !happened_.empty()) arrivals(now - Duration{1});
    for (TimedEvent& what : happened_) take(what);
    // On the wall clock, a round ends a little after the multiple for which the testbed waited.
    if (!untold_.has_rounds() || now >= due || untold_.round_end(now) == now) {
      end_round(now);
    } else {
      untold_.go_on(now);
    }
    if (untold_.is_any_due()) tell(now);
    read_on(now);
    save_due(now);
    recorder_.flush_if_due();
    watcher(progress(now));
  }
}

Instant Testbed::next_deadline(Instant last) const {
  return std::min(untold_.deadline(std::min(arrivals_.next(), wake_up_), last), settings_.until);
}

/// When running jobs read at another rate or are to write a checkpoint, whatever the scheduler
/// does.
Instant Testbed::next_of_jobs() const {
  return std::min(data_ ? data_->next() : kNever, checkpoints_ ? checkpoints_->next() : kNever);
}

/// Jobs that arrive at the same instant are decided on together. Their order in the file must not
/// take precedence over the order policy.
void Testbed::arrivals(Instant until) {
  while (arrivals_.is_one_coming() && arrivals_.next() <= until) {
    // On the wall clock, a job arrives when the scheduler could first hear of it.
    const Instant at = untold_.has_rounds() ? arrivals_.next() : until;
    const JobTruth& truth = truths_.arrive(arrivals_.take(at), settings_.run_time_jobs);
    log_.job_arrived(truth.job, at);
    scheduler::JobView& view = untold_.arrive().job;
    views_.fill(view, truth, at);
    view.data = data_need(truth);
  }
}

void Testbed::take(TimedEvent& happened) {
  std::visit([&](auto& event) { handle(event, happened.at); }, happened.event);
}

void Testbed::handle(scheduler::AttemptStarted& started, Instant at) {
  if (data_) data_->begin(started.attempt, at);
  if (checkpoints_) checkpoints_->trains(running_.at(started.attempt), at);
  log_.first_step(started.attempt, at);
  started.at = at;
  untold_.hear(started);
}

void Testbed::handle(scheduler::AttemptSuspended& suspended, Instant at) {
  if (const auto rest = untold_progress_.take(suspended.attempt)) report(*rest, at);
  log_.suspended(suspended.attempt, at);
  suspended.at = at;
  untold_.hear(suspended, true);
}

void Testbed::handle(scheduler::AttemptResumed& resumed, Instant at) {
  if (data_) data_->begin(resumed.attempt, at);
  if (checkpoints_) checkpoints_->trains(running_.at(resumed.attempt), at);
  log_.resumed(resumed.attempt, at);
  resumed.at = at;
  untold_.hear(resumed);
}

void Testbed::handle(scheduler::AttemptLimited& limited, Instant at) {
  log_.limited(limited.attempt, at);
  limited.at = at;
  untold_.hear(limited, true);
}

void Testbed::handle(scheduler::AttemptEnded& ended, Instant at) {
  const JobId* found = running_.find(ended.attempt);
  ensure(found != nullptr, "an attempt ended that was not running");
  const JobId job = *found;
  if (const auto rest = untold_progress_.take(ended.attempt)) report(*rest, at);
  running_.erase(ended.attempt);
  if (data_) data_->leave(ended.attempt, at);
  if (checkpoints_) checkpoints_->pauses(job);
  if (is_followed(ended.reason)) {
    go_on_as_next(ended, at);
    return untold_.hear(std::move(ended), true);
  }
  resizes_.erase(ended.attempt);
  if (checkpoints_) checkpoints_->ended(job);
  JobTruth& truth = truths_.at(job);
  watch_for_stall(ended, truth);
  truth.samples_done = truth.samples_reported = ended.samples_done;
  truth.attempt = AttemptId{};
  const bool preempted = ended.reason == scheduler::EndReason::preempted;
  if (preempted) truth.has_checkpoint = true;
  if (ended.reason == scheduler::EndReason::failed && !ended.node) ++truth.failures;
  log_.attempt_ended(ended, at);
  if (ended.reason == scheduler::EndReason::finished) {
    log_.job_finished(job, at);
    gone_.push_back(job);
    arrivals_.one_left(at);
    tell_workload({job, workloads::JobNews::What::finished, 1.0, at});
  } else if (!preempted) {
    untold_.failed(job, at);
  }
  if (truth.cancelled && ended.reason != scheduler::EndReason::finished) {
    // Before the scheduler decides: what comes in its place does so at the same instant.
    truth.is_over = true;
    tell_workload({job, workloads::JobNews::What::killed, 0.0, at});
  }
  untold_.hear(std::move(ended), preempted);
}

/// While another job is about to arrive, the run cannot have stalled.
void Testbed::watch_for_stall(const scheduler::AttemptEnded& ended, const JobTruth& truth) {
  const bool gains_nothing = ended.reason == scheduler::EndReason::preempted &&
                             ended.samples_done <= truth.samples_done && !arrivals_.is_one_coming();
  if (!gains_nothing) return stall_guard_.gained();
  const std::size_t jobs = scheduler_.queued() + running_.size() + 1;
  if (!stall_guard_.ended_without_gain(ended.attempt, running_.size(), jobs)) return;
  throw Error(
      ExitCode::run_failed,
      fmt::format(
          "the last {} attempts made no progress: jobs are stopped for one another before they "
          "complete a step, and this would not end; let attempts last longer than their start-up "
          "(engine.costs), by policy.preemption.min_run or a longer quantum of the order",
          StallGuard::patience(jobs)));
}

/// A policy that is woken in rounds may start no job for ever.
void Testbed::watch_for_idleness() {
  const bool idle = running_.size() == 0 && decision_.actions.empty() && decision_.power.empty() &&
                    scheduler_.queued() > 0 && !arrivals_.is_one_coming();
  if (!stall_guard_.decided(idle)) return;
  throw Error(ExitCode::run_failed,
              fmt::format("{} jobs wait, none runs or is to come, and the policy has started none "
                          "in {} decisions: this would not end; compare what they ask for (gang, "
                          "GPU types, cores, quotas) with what the policy can give them",
                          scheduler_.queued(), StallGuard::kIdleDecisions));
}

void Testbed::handle(scheduler::NodeDown& down, Instant at) {
  stall_guard_.gained();
  log_.node_changed(down.node, false, at);
  untold_.hear_of_node(down);
}

void Testbed::handle(scheduler::NodeUp& up, Instant at) {
  stall_guard_.gained();
  log_.node_changed(up.node, true, at);
  untold_.hear_of_node(up);
}

void Testbed::handle(scheduler::GpuDown& down, Instant at) {
  stall_guard_.gained();
  log_.gpu_lost(down, at);
  untold_.hear_of_node(down);
}

void Testbed::end_round(Instant now) {
  untold_.tell_held(now);
  arrivals(now);
  untold_.tell_arrived(now);
  if (!untold_.is_any_due() && now >= wake_up_) untold_.hear(scheduler::Timer{}, true);
}

void Testbed::tell(Instant now) {
  const bool routine = untold_.is_routine() && now < wake_up_;
  const WallInstant begin = wall_now();
  scheduler_.on_events(untold_.due(), now, decision_);
  const Duration latency = wall_now() - begin;
  untold_.due().clear();
  wake_up_ = decision_.wake_up;
  for (scheduler::Action& action : decision_.actions) {
    std::visit([&](auto& what) { carry_out(what, now); }, action);
  }
  const bool decided = !decision_.actions.empty() || !decision_.refused_plan.empty() ||
                       !decision_.power.empty() || !decision_.quarantine.empty();
  if (data_ && decision_.data) data_->keep(*decision_.data, now);
  watch_for_idleness();
  if (!routine || decided) {
    log_.decided(decision_, scheduler_, latency, now);
  }
  for (const JobId job : gone_) truths_.leave(job);
  gone_.clear();
}

bool Testbed::all_ended() const {
  return arrivals_.is_empty() && log_.jobs_ended() == arrivals_.count() && running_.size() == 0;
}

bool Testbed::is_over(Instant now) const {
  if (settings_.until_jobs && arrivals_.count() >= settings_.until_jobs->jobs_end &&
      log_.awaited_jobs() == 0) {
    return true;
  }
  return now >= settings_.until ||
         (settings_.until_last_arrival && arrivals_.is_empty() && arrivals_.count() > 0);
}

RunProgress Testbed::progress(Instant now) const {
  const auto& cluster = scheduler_.cluster();
  return {.now = now,
          .jobs = jobs_.size(),
          .jobs_ended = log_.jobs_ended(),
          .jobs_running = running_.size(),
          .jobs_queued = scheduler_.queued(),
          .gpus = cluster.gpus_left(),
          .gpus_held = cluster.gpus_left() - cluster.idle_gpus()};
}

}  // namespace mimus::emulator
