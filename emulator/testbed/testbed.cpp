// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/testbed.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/testbed/job_samples.hpp"

namespace mimus::emulator {

const char* name(Transition transition) {
  switch (transition) {
    case Transition::fresh:
      return "fresh";
    case Transition::resumed:
      return "resumed";
    case Transition::migrated:
      return "migrated";
    case Transition::resized:
      return "resized";
    case Transition::in_place:
      return "in_place";
  }
  return "fresh";
}

Testbed::Testbed(workloads::JobStream& jobs, JobTruths& truths, scheduler::Scheduler& scheduler,
                 Engine& engine, results::Recorder& recorder, TestbedSettings settings)
    : jobs_(jobs),
      truths_(truths),
      scheduler_(scheduler),
      engine_(engine),
      recorder_(recorder),
      settings_(settings),
      wants_samples_(scheduler.wants_samples()),
      log_(recorder, scheduler.cluster().shape()) {
  scheduler_.set_wait_accounting(!recorder.keeps(results::RecordLevel::full));
  pull_next_job();
}

void Testbed::run(const Watcher& watcher) {
  try {
    loop(watcher);
  } catch (...) {
    write_log();
    recorder_.flush();
    throw;
  }
  write_log();
}

void Testbed::write_log() {
  const Instant now = engine_.now();
  charge_failed(now);
  charge_arrived(now);
  log_.write(scheduler_, now);
}

void Testbed::loop(const Watcher& watcher) {
  Instant now{};
  while (!all_ended()) {
    happened_.clear();
    const Instant due = next_deadline(now);
    now = engine_.next(due, happened_);
    if (rounds() && !happened_.empty()) arrivals(now - Duration{1});
    for (TimedEvent& what : happened_) take(what);
    // On the wall clock a round ends a little after the multiple that it was waited for.
    if (!rounds() || now >= due || round_end(now) == now) {
      end_round(now);
    } else if (!untold_.empty() && node_changed_) {
      hear_held(now);  // a decision in the round must not use a node that went down in it
    }
    if (!untold_.empty()) tell(now);
    recorder_.flush_if_due();
    watcher(progress(now));
  }
}

void Testbed::pull_next_job() {
  next_job_ = jobs_.next();
}

Instant Testbed::round_end(Instant at) const {
  const auto round = settings_.round.count();
  const auto time = at.time_since_epoch().count();
  if (at == kNever || time % round == 0) return at;
  return Instant{Duration{(time / round + 1) * round}};
}

/// What is untold since `last`, or before, waits for the end of the round of that instant: the wall
/// clock may have passed it meanwhile.
Instant Testbed::next_deadline(Instant last) const {
  const Instant arrival = next_job_ ? next_job_->arrival : kNever;
  const Instant due = std::min(arrival, wake_up_);
  if (!rounds()) return due;
  const bool untold = !held_.empty() || !arrived_in_round_.empty();
  return round_end(untold ? std::min(due, last) : due);
}

/// Jobs that arrive at one instant are decided on together: their order in the file must not
/// outweigh the order policy.
void Testbed::arrivals(Instant until) {
  auto& events = rounds() ? arrived_in_round_ : untold_;
  while (next_job_ && next_job_->arrival <= until) {
    // On the wall clock a job has arrived when the scheduler could first hear of it.
    const Instant at = rounds() ? next_job_->arrival : until;
    const JobTruth& truth = truths_.arrive(std::move(*next_job_), settings_.run_time_jobs);
    ++arrived_;
    log_.job_arrived(truth.job, at);
    scheduler::Event& arrival = events.emplace_back(std::in_place_type<scheduler::JobArrived>);
    views_.fill(std::get<scheduler::JobArrived>(arrival).job, truth, at);
    pull_next_job();
  }
}

void Testbed::take(TimedEvent& happened) {
  std::visit([&](auto& event) { handle(event, happened.at); }, happened.event);
}

void Testbed::handle(AttemptProgress& progress, Instant) {
  log_.progressed(progress);
  std::vector<scheduler::JobSample> samples;
  if (const JobId* job = running_.find(progress.attempt)) {
    JobTruth& truth = truths_.at(*job);
    truth.samples_reported = progress.samples_done;
    if (wants_samples_ && truth.model != nullptr) {
      samples =
          job_samples(progress.windows, truth.last, scheduler_.cluster().shape(), *truth.model);
    }
  }
  if (progress.windows.empty()) return;
  const StepWindow& last = progress.windows.back();
  const double span = std::max(to_seconds(last.end - last.begin), 1e-9);
  hear(scheduler::ProgressReported{progress.attempt,
                                   {.samples_done = progress.samples_done,
                                    .noise_scale = last.noise_scale,
                                    .throughput = last.samples / span},
                                   std::move(samples)});
}

void Testbed::handle(scheduler::AttemptStarted& started, Instant at) {
  log_.first_step(started.attempt, at);
  started.at = at;
  hear(started);
}

void Testbed::handle(scheduler::AttemptEnded& ended, Instant at) {
  const JobId* found = running_.find(ended.attempt);
  ensure(found != nullptr, "an attempt ended that was not running");
  const JobId job = *found;
  running_.erase(ended.attempt);
  if (ended.reason == scheduler::EndReason::resized) {
    go_on_resized(ended, at);
    return hear(std::move(ended), true);
  }
  resizes_.erase(ended.attempt);
  JobTruth& truth = truths_.at(job);
  watch_for_stall(ended, truth);
  truth.samples_done = truth.samples_reported = ended.samples_done;
  truth.attempt = AttemptId{};
  const bool preempted = ended.reason == scheduler::EndReason::preempted;
  if (preempted) truth.has_checkpoint = true;
  if (ended.reason == scheduler::EndReason::failed) ++truth.failures;
  log_.attempt_ended(ended, at);
  if (ended.reason == scheduler::EndReason::finished) {
    log_.job_finished(job, at);
    gone_.push_back(job);
  } else if (!preempted) {
    failed_.emplace_back(job, at);
  }
  hear(std::move(ended), preempted);
}

/// While jobs are to come a run has an end.
void Testbed::watch_for_stall(const scheduler::AttemptEnded& ended, const JobTruth& truth) {
  const bool in_vain = ended.reason == scheduler::EndReason::preempted &&
                       ended.samples_done <= truth.samples_done && !next_job_;
  if (!in_vain) return stall_guard_.gained();
  const std::size_t jobs = scheduler_.queued() + running_.size() + 1;
  if (!stall_guard_.ended_in_vain(ended.attempt, running_.size(), jobs)) return;
  throw Error(ExitCode::run_failed,
              fmt::format("the last {} attempts have gained nothing: jobs are stopped for one "
                          "another before they keep a step, and so it would go on for ever; let "
                          "attempts last longer than their start-up (engine.costs), by "
                          "policy.preemption.min_run or a longer quantum of the order",
                          StallGuard::patience(jobs)));
}

void Testbed::handle(scheduler::NodeDown& down, Instant at) {
  stall_guard_.gained();
  log_.node_changed(down.node, false, at);
  node_changed_ = true;
  hear(down);
}

void Testbed::handle(scheduler::NodeUp& up, Instant at) {
  stall_guard_.gained();
  log_.node_changed(up.node, true, at);
  node_changed_ = true;
  hear(up);
}

void Testbed::handle(scheduler::GpuDown& down, Instant at) {
  stall_guard_.gained();
  log_.gpu_lost(down, at);
  node_changed_ = true;
  hear(down);
}

/// Charges to the round the waits of jobs that the scheduler does not know to be waiting.
void Testbed::charge_failed(Instant now) {
  if (!rounds()) return;
  for (const auto& [job, since] : failed_) log_.waited_for_round(job, since, now);
}

void Testbed::charge_arrived(Instant now) {
  for (const scheduler::Event& arrival : arrived_in_round_) {
    const scheduler::JobView& job = std::get<scheduler::JobArrived>(arrival).job;
    log_.waited_for_round(job.id, job.arrival, now);
  }
}

/// What the scheduler has not been told of since the last round ended, but arrivals.
void Testbed::hear_held(Instant now) {
  std::move(held_.begin(), held_.end(), std::back_inserter(untold_));
  held_.clear();
  charge_failed(now);
  failed_.clear();
  node_changed_ = false;
}

void Testbed::end_round(Instant now) {
  hear_held(now);
  arrivals(now);
  charge_arrived(now);
  std::move(arrived_in_round_.begin(), arrived_in_round_.end(), std::back_inserter(untold_));
  arrived_in_round_.clear();
  if (untold_.empty() && now >= wake_up_) untold_.emplace_back(scheduler::Timer{});
}

/// With rounds, only the ends of attempts that a decision has stopped are told at once.
void Testbed::hear(scheduler::Event event, bool urgent) {
  (urgent || !rounds() ? untold_ : held_).push_back(std::move(event));
}

void Testbed::tell(Instant now) {
  const bool routine = is_routine() && now < wake_up_;
  const WallInstant begin = wall_now();
  scheduler_.on_events(untold_, now, decision_);
  const Duration latency = wall_now() - begin;
  untold_.clear();
  wake_up_ = decision_.wake_up;
  for (scheduler::Action& action : decision_.actions) {
    std::visit([&](auto& what) { carry_out(what, now); }, action);
  }
  const bool decided = !decision_.actions.empty() || !decision_.refused_plan.empty();
  if (!routine || decided) {
    log_.decided(decision_, scheduler_, latency, now);
  }
  for (const JobId job : gone_) truths_.leave(job);
  gone_.clear();
}

bool Testbed::is_routine() const {
  return std::all_of(untold_.begin(), untold_.end(), [](const scheduler::Event& event) {
    return std::holds_alternative<scheduler::ProgressReported>(event) ||
           std::holds_alternative<scheduler::AttemptStarted>(event);
  });
}

bool Testbed::all_ended() const {
  return !next_job_ && log_.jobs_ended() == arrived_ && running_.size() == 0;
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
