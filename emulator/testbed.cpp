// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

namespace mimus::emulator {
namespace {

scheduler::JobView view_of(const workloads::Job& job, const workloads::Model& model, Instant now) {
  scheduler::JobView view;
  view.id = job.id;
  view.name = job.name;
  view.user = job.user;
  view.virtual_cluster = job.virtual_cluster;
  view.model = facts_of(model);
  view.gang = job.gang;
  view.requested_batch = job.total_batch;
  view.arrival = now;
  view.queued_since = now;
  view.user_estimate = job.user_estimate;
  return view;
}

}  // namespace

scheduler::ModelFacts facts_of(const workloads::Model& model) {
  scheduler::ModelFacts facts;
  facts.name = model.name;
  facts.reference_batch = model.batch.reference;
  facts.per_gpu_batch_min = model.batch.per_gpu_min;
  facts.per_gpu_batch_max = model.batch.per_gpu_max;
  facts.total_batch_max = model.batch.total_max;
  facts.base_memory = model.memory(0);
  facts.memory_per_sample = model.saved_activations();
  return facts;
}

Testbed::Testbed(const workloads::Workload& workload, const workloads::ModelCatalogue& models,
                 scheduler::Scheduler& scheduler, Engine& engine, results::Recorder& recorder)
    : workload_(workload),
      models_(models),
      scheduler_(scheduler),
      engine_(engine),
      recorder_(recorder),
      log_(recorder, workload, scheduler.cluster().shape()),
      truth_(workload.jobs.size()) {}

void Testbed::run(const Watcher& watcher) {
  try {
    loop(watcher);
  } catch (...) {
    log_.write(engine_.now());
    recorder_.flush();
    throw;
  }
  log_.write(engine_.now());
}

void Testbed::loop(const Watcher& watcher) {
  while (!all_ended()) {
    const TimedEvent timed = engine_.next(next_deadline());
    take(timed);
    arrivals(timed.at);
    recorder_.flush_if_due();
    watcher(progress(timed.at));
  }
}

Instant Testbed::next_deadline() const {
  const bool more = next_arrival_ < workload_.jobs.size();
  const Instant arrival = more ? workload_.jobs[next_arrival_].arrival : kNever;
  return std::min(arrival, wake_up_);
}

/// Jobs that arrive at one instant are decided on together: their order in the file must not
/// outweigh the order policy.
void Testbed::arrivals(Instant now) {
  std::vector<scheduler::Event> arrived;
  while (next_arrival_ < workload_.jobs.size() && workload_.jobs[next_arrival_].arrival <= now) {
    const workloads::Job& job = workload_.jobs[next_arrival_++];
    log_.job_arrived(job.id, now);
    arrived.emplace_back(scheduler::JobArrived{view_of(job, models_.at(job.model), now)});
  }
  if (!arrived.empty()) tell(arrived, now);
}

void Testbed::take(const TimedEvent& timed) {
  std::visit(
      [&](const auto& event) {
        using Event = std::decay_t<decltype(event)>;
        if constexpr (std::is_same_v<Event, TimerExpired>) {
          if (timed.at >= wake_up_) tell(scheduler::Timer{}, timed.at);
        } else if constexpr (std::is_same_v<Event, scheduler::AttemptStarted>) {
          log_.first_step(event.attempt, timed.at);
          tell(event, timed.at);
        } else if constexpr (std::is_same_v<Event, scheduler::NodeDown> ||
                             std::is_same_v<Event, scheduler::NodeUp>) {
          tell(event, timed.at);
        } else {
          handle(event, timed.at);
        }
      },
      timed.event);
}

void Testbed::handle(const AttemptProgress& progress, Instant now) {
  log_.progressed(progress);
  if (progress.windows.empty()) return;
  const StepWindow& last = progress.windows.back();
  const double span = std::max(to_seconds(last.end - last.begin), 1e-9);
  tell(scheduler::ProgressReported{progress.attempt,
                                   {.samples_done = progress.samples_done,
                                    .noise_scale = last.noise_scale,
                                    .throughput = last.samples / span}},
       now);
}

void Testbed::handle(const scheduler::AttemptEnded& ended, Instant now) {
  const JobId job = running_.at(ended.attempt);
  running_.erase(ended.attempt);
  Truth& truth = truth_[job.index()];
  truth.samples_done = ended.samples_done;
  if (ended.reason == scheduler::EndReason::preempted) truth.has_checkpoint = true;
  if (ended.reason == scheduler::EndReason::failed) ++truth.failures;
  log_.attempt_ended(ended, now);
  if (ended.reason == scheduler::EndReason::finished) log_.job_finished(job, now);
  tell(ended, now);
}

void Testbed::tell(const scheduler::Event& event, Instant now) {
  tell(std::span(&event, 1), now);
}

void Testbed::tell(std::span<const scheduler::Event> events, Instant now) {
  const WallInstant begin = wall_now();
  const scheduler::Decision decision = scheduler_.on_events(events, now);
  const Duration latency = wall_now() - begin;
  wake_up_ = decision.wake_up;
  for (const scheduler::Action& action : decision.actions) {
    std::visit([&](const auto& what) { carry_out(what, now); }, action);
  }
  const bool routine = std::holds_alternative<scheduler::ProgressReported>(events.front()) &&
                       decision.actions.empty();
  if (!routine) log_.decided(decision, scheduler_, latency, now);
}

void Testbed::carry_out(const scheduler::StartAttempt& start, Instant now) {
  const workloads::Job& job = workload_.jobs[start.job.index()];
  const Truth& truth = truth_[start.job.index()];
  Attempt attempt;
  attempt.id = start.attempt;
  attempt.job = start.job;
  attempt.model = &models_.at(job.model);
  attempt.allocation = start.allocation;
  attempt.batch = start.batch;
  attempt.samples_done = truth.samples_done;
  attempt.work_samples = job.work_samples;
  attempt.from_checkpoint = truth.has_checkpoint;
  const auto strikes = static_cast<std::size_t>(truth.failures);
  if (strikes < job.failures.failures.size()) {
    const auto& failure = job.failures.failures[strikes];
    attempt.fail_at_samples = std::max(failure.at_progress * job.work_samples, truth.samples_done);
    attempt.fail_reason = failure.reason;
  }
  running_[attempt.id] = attempt.job;
  log_.attempt_granted(attempt, now);
  engine_.start(attempt);
}

void Testbed::carry_out(const scheduler::StopAttempt& stop, Instant /*now*/) {
  engine_.stop(stop.attempt);
}

void Testbed::carry_out(const scheduler::RetuneBatch& retune, Instant now) {
  if (!running_.contains(retune.attempt)) return;
  log_.retuned(retune.attempt, retune.batch, now);
  engine_.retune(retune.attempt, retune.batch);
}

void Testbed::carry_out(const scheduler::GiveUpJob& give_up, Instant now) {
  log_.job_given_up(give_up.job, give_up.reason, now);
}

bool Testbed::all_ended() const {
  return log_.jobs_ended() == static_cast<int>(workload_.jobs.size()) && running_.empty();
}

RunProgress Testbed::progress(Instant now) const {
  const auto& cluster = scheduler_.cluster();
  return {.now = now,
          .jobs = static_cast<int>(workload_.jobs.size()),
          .jobs_ended = log_.jobs_ended(),
          .jobs_running = running_.size(),
          .jobs_queued = scheduler_.queued(),
          .gpus = cluster.shape().gpus(),
          .gpus_held = cluster.shape().gpus() - cluster.idle_gpus()};
}

}  // namespace mimus::emulator
