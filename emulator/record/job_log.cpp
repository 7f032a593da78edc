// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/record/job_log.hpp"

#include "base/log.hpp"

namespace mimus::emulator {
namespace {

using scheduler::EndReason;
using scheduler::WaitCause;

bool is_failure(EndReason reason) {
  return reason == EndReason::failed || reason == EndReason::out_of_memory ||
         reason == EndReason::node_down || reason == EndReason::worker_lost;
}

void fill(results::JobRow& row, const workloads::Job& job) {
  row.job = job.id.value();
  row.name = job.name;
  row.user = job.user;
  row.virtual_cluster = job.virtual_cluster;
  row.group = job.group;
  row.application = job.application;
  row.job_class = workloads::class_name(job);
  row.model = job.model;
  row.data_set = job.data_set;
  row.data_size = job.data_size.value;
  row.gang = job.gang;
  row.gpu_share = job.gpu_share;
  row.requested_batch = job.total_batch;
  row.work_samples = job.work_samples;
  row.outcome = "unfinished";
}

/// The column that holds the waits of one cause, or null if the cause is not a wait in the queue.
double* wait_of(results::JobRow& row, WaitCause cause) {
  switch (cause) {
    case WaitCause::none:
      return nullptr;
    case WaitCause::capacity:
      return &row.wait_capacity;
    case WaitCause::fragmentation:
      return &row.wait_fragmentation;
    case WaitCause::order:
      return &row.wait_order;
    case WaitCause::quota:
      return &row.wait_quota;
    case WaitCause::backoff:
      return &row.wait_backoff;
    case WaitCause::restart:
      return &row.wait_restart;
    case WaitCause::boot:
      return &row.wait_boot;
  }
  return nullptr;
}

}  // namespace

void JobLog::arrived(const workloads::Job& job, Instant at) {
  Entry& entry = jobs_.emplace(job.id);
  fill(entry.row, job);
  entry.row.arrival = to_seconds(at);
  if (job.deadline > Duration{}) entry.row.deadline = to_seconds(at + job.deadline);
  entry.before = active_.arrived(entry.row.arrival);
  recorder_.arrived(entry.row.arrival);
  if (awaits(entry.row)) ++awaited_;
}

void JobLog::waits(JobId job, WaitCause cause, Instant at) {
  Entry& entry = jobs_.at(job);
  if (entry.waits_for == cause) return;
  end_wait(entry, at);
  entry.waits_for = cause;
  entry.since = at;
}

void JobLog::waited_for_round(JobId job, Instant since, Instant now) {
  if (now <= since) return;
  results::JobRow& row = jobs_.at(job).row;
  row.wait_round += to_seconds(now - since);
  row.queueing += to_seconds(now - since);
  recorder_.add(results::QueueDelayRow{
      .job = row.job, .cause = "round", .begin = to_seconds(since), .end = to_seconds(now)});
}

void JobLog::waited(JobId job, const scheduler::WaitTimes& waits) {
  results::JobRow& row = jobs_.at(job).row;
  row.queueing = row.wait_round;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    double* column = wait_of(row, static_cast<WaitCause>(i));
    if (column == nullptr) continue;
    *column = to_seconds(waits[i]);
    row.queueing += *column;
  }
}

void JobLog::end_wait(Entry& entry, Instant at) {
  double* column = wait_of(entry.row, entry.waits_for);
  if (column != nullptr && at > entry.since) {
    *column += to_seconds(at - entry.since);
    entry.row.queueing += to_seconds(at - entry.since);
    recorder_.add(results::QueueDelayRow{.job = entry.row.job,
                                         .cause = scheduler::name(entry.waits_for),
                                         .begin = to_seconds(entry.since),
                                         .end = to_seconds(at)});
  }
  entry.waits_for = WaitCause::none;
}

void JobLog::attempt_started(JobId job, Instant at, const std::string& gpu_type) {
  Entry& entry = jobs_.at(job);
  entry.row.gpu_type = gpu_type;
  end_wait(entry, at);
  if (entry.row.first_start < 0.0) entry.row.first_start = to_seconds(at);
  ++entry.row.attempts;
}

void JobLog::first_step(JobId job, Instant at, scheduler::MilliGpus held) {
  Entry& entry = jobs_.at(job);
  const bool went_on = at == entry.preempted_at && held == entry.preempted_with;
  entry.preempted_at = kNever;
  if (!went_on) return;
  --entry.row.preemptions;
  --entry.row.attempts;
}

void JobLog::attempt_progressed(JobId job, const StepWindow& window) {
  Entry& entry = jobs_.at(job);
  entry.row.samples_processed += window.samples;
  entry.row.progress_samples += window.progress_samples;
  entry.samples_done = window.samples_done;
  entry.gained.samples += window.progress_samples;
  if (window.samples <= 0.0) return;
  entry.gained.seconds += static_cast<double>(window.steps) * to_seconds(window.step_modelled) *
                          window.progress_samples / window.samples;
}

/// What is lost has taken as long per sample as what has been gained since the attempt began.
void JobLog::kept(JobId job, double samples_done, EndReason reason) {
  constexpr double kNothing = 1e-6;
  Entry& entry = jobs_.at(job);
  const double lost = entry.samples_done - samples_done;
  if (reason != EndReason::finished && lost > kNothing) {
    entry.row.lost_samples += lost;
    if (entry.gained.samples > 0.0) {
      entry.row.lost_seconds += entry.gained.seconds * lost / entry.gained.samples;
    }
    entry.samples_done = samples_done;
  }
  if (scheduler::is_followed(reason)) return;
  entry.gained = {};
  watch_for_vain_attempts(entry, samples_done, reason);
}

/// It may be by chance, so that this is no error.
void JobLog::watch_for_vain_attempts(Entry& entry, double samples_kept, EndReason reason) {
  constexpr int kSuspicious = 100;  // in a row
  const bool is_in_vain = is_failure(reason) && samples_kept <= entry.samples_kept;
  entry.samples_kept = samples_kept;
  entry.attempts_in_vain = is_in_vain ? entry.attempts_in_vain + 1 : 0;
  if (entry.attempts_in_vain != kSuspicious || has_warned_) return;
  has_warned_ = true;
  log::warn(
      "the last {} attempts of job {} have failed and left no checkpoint; the run does not end "
      "before one gets through: workload.checkpoint_every lets jobs keep progress, engine.until "
      "ends the run",
      kSuspicious, entry.row.job);
}

void JobLog::attempt_ended(JobId job, const Span& attempt, const scheduler::Allocation& had,
                           EndReason reason) {
  Entry& entry = jobs_.at(job);
  results::JobRow& row = entry.row;
  const double span = to_seconds(attempt.end - attempt.begin - attempt.suspended);
  row.running += span;
  row.suspended += to_seconds(attempt.suspended);
  row.gpu_seconds += span * had.held().gpus();
  row.replica_seconds += span * static_cast<double>(had.slots.size());
  if (reason == scheduler::EndReason::preempted && !entry.cancelled) {
    ++row.preemptions;
    entry.preempted_at = attempt.end;
    entry.preempted_with = had.held();
  }
  if (is_failure(reason)) ++row.failures;
}

void JobLog::job_ended(JobId job, Instant at, const std::string& outcome,
                       const std::string& detail) {
  Entry& entry = jobs_.at(job);
  end_wait(entry, at);
  results::JobRow& row = entry.row;
  row.end = to_seconds(at);
  row.outcome = outcome;
  row.detail = detail;
  if (outcome == "finished") row.jct = row.end - row.arrival;
  if (awaits(row)) --awaited_;
  recorder_.add(row, active_.left(entry.before, row.arrival, row.end));
  jobs_.erase(job);
  ++ended_;
}

void JobLog::write(Instant at) {
  for (const JobId id : jobs_.ids()) {
    Entry& entry = jobs_.at(id);
    end_wait(entry, at);
    recorder_.add(entry.row);
  }
  jobs_.clear();
}

}  // namespace mimus::emulator
