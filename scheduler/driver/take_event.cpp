// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/driver/take_event.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "scheduler/driver/next_chance.hpp"
#include "scheduler/driver/resize.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/recovery/recovery.hpp"

namespace mimus::scheduler {
namespace {

/// Why a job can never run here; "" when it can.
std::string never_fits(const State& state, const JobView& job) {
  const ClusterShape& shape = state.cluster.shape();
  if (job.gang > shape.gpus()) {
    return fmt::format("asks for {} GPUs, but the cluster has {}", job.gang, shape.gpus());
  }
  if (const int left = state.cluster.gpus_left(); job.gang > left) {
    return fmt::format("asks for {} GPUs, but of the cluster's {} only {} {} left", job.gang,
                       shape.gpus(), left, left == 1 ? "is" : "are");
  }
  const Bytes least = job.model.memory(job.model.per_gpu_batch_min);
  if (limits_within(job.model, shape.gpu_memory).per_gpu_max < job.model.per_gpu_batch_min) {
    return fmt::format("needs {} per GPU with its smallest batch of {}, but a GPU has {}",
                       format_bytes(least), job.model.per_gpu_batch_min,
                       format_bytes(shape.gpu_memory));
  }
  const auto admission = state.policy.admission->admit(job, {.gpus = shape.gpus()});
  return admission.verdict == Verdict::reject ? admission.reason : "";
}

void leave(State& state, JobRecord& job, JobState as) {
  job.view.state = as;
  job.view.waits_for = WaitCause::none;
  --state.unfinished;
  state.policy.cache->leave(job.view);
  state.policy.order->left(job.view.id);
  state.jobs.leave(job);
}

void give_up(State& state, JobRecord& job, JobState as, std::string reason, Decision& decision) {
  leave(state, job, as);
  decision.actions.emplace_back(GiveUpJob{job.view.id, std::move(reason)});
}

bool take(State& state, JobArrived&& event, Instant now, Decision& decision) {
  ensure(event.job.gang >= 1, "a job asks for less than one GPU");
  JobRecord& job = state.jobs.add(std::move(event.job));
  job.view.share = state.policy.share_of(job.view);
  job.view.estimated_run_time =
      state.policy.estimate->run_time(job.view).value_or(Duration::zero());
  job.group = state.groups.number_of(state.policy.admission->group(job.view));
  ++state.unfinished;
  if (std::string reason = never_fits(state, job.view); !reason.empty()) {
    give_up(state, job, JobState::rejected, std::move(reason), decision);
    return false;
  }
  enqueue(state, job, now);
  return true;
}

/// True when the job's first step lets nobody ask it to yield before its own rank changes: all who
/// wait rank after it, and at this instant nothing else can be done for them. Every start is
/// followed by such an event, so that a pass over all requests is saved for most attempts.
bool starts_quietly(State& state, const JobRecord& job, Instant now) {
  if (state.settled_at != now || state.limits_admission) return false;
  const Rank& first = state.pending.heads().front().rank;
  const RunnerPlace& place = job.running;
  if (first < place.rank.at(place.drift, state.policy.order->rank_time(now))) return false;
  state.room_wake_up = std::min(state.room_wake_up, next_chance_of(state, job, first, now));
  return true;
}

bool take(State& state, const AttemptStarted& event, Instant now, Decision&) {
  JobRecord* job = state.jobs.running(event.attempt);
  if (job == nullptr || job->view.stepping_since != kNever) return false;
  job->view.stepping_since = std::min(event.at, now);
  if (job->view.state == JobState::starting) job->view.state = JobState::running;
  if (!state.preempts) return false;
  // From now on the job may be asked to yield, at least later.
  if (job->view.state != JobState::running) return !state.pending.empty();
  state.runners.add(*job, now);
  return !state.pending.empty() && !starts_quietly(state, *job, now);
}

/// Returns true when the new batch may leave memory for a waiting job.
bool retune(State& state, JobRecord& job, Instant now, Decision& decision) {
  const Duration interval = state.policy.sizing->retune_interval();
  if (interval == Duration::max() || now < job.retune_from) return false;
  job.retune_from = now + interval;
  const auto batch = state.policy.sizing->retune(state.query(job, &job.view.allocation));
  if (!batch) return false;
  const bool smaller = batch->per_gpu < job.view.batch.per_gpu;
  job.view.batch = *batch;
  state.cluster.set_memory(job.view.attempt, job.view.model.memory(batch->per_gpu));
  decision.actions.emplace_back(RetuneBatch{job.view.attempt, *batch});
  if (!smaller || state.policy.max_tenants() == 1) return false;
  ++state.capacity_epoch;
  return !state.pending.empty();
}

bool take(State& state, const ProgressReported& event, Instant now, Decision& decision) {
  JobRecord* job = state.jobs.running(event.attempt);
  if (job == nullptr) return false;
  job->view.progress = event.progress;
  state.settled_at = Instant::min();  // ranks may follow what is believed
  state.runners.refresh(*job, now);
  return job->view.state == JobState::running && retune(state, *job, now, decision);
}

void recover(State& state, JobRecord& job, const AttemptEnded& event, Instant now,
             Decision& decision) {
  JobView& view = job.view;
  const bool memory = event.reason == EndReason::out_of_memory;
  if (memory) ++view.memory_failures;
  if (memory || event.reason == EndReason::failed) ++view.failures;
  RecoveryDecision recovery = state.policy.recovery->after(view, event);
  if (!recovery.retry) {
    give_up(state, job, JobState::failed, std::move(recovery.reason), decision);
    return;
  }
  if (std::string reason = never_fits(state, view); !reason.empty()) {
    give_up(state, job, JobState::failed, std::move(reason), decision);
    return;
  }
  if (recovery.per_gpu_batch > 0) view.model.per_gpu_batch_max = recovery.per_gpu_batch;
  job.held_until = now + recovery.delay;
  enqueue(state, job, now);
}

/// False where the job falls back to the checkpoint with which the attempt began.
bool keeps_work(EndReason reason) {
  return reason == EndReason::preempted || reason == EndReason::resized;
}

/// Ends the job's present attempt on the books.
void free_gpus(State& state, JobRecord& job, EndReason reason, Instant now) {
  JobView& view = job.view;
  const MilliGpus held = view.allocation.held();
  state.runners.remove(job);
  if (view.state == JobState::stopping) {
    std::erase(state.stopping, &job);
    state.groups.change_stopping(job.group, -job.giving_back);
  }
  state.cluster.release(view.attempt);
  state.groups.change(job.group, -held);
  ++state.capacity_epoch;
  if (keeps_work(reason)) view.kept_training = view.training_time(now);
  view.attained_time = view.replica_time(now);
  state.jobs.end_attempt(job);
  view.allocation.slots.clear();
  view.waits_for = WaitCause::none;
}

bool take(State& state, const AttemptEnded& event, Instant now, Decision& decision) {
  JobRecord* job = state.jobs.running(event.attempt);
  ensure(job != nullptr, "an attempt ends that does not run");
  if (event.reason == EndReason::finished) state.policy.estimate->learn(job->view, now);
  free_gpus(state, *job, event.reason, now);
  job->view.progress.samples_done = event.samples_done;
  if (event.reason == EndReason::resized) {
    begin_resized(state, *job, now);
    return true;
  }
  cancel_resize(state, *job);
  if (event.reason == EndReason::finished) {
    leave(state, *job, JobState::finished);
  } else if (event.reason == EndReason::preempted) {
    enqueue(state, *job, now);
  } else {
    recover(state, *job, event, now, decision);
  }
  return true;
}

bool take(State& state, const NodeDown& event, Instant, Decision&) {
  state.cluster.set_node_up(event.node, false);
  return true;
}

bool take(State& state, const NodeUp& event, Instant, Decision&) {
  state.cluster.set_node_up(event.node, true);
  ++state.capacity_epoch;
  return true;
}

/// Jobs that wait for more GPUs than are left would wait for ever.
bool take(State& state, const GpuDown& event, Instant now, Decision& decision) {
  state.cluster.lose_gpu(event.gpu);
  for (JobRecord* job : state.jobs.all()) {
    if (job->view.state != JobState::queued) continue;
    std::string reason = never_fits(state, job->view);
    if (reason.empty()) continue;
    leave_queue(state, *job, now);
    const bool started = job->view.attempts > 0;
    give_up(state, *job, started ? JobState::failed : JobState::rejected, std::move(reason),
            decision);
  }
  return true;
}

bool take(State&, const Timer&, Instant, Decision&) {
  return true;
}

}  // namespace

bool take_event(State& state, Event&& event, Instant now, Decision& decision) {
  return std::visit(
      [&](auto&& e) { return take(state, std::forward<decltype(e)>(e), now, decision); },
      std::move(event));
}

}  // namespace mimus::scheduler
