// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/record/job_log.hpp"

namespace mimus::emulator {
namespace {

results::JobRow row_of(const workloads::Job& job) {
  results::JobRow row;
  row.job = job.id.value();
  row.name = job.name;
  row.user = job.user;
  row.virtual_cluster = job.virtual_cluster;
  row.model = job.model;
  row.gang = job.gang;
  row.requested_batch = job.total_batch;
  row.work_samples = job.work_samples;
  row.arrival = to_seconds(job.arrival);
  row.outcome = "unfinished";
  return row;
}

}  // namespace

JobLog::JobLog(results::Recorder& recorder, const workloads::Workload& workload)
    : recorder_(recorder), waits_(workload.jobs.size()), arrived_(workload.jobs.size()) {
  for (const auto& job : workload.jobs) rows_.push_back(row_of(job));
}

void JobLog::arrived(JobId job, Instant at) {
  arrived_[job.index()] = true;
  row(job).arrival = to_seconds(at);
}

void JobLog::waits(JobId job, scheduler::WaitCause cause, Instant at) {
  Wait& wait = waits_[job.index()];
  if (wait.cause == cause) return;
  end_wait(job, at);
  wait = {cause, at};
}

void JobLog::end_wait(JobId job, Instant at) {
  Wait& wait = waits_[job.index()];
  if (wait.cause != scheduler::WaitCause::none && at > wait.since) {
    row(job).queueing += to_seconds(at - wait.since);
    recorder_.add(results::QueueDelayRow{.job = job.value(),
                                         .cause = scheduler::name(wait.cause),
                                         .begin = to_seconds(wait.since),
                                         .end = to_seconds(at)});
  }
  wait.cause = scheduler::WaitCause::none;
}

void JobLog::attempt_started(JobId job, Instant at) {
  end_wait(job, at);
  results::JobRow& r = row(job);
  if (r.first_start < 0.0) r.first_start = to_seconds(at);
  ++r.attempts;
}

void JobLog::attempt_progressed(JobId job, const StepWindow& window) {
  row(job).samples_processed += window.samples;
  row(job).progress_samples += window.progress_samples;
}

void JobLog::attempt_ended(JobId job, Instant begin, Instant end, std::size_t replicas,
                           scheduler::EndReason reason) {
  results::JobRow& r = row(job);
  const double span = to_seconds(end - begin);
  r.running += span;
  r.gpu_seconds += span * static_cast<double>(replicas);
  if (reason == scheduler::EndReason::preempted) ++r.preemptions;
  const bool failed = reason == scheduler::EndReason::failed ||
                      reason == scheduler::EndReason::out_of_memory ||
                      reason == scheduler::EndReason::node_down;
  if (failed) ++r.failures;
}

void JobLog::job_ended(JobId job, Instant at, const std::string& outcome,
                       const std::string& detail) {
  end_wait(job, at);
  results::JobRow& r = row(job);
  r.end = to_seconds(at);
  r.outcome = outcome;
  r.detail = detail;
  if (outcome == "finished") r.jct = r.end - r.arrival;
  ++ended_;
}

void JobLog::write(Instant at) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    end_wait(JobId{static_cast<std::int64_t>(i)}, at);
    recorder_.add(rows_[i]);
  }
}

}  // namespace mimus::emulator
