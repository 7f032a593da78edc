// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/replay/gavel_replay_engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/rated_speed.hpp"

namespace mimus::emulator {

void GavelReplayEngine::start(const Attempt& attempt) {
  const workloads::Job& job = truths_.at(attempt.job).job;
  if (attempt.fail_at_samples >= 0.0) {
    throw UsageError(
        fmt::format("job {} has a planned failure, which Gavel's replay does not "
                    "support; leave engine.replay out",
                    attempt.job.value()));
  }
  if (job.rates.empty()) {
    throw UsageError(
        fmt::format("job {} has no speed by GPU type, which Gavel's replay needs; "
                    "state rates, or leave engine.replay out",
                    attempt.job.value()));
  }
  if (leases_last()) {
    throw UsageError(
        fmt::format("Gavel's replay can start a job at the end of a round only, not at "
                    "{:.3f} s; take planner gavel, with a round of {:g} s as "
                    "engine.round says",
                    to_seconds(now_), to_seconds(round_)));
  }
  Running running{.id = attempt.id, .job = attempt.job};
  running.rate = stated_rate(job, cluster_.shape, attempt.allocation.slots);
  running.total = to_seconds(job.run_time) * job.rates.front().second;
  running_[attempt.id] = running;
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
  ensure(false, "a job is resized in Gavel's replay, whose gangs keep their sizes");
}

void GavelReplayEngine::limit(AttemptId, const scheduler::DeviceLimits&) {
  ensure(false, "a job is limited in Gavel's replay, which knows no limits");
}

void GavelReplayEngine::suspend(AttemptId, scheduler::SuspendedMemory) {
  ensure(false, "a job is suspended in Gavel's replay, whose GPUs have one job each");
}

void GavelReplayEngine::resume(AttemptId) {
  ensure(false, "a job is resumed in Gavel's replay, whose GPUs have one job each");
}

bool GavelReplayEngine::leases_last() const {
  return std::ranges::any_of(running_, [&](const auto& entry) {
    return entry.second.is_leased && entry.second.ends > now_;
  });
}

double GavelReplayEngine::run_time_done(JobId job) const {
  const auto found = done_.find(job);
  if (found == done_.end()) return 0.0;
  return found->second / truths_.at(job).job.rates.front().second;
}

void GavelReplayEngine::begin_leases() {
  for (auto& [id, running] : running_) {
    const double left = running.total - done_[running.job];
    running.leased = std::min(std::floor(running.rate * to_seconds(round_)), left);
    running.ends = now_ + from_seconds(running.leased / running.rate);
    running.is_leased = true;
  }
}

/// What a lease makes is there once it is over. Its last iterations must be known before its job
/// ends.
void GavelReplayEngine::end_lease(Running& running) {
  running.is_leased = false;
  double& done = done_[running.job];
  done += running.leased;
  if (done < running.total) return;
  const double work = truths_.at(running.job).job.work_samples;
  pending_.push_back({now_, AttemptProgress{running.id, {}, work}});
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
    ensure(until != kNever, "no job runs and no event is due");
    now_ = std::max(now_, until);
    for (auto& [id, running] : running_) {
      if (running.is_leased && running.ends <= now_) end_lease(running);
    }
    std::erase_if(running_, [this](const auto& entry) {
      return done_[entry.second.job] >= entry.second.total;
    });
  }
  happened.insert(happened.end(), std::make_move_iterator(pending_.begin()),
                  std::make_move_iterator(pending_.end()));
  pending_.clear();
  return now_;
}

}  // namespace mimus::emulator
