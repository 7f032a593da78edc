// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/record/run_log.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "emulator/record/event_text.hpp"
#include "emulator/record/step_row.hpp"

namespace mimus::emulator {
namespace {

void set_batch(results::AttemptRow& row, const scheduler::BatchPlan& batch) {
  row.per_gpu_batch = batch.per_gpu;
  row.accumulation = batch.accumulation;
}

void set_limits(results::AttemptRow& row, const scheduler::DeviceLimits& limits) {
  row.cap = limits.cap;
  row.memory_limit = limits.memory.value_or(Bytes{}).value;
}

results::AttemptRow attempt_row(const Attempt& attempt, const scheduler::ClusterShape& shape,
                                Instant at) {
  results::AttemptRow row;
  row.attempt = attempt.id.value();
  row.job = attempt.job.value();
  row.begin = to_seconds(at);
  row.replicas = static_cast<std::int64_t>(attempt.allocation.slots.size());
  row.gpu_share = attempt.allocation.share.gpus();
  set_limits(row, attempt.limits);
  row.shape = shape.shape_of(attempt.allocation.slots);
  row.locality = scheduler::name(shape.locality(attempt.allocation.slots));
  row.gpu_type = shape.types_of(attempt.allocation.slots);
  set_batch(row, attempt.batch);
  return row;
}

/// A change counts from the first step that is trained with it, because some attempts end before.
void take_batch(results::AttemptRow& row, const scheduler::BatchPlan& batch) {
  const bool changes = row.per_gpu_batch != batch.per_gpu || row.accumulation != batch.accumulation;
  if (!changes) return;
  if (row.samples_processed > 0.0) ++row.retunes;
  set_batch(row, batch);
}

}  // namespace

RunLog::RunLog(results::Recorder& recorder, const scheduler::ClusterShape& shape,
               const EmulatedPower& power)
    : recorder_(recorder),
      shape_(shape),
      keeps_events_(recorder.keeps(results::RecordLevel::full)),
      keeps_attempts_(recorder.keeps(results::RecordLevel::jobs)),
      jobs_(recorder),
      gpus_(recorder, shape),
      nodes_(recorder, shape),
      power_(power),
      co_location_(recorder, shape_) {}

void RunLog::event(const char* kind, Instant at, std::int64_t job, std::int64_t attempt,
                   const std::string& detail) {
  if (!keeps_events_) return;
  recorder_.add(results::EventRow{
      .time = to_seconds(at), .kind = kind, .job = job, .attempt = attempt, .detail = detail});
}

void RunLog::job_arrived(const workloads::Job& job, Instant at) {
  jobs_.arrived(job, at);
  gpus_.arrived(at);
  if (allocation_) allocation_->arrived(job);
  event("job_arrived", at, job.id.value(), -1, keeps_events_ ? request_text(job) : "");
}

void RunLog::job_given_up(JobId job, const std::string& reason, bool killed, Instant at) {
  event(killed ? "job_killed" : "job_given_up", at, job.value(), -1, reason);
  if (killed) return jobs_.job_ended(job, at, "killed", reason);
  const bool has_started = jobs_.has_started(job);
  if (allocation_ && !has_started) allocation_->rejected();
  jobs_.job_ended(job, at, has_started ? "failed" : "rejected", reason);
}

void RunLog::validated(const workloads::TrialValidation& found, Instant at) {
  recorder_.add(results::TrialRow{.job = found.job.value(),
                                  .application = found.application,
                                  .trial = found.trial,
                                  .learning_rate = found.learning_rate,
                                  .batch = found.batch,
                                  .rung = found.rung,
                                  .time = to_seconds(at),
                                  .since_arrival = to_seconds(found.since_arrival),
                                  .progress = found.progress,
                                  .loss = found.loss,
                                  .goes_on = found.goes_on ? 1 : 0});
}

void RunLog::node_changed(NodeId node, bool up, Instant at) {
  gpus_.node_changed(node, up, at);
  nodes_.went_down(node, !up, at);
  event(up ? "node_up" : "node_down", at, -1, -1, fmt::format("node {}", node.value()));
}

void RunLog::gpu_lost(const scheduler::GpuDown& down, Instant at) {
  gpus_.gpu_lost(at);
  event("gpu_lost", at, -1, -1, down.detail);
}

void RunLog::attempt_granted(const Attempt& attempt, Instant at) {
  jobs_.attempt_started(attempt.job, at, shape_.types_of(attempt.allocation.slots));
  gpus_.granted(attempt.allocation, at);
  nodes_.granted(attempt.allocation, at);
  Running& running = running_.emplace(attempt.id, attempt, at);
  if (keeps_attempts_) running.row = attempt_row(attempt, shape_, at);
  event("attempt_granted", at, attempt.job.value(), attempt.id.value(),
        keeps_events_ ? gpus_text(attempt.allocation) : "");
}

void RunLog::first_step(AttemptId attempt, Instant at) {
  Running& running = running_.at(attempt);
  jobs_.first_step(running.attempt.job, at, running.attempt.allocation.held());
  if (running.row) running.row->first_step = to_seconds(at);
  if (shares_gpus()) co_location_.started(running.attempt, at);
  event("attempt_started", at, running.attempt.job.value(), attempt.value(), "");
}

void RunLog::progressed(const AttemptProgress& progress, const StateOf& state_of) {
  Running& running = running_.at(progress.attempt);
  const bool keeps_steps = recorder_.keeps(results::RecordLevel::full);
  for (const StepWindow& window : progress.windows) {
    jobs_.attempt_progressed(running.attempt.job, window);
    gpus_.device_worked(running.attempt.allocation, window);
    if (shares_gpus()) co_location_.progressed(progress.attempt, window);
    if (running.row) {
      take_batch(*running.row, window.batch);
      running.row->samples_processed += window.samples;
      running.row->progress_samples += window.progress_samples;
    }
    const TrainingState state = keeps_steps ? state_of(window) : TrainingState{};
    recorder_.add(step_row(running.attempt, window, state));
  }
}

void RunLog::retuned(AttemptId attempt, const scheduler::BatchPlan& batch, Instant at) {
  Running& running = running_.at(attempt);
  running.asked = batch;
  if (!keeps_events_) return;
  event("batch_retuned", at, running.attempt.job.value(), attempt.value(),
        fmt::format("per GPU {} x {}", batch.per_gpu, batch.accumulation));
}

void RunLog::to_be_limited(AttemptId attempt, const scheduler::DeviceLimits& limits) {
  running_.at(attempt).asked_limits = limits;
}

void RunLog::limited(AttemptId attempt, Instant at) {
  Running& running = running_.at(attempt);
  end_limits(running, at);
  running.limits = running.asked_limits;
  if (running.row) set_limits(*running.row, running.limits);
  if (!keeps_events_) return;
  const auto& [cap, memory] = running.asked_limits;
  event("attempt_limited", at, running.attempt.job.value(), attempt.value(),
        fmt::format("{:g} of its GPUs' time, {} of their memory", cap,
                    memory ? format_bytes(*memory) : "all"));
}

void RunLog::end_limits(Running& running, Instant at) {
  const Instant begin = std::exchange(running.limited_at, at);
  if (running.limits == scheduler::DeviceLimits{} || at == begin) return;
  recorder_.add(results::LimitRow{
      .attempt = running.attempt.id.value(),
      .job = running.attempt.job.value(),
      .begin = to_seconds(begin),
      .end = to_seconds(at),
      .cap = running.limits.cap,
      .memory_limit = running.limits.memory ? running.limits.memory->value : 0.0});
}

/// It is no co-tenant of those who run meanwhile.
void RunLog::suspended(AttemptId attempt, Instant at) {
  Running& running = running_.at(attempt);
  running.suspended_at = at;
  gpus_.suspended(running.attempt.allocation, at);
  if (shares_gpus()) co_location_.ended(attempt, at);
  event("attempt_suspended", at, running.attempt.job.value(), attempt.value(),
        keeps_events_ ? fmt::format("keeps {} of its memory", scheduler::name(running.keeps)) : "");
}

void RunLog::resumed(AttemptId attempt, Instant at) {
  Running& running = running_.at(attempt);
  end_suspension(running, at);
  if (shares_gpus()) co_location_.started(running.attempt, at);
  event("attempt_resumed", at, running.attempt.job.value(), attempt.value(), "");
}

void RunLog::end_suspension(Running& running, Instant at) {
  if (running.suspended_at == kNever) return;
  const Instant begin = std::exchange(running.suspended_at, kNever);
  running.suspended += at - begin;
  gpus_.resumed(running.attempt.allocation, at);
  recorder_.add(results::SuspensionRow{.attempt = running.attempt.id.value(),
                                       .job = running.attempt.job.value(),
                                       .begin = to_seconds(begin),
                                       .end = to_seconds(at),
                                       .keeps = scheduler::name(running.keeps)});
}

void RunLog::attempt_ended(const scheduler::AttemptEnded& ended, Instant at) {
  Running& running = running_.at(ended.attempt);
  jobs_.kept(running.attempt.job, ended.samples_done, ended.reason);
  leave_gpus(running, ended.reason, at);
  gpus_.freed(running.attempt.allocation, at);
  nodes_.freed(running.attempt.allocation, at);
  if (running.row && ended.reason == scheduler::EndReason::out_of_memory) {
    set_batch(*running.row, running.asked);  // the batch that does not fit
  }
  if (ended.node && ended.reason == scheduler::EndReason::failed) {
    event("node_fault", at, running.attempt.job.value(), ended.attempt.value(),
          fmt::format("node {}", ended.node.value()));
  }
  close_attempt(running, scheduler::name(ended.reason), ended.detail, at);
  running_.erase(ended.attempt);
}

void RunLog::leave_gpus(Running& running, scheduler::EndReason reason, Instant at) {
  const bool is_suspended = running.suspended_at != kNever;
  end_suspension(running, at);
  end_limits(running, at);
  jobs_.attempt_ended(running.attempt.job, {running.begin, at, running.suspended},
                      running.attempt.allocation, reason);
  if (shares_gpus() && !is_suspended) co_location_.ended(running.attempt.id, at);
}

void RunLog::close_attempt(Running& running, const std::string& reason, const std::string& detail,
                           Instant at) {
  if (!running.row) return;
  results::AttemptRow& row = *running.row;
  row.end = to_seconds(at);
  row.reason = reason;
  row.detail = detail;
  recorder_.add(row);
  if (const NodeId node = running.attempt.allocation.node; node) {
    recorder_.add(results::PlacementRow{.attempt = row.attempt,
                                        .job = row.job,
                                        .node = node.value(),
                                        .begin = row.begin,
                                        .end = row.end});
  }
  std::int64_t replica = 0;
  for (const auto& slot : running.attempt.allocation.slots) {
    recorder_.add(results::PlacementRow{.attempt = row.attempt,
                                        .job = row.job,
                                        .replica = replica++,
                                        .node = shape_.node_of(slot.gpu).value(),
                                        .gpu = slot.gpu.value(),
                                        .lane = slot.lane.value(),
                                        .begin = row.begin,
                                        .end = row.end});
  }
  event("attempt_ended", at, row.job, row.attempt, reason);
}

void RunLog::write(const scheduler::Scheduler& scheduler, Instant at) {
  if (allocation_) allocation_->write(at);
  for (const AttemptId id : running_.ids()) {
    Running& running = running_.at(id);
    leave_gpus(running, scheduler::EndReason::finished, at);
    close_attempt(running, "cut_off", "the run ended first", at);
  }
  running_.clear();
  if (!keeps_events_) {
    for (const JobId job : scheduler.queue()) jobs_.waited(job, scheduler.waited(job, at));
  }
  jobs_.write(at);
  nodes_.write([this](int type) { return power_.of_type(type); }, at);
  gpus_.write(nodes_, prices_, at);
  write_modelled_energy(power_, shape_, gpus_, nodes_, at, recorder_);
}

}  // namespace mimus::emulator
