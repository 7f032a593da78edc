// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/replay/gavel_replay_engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/no_event_left.hpp"
#include "emulator/rated_speed.hpp"

namespace mimus::emulator {

void GavelReplayEngine::start(const Attempt& attempt) {
  const workloads::Job& job = truths_.at(attempt.job).job;
  if (attempt.fail_at_samples >= 0.0) {
    throw UsageError(
        fmt::format("job {} has a planned failure, which engine.replay: {} does not "
                    "support; leave engine.replay out",
                    attempt.job.value(), rounds_.simulator));
  }
  if (job.rates.empty()) {
    throw UsageError(
        fmt::format("job {} has no speed by GPU type, which engine.replay: {} needs; "
                    "state rates, or leave engine.replay out",
                    attempt.job.value(), rounds_.simulator));
  }
  if (leases_last()) {
    throw UsageError(fmt::format(
        "engine.replay: {} can start a job at the end of a round only, not at {:.3f} s; take "
        "planner gavel or shockwave, with a round of {:g} s as engine.round says",
        rounds_.simulator, to_seconds(now_), to_seconds(rounds_.length)));
  }
  running_[attempt.id] = {.id = attempt.id, .job = attempt.job, .slots = attempt.allocation.slots};
  courses_.try_emplace(attempt.job, Course{LeasedTraining(job)});
  pending_.push_back({now_, scheduler::AttemptStarted{attempt.id}});
}

void GavelReplayEngine::stop(AttemptId attempt) {
  const auto found = running_.find(attempt);
  if (found == running_.end()) return;
  pending_.push_back({now_, scheduler::AttemptEnded{attempt, scheduler::EndReason::preempted, "",
                                                    run_time_done(found->second.job)}});
  running_.erase(found);
}

void GavelReplayEngine::resize(AttemptId, const Attempt&) {
  ensure(false, "a job is resized in a replay whose gangs keep their sizes");
}

void GavelReplayEngine::limit(AttemptId, const scheduler::DeviceLimits&) {
  ensure(false, "a job is limited in a replay that knows no limits");
}

void GavelReplayEngine::suspend(AttemptId, scheduler::SuspendedMemory) {
  ensure(false, "a job is suspended in a replay whose GPUs have one job each");
}

void GavelReplayEngine::resume(AttemptId) {
  ensure(false, "a job is resumed in a replay whose GPUs have one job each");
}

bool GavelReplayEngine::leases_last() const {
  return std::ranges::any_of(running_, [&](const auto& entry) {
    return entry.second.is_leased && entry.second.ends > now_;
  });
}

double GavelReplayEngine::run_time_done(JobId job) const {
  const auto found = courses_.find(job);
  return found == courses_.end() ? 0.0 : found->second.training.run_time_done();
}

/// Iterations/s that its job states on its GPUs, beside the other job there if there is one.
double GavelReplayEngine::stated_now(const Running& running) const {
  const workloads::Job& job = truths_.at(running.job).job;
  for (const auto& [id, other] : running_) {
    if (id == running.id || other.slots.front().gpu != running.slots.front().gpu) continue;
    const workloads::Job& beside = truths_.at(other.job).job;
    const std::string& type =
        cluster_.shape.type_name(cluster_.shape.type_of(running.slots.front().gpu));
    if (const auto rate = stated_rate_beside(job, beside, type)) return *rate;
    throw UsageError(fmt::format(
        "no speed of job \"{}\" beside \"{}\" on {} was measured, which engine.replay: {} needs; "
        "set residents to 1",
        job.kind, beside.kind, type, rounds_.simulator));
  }
  return stated_rate(job, cluster_.shape, running.slots);
}

void GavelReplayEngine::begin_leases() {
  if (running_.empty()) return;
  ++round_;
  for (auto& [id, running] : running_) begin_lease(running, stated_now(running));
}

void GavelReplayEngine::begin_lease(Running& running, double stated) {
  Course& course = courses_.at(running.job);
  const double rate = course.training.rate_at(stated);
  const double length = to_seconds(rounds_.length);
  running.leased = std::min(std::floor(rate * length), course.training.left());
  running.trains = std::max(0.0, running.leased / rate);
  running.ends = now_ + from_seconds(running.trains);
  running.is_leased = true;
  const double start = to_seconds(rounds_.start);
  constexpr double kShorter = 5.0;  // [s] than a round: its last lease
  if (start > 0.0 && round_ > 0 && course.last_round != round_ - 1 &&
      running.trains > length - kShorter) {
    running.leased = std::trunc(running.leased * (running.trains - start) / running.trains);
    running.trains -= start;
  }
  course.last_round = round_;
}

/// What a lease makes is there once it is over. Its last iterations must be known before its job
/// ends.
void GavelReplayEngine::end_lease(Running& running) {
  running.is_leased = false;
  LeasedTraining& training = courses_.at(running.job).training;
  training.end_lease(running.leased, running.trains);
  const workloads::Job& job = truths_.at(running.job).job;
  if (!training.is_complete()) {
    if (!job.course) return;
    const double done = run_time_done(running.job);
    return pending_.push_back({now_, AttemptProgress{running.id, {}, done, training.report()}});
  }
  const double work = job.work_samples;
  pending_.push_back({now_, AttemptProgress{running.id, {}, work, std::nullopt}});
  pending_.push_back(
      {now_, scheduler::AttemptEnded{running.id, scheduler::EndReason::finished, "", work}});
}

Instant GavelReplayEngine::next(Instant deadline, std::vector<TimedEvent>& happened) {
  while (pending_.empty() && now_ < deadline) {
    if (!leases_last()) begin_leases();
    Instant until = deadline;
    for (const auto& [id, running] : running_) {
      if (running.is_leased) until = std::min(until, running.ends);
    }
    if (until == kNever) throw_no_event_left();
    now_ = std::max(now_, until);
    for (auto& [id, running] : running_) {
      if (running.is_leased && running.ends <= now_) end_lease(running);
    }
    std::erase_if(running_, [this](const auto& entry) {
      return courses_.at(entry.second.job).training.is_complete();
    });
  }
  happened.insert(happened.end(), std::make_move_iterator(pending_.begin()),
                  std::make_move_iterator(pending_.end()));
  pending_.clear();
  return now_;
}

}  // namespace mimus::emulator
