// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/replay/pollux_replay_engine.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/no_event_left.hpp"

namespace mimus::emulator {
namespace {

Instant second(double seconds) {
  return Instant{from_seconds(seconds)};
}

std::int64_t seconds_of(Instant at) {
  return std::chrono::duration_cast<std::chrono::seconds>(at.time_since_epoch()).count();
}

bool is_distributed(const ReplayJob& job) {
  const auto& nodes = job.nodes();
  return std::any_of(nodes.begin(), nodes.end(), [&](NodeId n) { return n != nodes.front(); });
}

/// The order of events at one instant: ends, starts, progress.
int rank_of(const EngineEvent& event) {
  if (std::holds_alternative<scheduler::AttemptEnded>(event)) return 0;
  return std::holds_alternative<scheduler::AttemptStarted>(event) ? 1 : 2;
}

StepWindow window_of(const ReplayedStretch& stretch, const ReplayJob& job, double speed) {
  const auto reference = static_cast<double>(job.profile().application->reference_batch);
  const double steps = (stretch.end - stretch.begin) / stretch.step_time * speed;
  StepWindow window;
  window.begin = second(stretch.begin);
  window.end = second(stretch.end);
  window.steps = std::llround(steps);
  window.batch = stretch.batch;
  window.samples = steps * static_cast<double>(stretch.batch.total(job.nodes().size()));
  window.progress_samples = stretch.progress * reference;
  window.samples_done = job.samples_done();
  window.noise_scale = job.noise_scale(stretch);
  window.step_mean = from_seconds(stretch.step_time / speed);
  window.step_modelled = from_seconds(stretch.step_time);
  // In the artifact interference takes progress, and the step times that jobs measure are without
  // it.
  window.unnoticed = window.step_mean - window.step_modelled;
  window.exposed_communication = from_seconds(stretch.timing.sync);
  window.device_busy = from_seconds(stretch.step_time - stretch.timing.sync);
  return window;
}

}  // namespace

PolluxReplayEngine::PolluxReplayEngine(const ClusterConfig& cluster,
                                       const workloads::PolluxProfiles& profiles, Settings settings)
    : cluster_(cluster),
      profiles_(profiles),
      settings_(settings),
      round_(std::chrono::seconds(settings.round)) {}

void PolluxReplayEngine::check_round(std::string_view what) const {
  if (now_.time_since_epoch() % round_ == Duration{}) return;
  throw UsageError(
      fmt::format("the Pollux replay can {} at multiples of {} s only, not at {:.3f} s; "
                  "set engine.round to {} s",
                  what, settings_.round, to_seconds(now_), settings_.round));
}

std::vector<NodeId> PolluxReplayEngine::nodes_of(const Attempt& attempt) const {
  std::vector<NodeId> nodes;
  for (const auto& slot : attempt.allocation.slots) {
    nodes.push_back(cluster_.shape.node_of(slot.gpu));
  }
  return nodes;
}

ReplayJob& PolluxReplayEngine::job_of(const Attempt& attempt) {
  auto& job = jobs_[attempt.job];
  if (job == nullptr) {
    const std::string model = attempt.model != nullptr ? attempt.model->name : "";
    job = std::make_unique<ReplayJob>(profiles_.at(model));
  }
  return *job;
}

void PolluxReplayEngine::start(const Attempt& attempt) {
  check_round("start a job");
  if (attempt.fail_at_samples >= 0.0) {
    throw UsageError(
        fmt::format("job {} has a planned failure, which the Pollux replay does not support; leave "
                    "engine.replay out",
                    attempt.job.value()));
  }
  ReplayJob& job = job_of(attempt);
  auto nodes = nodes_of(attempt);
  const auto stopped = stopped_.find(attempt.job);
  const bool untouched = stopped != stopped_.end() && stopped->second == nodes;
  job.place(std::move(nodes), untouched ? job.pause() : settings_.rescale);
  Running& running = running_[attempt.id] = {attempt, &job};
  running.trained = seconds_of(now_);
  if (settings_.artifact_split && settings_.users_batch && attempt.requested_batch > 0) {
    job.set_batch(attempt.requested_batch);  // the plan is already limited to the model's batches
  } else {
    retune(attempt.id, attempt.batch);
  }
  if (job.pause() == 0) report_start(running, now_);
}

void PolluxReplayEngine::stop(AttemptId attempt) {
  const auto found = running_.find(attempt);
  if (found == running_.end()) return;
  check_round("stop a job");
  const Running& running = found->second;
  pending_.push_back({now_, scheduler::AttemptEnded{attempt, scheduler::EndReason::preempted, "",
                                                    running.job->samples_done()}});
  stopped_[running.attempt.job] = running.job->nodes();
  running_.erase(found);
}

void PolluxReplayEngine::retune(AttemptId attempt, const scheduler::BatchPlan& batch) {
  const auto found = running_.find(attempt);
  if (found == running_.end()) return;
  ReplayJob& job = *found->second.job;
  if (settings_.artifact_split) {
    job.set_batch(batch.total(job.nodes().size()));
  } else {
    job.set_batch(batch);
  }
}

void PolluxReplayEngine::resize(AttemptId, const Attempt&) {
  throw UsageError(
      "the simulator of Pollux's artifact stops and starts the jobs that it resizes, and so does "
      "its "
      "replay: set policy.planner.resize to restart, or leave engine.replay out");
}

void PolluxReplayEngine::limit(AttemptId, const scheduler::DeviceLimits&) {
  ensure(false, "a job is limited in a replay, whose simulator knows no limits");
}

void PolluxReplayEngine::suspend(AttemptId, scheduler::SuspendedMemory) {
  ensure(false, "a job is suspended in a replay, whose GPUs have one job each");
}

void PolluxReplayEngine::resume(AttemptId) {
  ensure(false, "a job is resumed in a replay, whose GPUs have one job each");
}

Instant PolluxReplayEngine::next(Instant deadline, std::vector<TimedEvent>& happened) {
  while (pending_.empty() && now_ < deadline) {
    const Duration since = now_.time_since_epoch() % round_;
    const Instant round_end = now_ - since + round_;
    if (running_.empty() || deadline < round_end) {
      if (deadline == kNever) throw_no_event_left();
      now_ = deadline;
      stopped_.clear();
      break;
    }
    if (since == Duration{}) begin_round();
    Instant until = round_end;
    for (auto& [id, running] : running_) {
      train(running, round_end);
      until = std::min(until, next_report(running));
    }
    now_ = until;
    stopped_.clear();
    for (auto& [id, running] : running_) {
      if (next_report(running) <= until) report(running, until);
    }
    std::stable_sort(pending_.begin(), pending_.end(), [](const auto& a, const auto& b) {
      return a.at != b.at ? a.at < b.at : rank_of(a.event) < rank_of(b.event);
    });
    std::erase_if(running_, [](const auto& entry) {
      return entry.second.job->completed_at() && entry.second.due == kNever;
    });
  }
  happened.insert(happened.end(), std::make_move_iterator(pending_.begin()),
                  std::make_move_iterator(pending_.end()));
  pending_.clear();
  return now_;
}

void PolluxReplayEngine::begin_round() {
  const auto tenants = distributed_per_node();
  for (auto& [id, running] : running_) running.interference = interference_on(running, tenants);
}

/// Up to the instant at which the job reports its progress: the end of the round, in which nothing
/// else can change, or the end of an epoch where its batch may.
void PolluxReplayEngine::train(Running& running, Instant round_end) const {
  if (running.due != kNever) return;
  const std::int64_t end = seconds_of(round_end);
  ReplayJob& job = *running.job;
  running.due = round_end;
  while (running.trained < end && !job.completed_at()) {
    const auto stretch = job.train(running.trained, end, running.interference);
    running.trained = stretch ? static_cast<std::int64_t>(stretch->end) : end;
    if (stretch) running.stretches.push_back(*stretch);
    if (!settings_.reports_epochs || running.trained == end) continue;
    running.due = second(static_cast<double>(running.trained));
    break;
  }
}

/// That of its first step comes with the first progress, unless other jobs may report in between.
Instant PolluxReplayEngine::next_report(const Running& running) const {
  const bool starts = running.first_step == kNever && !running.stretches.empty();
  if (!starts || !settings_.reports_epochs) return running.due;
  return second(running.stretches.front().begin);
}

void PolluxReplayEngine::report_start(Running& running, Instant at) {
  running.first_step = at;
  pending_.push_back({at, scheduler::AttemptStarted{running.attempt.id}});
}

void PolluxReplayEngine::report(Running& running, Instant until) {
  if (running.first_step == kNever && !running.stretches.empty()) {
    report_start(running, second(running.stretches.front().begin));
  }
  if (running.due > until) return;
  running.due = kNever;
  const std::vector<ReplayedStretch> stretches = std::exchange(running.stretches, {});
  if (stretches.empty()) return;
  const ReplayJob& job = *running.job;
  AttemptProgress progress{running.attempt.id, {}, job.samples_done()};
  progress.is_urgent = settings_.reports_epochs;
  for (const auto& stretch : stretches) {
    if (stretch.end > stretch.begin) {
      progress.windows.push_back(window_of(stretch, job, 1.0 - running.interference));
    }
  }
  const Instant end = second(stretches.back().end);
  if (job.completed_at()) {
    // The rest may have taken less than half a second. The end must still come after the start.
    report_end(running, end + Duration{end == running.first_step ? 1 : 0}, std::move(progress));
  } else {
    pending_.push_back({end, std::move(progress)});
  }
}

/// The work of a finished attempt must be known before its end.
void PolluxReplayEngine::report_end(const Running& running, Instant end, AttemptProgress progress) {
  if (!progress.windows.empty()) pending_.push_back({end - Duration{1}, std::move(progress)});
  pending_.push_back(
      {end, scheduler::AttemptEnded{running.attempt.id, scheduler::EndReason::finished, "",
                                    running.job->samples_done()}});
}

std::vector<int> PolluxReplayEngine::distributed_per_node() const {
  std::vector<int> tenants(static_cast<std::size_t>(cluster_.shape.nodes), 0);
  for (const auto& [id, running] : running_) {
    if (!is_distributed(*running.job)) continue;
    auto nodes = running.job->nodes();
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const NodeId node : nodes) ++tenants[node.index()];
  }
  return tenants;
}

double PolluxReplayEngine::interference_on(const Running& running,
                                           const std::vector<int>& tenants) const {
  const auto& nodes = running.job->nodes();
  const bool interfered = is_distributed(*running.job) &&
                          std::any_of(nodes.begin(), nodes.end(),
                                      [&](NodeId node) { return tenants[node.index()] > 1; });
  return interfered ? settings_.interference : 0.0;
}

double PolluxReplayEngine::samples_done(JobId job) const {
  const auto found = jobs_.find(job);
  return found == jobs_.end() ? 0.0 : found->second->samples_done();
}

int PolluxReplayEngine::epoch(JobId job) const {
  const auto found = jobs_.find(job);
  return found == jobs_.end() ? 0 : found->second->epoch();
}

}  // namespace mimus::emulator
