// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// How the testbed carries out the actions of a scheduler.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/random.hpp"
#include "emulator/rated_speed.hpp"
#include "emulator/testbed/job_views.hpp"
#include "emulator/testbed/testbed.hpp"

namespace mimus::emulator {
namespace {

Transition transition_of(const JobTruth& truth, const scheduler::Allocation& next) {
  if (!truth.has_checkpoint) return Transition::fresh;
  const auto same_gpu = [](const auto& a, const auto& b) { return a.gpu == b.gpu; };
  const auto& before = truth.last.slots;
  if (before.size() != next.slots.size()) return Transition::resized;
  const bool same = std::equal(before.begin(), before.end(), next.slots.begin(), same_gpu);
  return same ? Transition::resumed : Transition::migrated;
}

Attempt attempt_of(const JobTruth& truth, AttemptId id, scheduler::Allocation allocation,
                   const scheduler::BatchPlan& batch, const LearningTruth& learning) {
  Attempt attempt;
  attempt.id = id;
  attempt.job = truth.job.id;
  attempt.model = truth.model;
  attempt.allocation = std::move(allocation);
  attempt.batch = batch;
  attempt.requested_batch = truth.job.total_batch;
  attempt.samples_done = attempt.samples_kept = truth.samples_done;
  attempt.work_samples = truth.job.work_samples;
  attempt.learning = learning;
  attempt.stages = stages_of(truth.job);
  attempt.host_share = truth.job.host_share;
  attempt.from_checkpoint = truth.has_checkpoint;
  attempt.fail_at = truth.fails;
  if (const auto* failure = truth.job.failures.strikes(truth.failures)) {
    attempt.fail_reason = failure->reason;
    if (failure->after > Duration{}) return attempt;
    attempt.fail_at_samples =
        std::max(failure->at_progress * truth.job.work_samples, truth.samples_done);
  }
  return attempt;
}

/// When an attempt that begins now fails whatever it does. A time that recurs is one of a hazard
/// that does not remember for how long others have run.
Instant failure_after(const JobTruth& truth, Instant now, std::uint64_t seed) {
  const auto* failure = truth.job.failures.strikes(truth.failures);
  if (failure == nullptr || failure->after == Duration{}) return kNever;
  if (!failure->recurs) return now + failure->after;
  RandomStream random(
      seed, fmt::format("failure of attempt {} of job {}", truth.attempts, truth.job.id.value()));
  return now + from_seconds(random.exponential(to_seconds(failure->after)));
}

}  // namespace

double Testbed::speed_of(const Attempt& attempt) const {
  return rated_speed(truths_.at(attempt.job).job, scheduler_.cluster().shape(),
                     attempt.allocation.slots);
}

void Testbed::begin(const Attempt& attempt, Instant now) {
  JobTruth& truth = truths_.at(attempt.job);
  truth.last = attempt.allocation;
  truth.attempt = attempt.id;
  running_.insert(attempt.id, attempt.job);
  stall_guard_.started(attempt.id);
  log_.attempt_granted(attempt, now);
  if (data_) data_->place(attempt, truth.job);
}

/// Moves the allocation out of the action, where it is not needed any more.
void Testbed::carry_out(scheduler::StartAttempt& start, Instant now) {
  JobTruth& truth = truths_.at(start.job);
  ++truth.attempts;
  truth.fails = failure_after(truth, now, settings_.seed);
  const Transition transition = transition_of(truth, start.allocation);
  Attempt attempt = attempt_of(truth, start.attempt, std::move(start.allocation), start.batch,
                               settings_.learning);
  attempt.transition = transition;
  attempt.limits = start.limits;
  attempt.speed = speed_of(attempt);
  begin(attempt, now);
  engine_.start(attempt);
}

void Testbed::carry_out(scheduler::ResizeAttempt& resize, Instant /*now*/) {
  if (running_.find(resize.from) == nullptr) return;
  Attempt next = attempt_of(truths_.at(resize.job), resize.to, std::move(resize.allocation),
                            resize.batch, settings_.learning);
  next.transition = resize.moves ? Transition::moved : Transition::in_place;
  next.limits = scheduler_.job(resize.job).limits;
  next.speed = speed_of(next);
  next.from_checkpoint = false;
  engine_.resize(resize.from, next);
  resizes_.insert(resize.from, std::move(next));
}

void Testbed::carry_out(const scheduler::StopAttempt& stop, Instant /*now*/) {
  engine_.stop(stop.attempt);
}

void Testbed::carry_out(const scheduler::RetuneBatch& retune, Instant now) {
  if (running_.find(retune.attempt) == nullptr) return;
  log_.retuned(retune.attempt, retune.batch, now);
  engine_.retune(retune.attempt, retune.batch);
  if (data_) data_->retune(retune.attempt, retune.batch, now);
}

void Testbed::carry_out(const scheduler::LimitAttempt& limit, Instant /*now*/) {
  if (running_.find(limit.attempt) == nullptr) return;
  log_.to_be_limited(limit.attempt, limit.limits);
  engine_.limit(limit.attempt, limit.limits);
}

/// It is not told of other rates of reading any more, nor to write checkpoints.
void Testbed::carry_out(const scheduler::SuspendAttempt& suspend, Instant now) {
  const JobId* job = running_.find(suspend.attempt);
  if (job == nullptr) return;
  if (checkpoints_) checkpoints_->pauses(*job);
  if (data_) data_->stop(suspend.attempt, now);
  log_.to_be_suspended(suspend.attempt, suspend.keeps);
  engine_.suspend(suspend.attempt, suspend.keeps);
}

void Testbed::carry_out(const scheduler::ResumeAttempt& resume, Instant /*now*/) {
  engine_.resume(resume.attempt);
}

void Testbed::carry_out(const scheduler::GiveUpJob& give_up, Instant now) {
  using What = workloads::JobNews::What;
  log_.job_given_up(give_up.job, give_up.reason, give_up.killed, now);
  gone_.push_back(give_up.job);
  arrivals_.one_left(now);
  if (truths_.at(give_up.job).is_over) return;
  tell_workload({give_up.job, give_up.killed ? What::killed : What::gave_up, 0.0, now});
}

/// A workload may submit jobs in answer, which arrive now, and cancel others, of which the
/// scheduler hears as of all that users do.
void Testbed::tell_workload(const workloads::JobNews& news) {
  if (jobs_.hears() == workloads::Hears::nothing) return;
  workloads::Answer answer = jobs_.hear(news);
  for (const workloads::TrialValidation& found : answer.validations) log_.validated(found, news.at);
  for (const JobId job : answer.cancelled) {
    log_.cancelled(job, news.at);
    truths_.at(job).cancelled = true;
    untold_.hear(scheduler::JobCancelled{job, "stopped by its search"});
  }
  arrivals_.submit(std::move(answer.submitted), news.at);
}

/// Work that is not in a checkpoint stays at risk: if the next attempt fails, it is lost, too.
void Testbed::go_on_as_next(const scheduler::AttemptEnded& ended, Instant at) {
  Attempt* found = resizes_.find(ended.attempt);
  ensure(found != nullptr, "an attempt ended as resized or moved that was not to be");
  Attempt next = std::move(*found);
  resizes_.erase(ended.attempt);
  next.samples_done = ended.samples_done;
  truths_.at(next.job).samples_reported = ended.samples_done;
  log_.attempt_ended(ended, at);
  begin(next, at);
}

}  // namespace mimus::emulator
