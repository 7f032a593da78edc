// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/take_event.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "scheduler/books/attempts.hpp"
#include "scheduler/books/departure.hpp"
#include "scheduler/books/resize.hpp"
#include "scheduler/books/types_of_job.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/planner/planner.hpp"
#include "scheduler/recovery/recovery.hpp"

namespace mimus::scheduler {
namespace {

/// Why a job can never run here, or "" if it can.
std::string never_fits(const Books& books, const JobView& job) {
  const ClusterShape& shape = books.cluster.shape();
  if (job.gang == 0 && !books.policy.places_hosts()) {
    return "asks for no GPU, which only placements that look at whole nodes place";
  }
  if (std::string why = fits_no_type(books.cluster, job); !why.empty()) return why;
  if (std::string why = fits_no_node(books.cluster, job); !why.empty()) return why;
  if (job.gang > shape.gpus()) {
    return fmt::format("asks for {} GPUs, but the cluster has {}", job.gang, shape.gpus());
  }
  if (const int left = books.cluster.gpus_left(); job.gang > left) {
    return fmt::format("asks for {} GPUs, but of the cluster's {} only {} {} left", job.gang,
                       shape.gpus(), left, left == 1 ? "is" : "are");
  }
  const Bytes memory = shape.memory_of_types(job.types);
  if (!has_memory(job.model, memory)) {
    return fmt::format("needs {} per GPU with its smallest batch of {}, but a GPU has {}",
                       format_bytes(job.model.memory(job.model.per_gpu_batch_min)),
                       job.model.per_gpu_batch_min, format_bytes(memory));
  }
  const auto admission = books.policy.admission->admit(job, job.demand(), {.gpus = shape.gpus()});
  return admission.verdict == Verdict::reject ? admission.reason : "";
}

/// A job that is believed to need more than a GPU has is taken to fill one: it may run there alone.
void believe_memory(ModelFacts& model, const ReplicaMemory& memory, std::int64_t per_gpu,
                    Bytes capacity) {
  const Bytes need = memory.at(static_cast<double>(per_gpu));
  const double scale = capacity == Bytes{} || need <= capacity ? 1.0 : capacity / need;
  model.base_memory = scale * memory.base;
  model.memory_per_sample = scale * memory.per_sample;
}

void believe(const Books& books, JobView& job) {
  const Estimator& estimate = *books.policy.estimate;
  job.estimated_run_time = estimate.run_time(job).value_or(Duration::zero());
  if (!books.policy.asks_utilisation()) return;
  job.estimated_utilisation = estimate.utilisation(job).value_or(1.0);
  if (const auto memory = estimate.memory(job)) {
    believe_memory(job.model, *memory, job.requested_per_gpu(),
                   books.cluster.shape().memory_of_types(job.types));
  }
}

bool take(Books& books, JobArrived&& event, Instant now, Decision& decision) {
  ensure(event.job.gang >= 0, "a job asks for less than no GPU");
  JobRecord& job = books.jobs.add(std::move(event.job));
  job.view.requested_gang = job.view.gang;
  if (job.view.replica_gpus > 1 && !books.policy.counts_replicas()) job.view.rigid = true;
  job.view.share = books.policy.share_of(job.view);
  if (!books.books_hosts) job.view.host = {};
  job.view.types =
      types_for(books.cluster.shape(), job.view, books.policy.placement->relaxes_types());
  if (job.view.types != 0) believe(books, job.view);
  job.group_if_guaranteed = books.groups.number_of(books.policy.admission->group(job.view));
  job.group = job.view.opportunistic ? Groups::kUncounted : job.group_if_guaranteed;
  ++books.unfinished;
  if (std::string reason = never_fits(books, job.view); !reason.empty()) {
    give_up(books, job, JobState::rejected, std::move(reason), decision);
    return false;
  }
  enqueue(books, job, now);
  books.decider->hear(Happening::arrival, &job, now);
  return true;
}

bool take(Books& books, JobCancelled&& event, Instant now, Decision& decision) {
  JobRecord* job = books.jobs.find(event.job);
  if (job == nullptr || job->left || job->cancelled) return false;
  cancel(books, *job, std::move(event.reason), now, decision);
  return true;
}

/// When the batch of a job is to be evaluated after `now`: multiples of the interval after `since`,
/// so that reports that come late do not add up.
Instant next_retune(const Books& books, Instant since, Instant now) {
  const Duration interval = books.policy.batch->retune_interval();
  if (interval == Duration::max()) return kNever;
  if (interval == Duration::zero()) return now;
  return since + ((now - since) / interval + 1) * interval;
}

bool take(Books& books, const AttemptStarted& event, Instant now, Decision&) {
  JobRecord* job = books.jobs.running(event.attempt);
  if (job == nullptr || job->view.stepping_since != kNever) return false;
  job->view.stepping_since = job->view.active_since = std::min(event.at, now);
  job->retune_from = next_retune(books, job->view.stepping_since, job->view.stepping_since);
  if (job->view.state == JobState::starting) job->view.state = JobState::running;
  return books.decider->hear(Happening::first_step, job, now);
}

bool take(Books& books, const AttemptSuspended& event, Instant now, Decision& decision) {
  JobRecord* job = books.jobs.running(event.attempt);
  if (job == nullptr || job->view.suspension != Suspension::asked) return false;
  JobView& view = job->view;
  view.suspension = Suspension::suspended;
  view.suspended_since = std::min(event.at, now);
  books.cluster.set_memory(event.attempt,
                           view.model.kept_memory(view.batch.per_gpu, view.limits, view.keeps));
  stop_if_cancelled(books, *job, now, decision);
  return books.decider->hear(Happening::suspended, job, now);
}

bool take(Books& books, const AttemptResumed& event, Instant now, Decision& decision) {
  JobRecord* job = books.jobs.running(event.attempt);
  if (job == nullptr || job->view.suspension != Suspension::resuming) return false;
  JobView& view = job->view;
  view.active_since = std::min(event.at, now);
  const Duration paused = view.active_since - std::exchange(view.suspended_since, kNever);
  view.running_since += paused;
  view.stepping_since += paused;
  view.suspension = Suspension::none;
  stop_if_cancelled(books, *job, now, decision);
  return books.decider->hear(Happening::first_step, job, now);
}

bool take(Books& books, const AttemptLimited& event, Instant now, Decision&) {
  JobRecord* job = books.jobs.running(event.attempt);
  if (job == nullptr || !job->view.limits_asked) return false;
  job->view.limits_asked = false;
  books.cluster.set_memory(event.attempt, needed_memory(*job));
  return books.decider->hear(Happening::limited, job, now);
}

/// A report comes at the end of a step, and thus up to this part of the interval early.
constexpr int kEarly = 10;

/// Returns true if the new batch may leave memory for a waiting job.
bool retune(Books& books, JobRecord& job, Instant now, Decision& decision) {
  if (job.planned_batch || job.view.gang == 0) return false;
  if (job.view.suspension != Suspension::none) return false;
  const Duration interval = books.policy.batch->retune_interval();
  if (interval == Duration::max() || now < job.retune_from - interval / kEarly) return false;
  job.retune_from = next_retune(books, job.retune_from, std::max(now, job.retune_from));
  const auto batch = books.policy.batch->retune(books.query(job, &job.view.allocation));
  if (!batch) return false;
  const bool smaller = batch->per_gpu < job.view.batch.per_gpu;
  retune_attempt(books, job, *batch, decision);
  if (!smaller || books.policy.max_tenants() == 1) return false;
  ++books.capacity_epoch;
  return !books.pending.empty();
}

bool take(Books& books, const ProgressReported& event, Instant now, Decision& decision) {
  JobRecord* job = books.jobs.running(event.attempt);
  if (job == nullptr) return false;
  job->view.progress = event.progress;
  for (const JobSample& sample : event.samples) {
    books.policy.estimate->observe(job->view, sample);
    books.policy.batch->observe(job->view, sample);
    if (books.policy.planner != nullptr) books.policy.planner->observe(job->view, sample);
  }
  const bool heard = books.decider->hear(Happening::report, job, now);
  const bool room = job->view.state == JobState::running && retune(books, *job, now, decision);
  return heard || room;
}

void recover(Books& books, JobRecord& job, const AttemptEnded& event, Instant now,
             Decision& decision) {
  JobView& view = job.view;
  const bool memory = event.reason == EndReason::out_of_memory;
  if (memory) ++view.memory_failures;
  if (memory || event.reason == EndReason::failed) ++view.failures;
  const Duration ran = now - view.running_since;
  RecoveryDecision recovery = books.policy.recovery->after(view, event, ran);
  if (event.reason == EndReason::failed) view.last_failure = Failure{event.detail, ran};
  if (!recovery.retry) {
    give_up(books, job, JobState::failed, std::move(recovery.reason), decision);
    return;
  }
  if (std::string reason = never_fits(books, view); !reason.empty()) {
    give_up(books, job, JobState::failed, std::move(reason), decision);
    return;
  }
  if (recovery.per_gpu_batch > 0) view.model.per_gpu_batch_max = recovery.per_gpu_batch;
  job.held_until = now + recovery.delay;
  enqueue(books, job, now);
}

bool take(Books& books, const AttemptEnded& event, Instant now, Decision& decision) {
  JobRecord* job = books.jobs.running(event.attempt);
  ensure(job != nullptr, "an attempt ends that does not run");
  bool reranks = false;
  if (event.reason == EndReason::finished) {
    books.policy.estimate->learn(job->view, now);
    reranks = books.policy.order->learn(job->view, now);
  }
  const bool preempted = event.reason == EndReason::preempted && !job->cancelled;
  if (preempted) books.decider->hear(Happening::stopped, job, now);
  if (!preempted && !is_followed(event.reason)) books.decider->hear(Happening::end, job, now);
  note_failure(books, *job, event, now, decision);
  free_gpus(books, *job, event.reason, now);
  job->view.progress.samples_done = event.samples_done;
  if (is_followed(event.reason)) {
    begin_next(books, *job, now);
    stop_if_cancelled(books, *job, now, decision);
    return true;
  }
  cancel_resize(books, *job);
  if (event.reason == EndReason::finished) {
    leave(books, *job, JobState::finished);
    if (reranks) rank_anew(books, now);
  } else if (job->cancelled) {
    give_up(books, *job, JobState::killed, std::move(*job->cancelled), decision);
  } else if (preempted) {
    enqueue(books, *job, now);
  } else {
    recover(books, *job, event, now, decision);
  }
  return true;
}

bool take(Books& books, const NodeDown& event, Instant now, Decision&) {
  books.cluster.set_node_up(event.node, false);
  books.decider->hear(Happening::failure, nullptr, now);
  return true;
}

bool take(Books& books, const NodeUp& event, Instant now, Decision&) {
  books.cluster.set_node_up(event.node, true);
  books.decider->hear(Happening::failure, nullptr, now);
  ++books.capacity_epoch;
  return true;
}

/// Gives up jobs that need more GPUs than are left, because they would wait for ever.
bool take(Books& books, const GpuDown& event, Instant now, Decision& decision) {
  books.cluster.lose_gpu(event.gpu);
  books.decider->hear(Happening::failure, nullptr, now);
  for (JobRecord* job : books.jobs.all()) {
    if (job->view.state != JobState::queued) continue;
    std::string reason = never_fits(books, job->view);
    if (reason.empty()) continue;
    leave_queue(books, *job, now);
    const bool started = job->view.attempts > 0;
    give_up(books, *job, started ? JobState::failed : JobState::rejected, std::move(reason),
            decision);
  }
  return true;
}

bool take(Books&, const Timer&, Instant, Decision&) {
  return true;
}

}  // namespace

void turn_away_waiting(Books& books, Instant now, Decision& decision) {
  std::vector<JobRecord*> waiting;
  for (const PendingQueue::Head& head : books.pending.heads()) {
    head.request->waiting.for_each([&](const WaitingJob& job) {
      if (job.job->view.attempts == 0) waiting.push_back(job.job);
    });
  }
  std::sort(waiting.begin(), waiting.end(),
            [](const JobRecord* a, const JobRecord* b) { return a->view.id < b->view.id; });
  for (JobRecord* job : waiting) {
    leave_queue(books, *job, now);
    give_up(books, *job, JobState::rejected, "could not start when it arrived", decision);
  }
}

bool take_event(Books& books, Event&& event, Instant now, Decision& decision) {
  return std::visit(
      [&](auto&& e) { return take(books, std::forward<decltype(e)>(e), now, decision); },
      std::move(event));
}

}  // namespace mimus::scheduler
