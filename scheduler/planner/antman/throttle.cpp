// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/antman/throttle.hpp"

#include <algorithm>

namespace mimus::scheduler {

void Throttle::observe(const JobView& view, const JobSample& sample) {
  jobs_.insert(view.id, {});
  Job& job = *jobs_.find(view.id);
  if (job.batch != sample.batch || job.gpus != sample.gpus) {
    job.alone = Duration{};
    job.batch = sample.batch;
    job.gpus = sample.gpus;
  }
  job.step = sample.step;
  job.step_begin = sample.begin;
  if (sample.co_tenants == 0) job.alone = sample.step;
  const double weight =
      std::min(1.0, to_seconds(sample.end - sample.begin) / to_seconds(settings_.window));
  const double before = job.utilisation.value_or(sample.utilisation);
  job.utilisation = before + weight * (sample.utilisation - before);
  job.memory = std::max(job.memory, sample.memory);
  if (view.limits.cap == 1.0) {
    job.unlimited_utilisation = std::max(job.unlimited_utilisation, sample.utilisation);
  }
}

void Throttle::adjust(const JobView& view, std::span<const JobView* const> beside, Instant now) {
  jobs_.insert(view.id, {});
  Job& job = *jobs_.find(view.id);
  const auto measured = [&](const JobView* other) {
    const Job* found = jobs_.find(other->id);
    return found != nullptr && found->alone > Duration{};
  };
  const bool waited = job.waits_for_measurement;
  job.waits_for_measurement = !std::ranges::all_of(beside, measured);
  if (beside.empty() || waited || job.waits_for_measurement) {
    job.percent = 100;
    job.holds_since = kNever;
    return;
  }
  if (!has_taken_effect(view, job)) {
    job.holds_since = kNever;
    return;
  }
  if (job.holds_since == kNever) job.holds_since = now;
  bool is_slow = false;
  for (const JobView* other : beside) {
    const Job& guaranteed = *jobs_.find(other->id);
    if (guaranteed.step_begin < job.holds_since) return;  // not measured since
    is_slow =
        is_slow || to_seconds(guaranteed.step) > settings_.tolerance * to_seconds(guaranteed.alone);
  }
  const int before = job.percent;
  job.percent =
      is_slow ? std::max(0, before - settings_.slower) : std::min(100, before + settings_.faster);
  if (job.percent != before) job.holds_since = kNever;
}

bool Throttle::has_taken_effect(const JobView& view, const Job& job) const {
  if (job.percent == 0) return view.suspension == Suspension::suspended;
  return view.trains() && view.suspension == Suspension::none && !view.limits_asked &&
         view.limits.cap == cap_of(job);
}

bool Throttle::suspends(JobId id) const {
  const Job* job = jobs_.find(id);
  return job != nullptr && (job->percent == 0 || job->waits_for_measurement);
}

double Throttle::cap(JobId id) const {
  const Job* job = jobs_.find(id);
  return job == nullptr ? 1.0 : cap_of(*job);
}

double Throttle::cap_of(const Job& job) {
  if (job.percent == 100 || job.percent == 0) return 1.0;
  const double used = job.unlimited_utilisation > 0.0 ? job.unlimited_utilisation : 1.0;
  return used * job.percent / 100.0;
}

std::optional<double> Throttle::utilisation(JobId id) const {
  const Job* job = jobs_.find(id);
  return job == nullptr ? std::nullopt : job->utilisation;
}

Bytes Throttle::memory(JobId id) const {
  const Job* job = jobs_.find(id);
  return job == nullptr ? Bytes{} : job->memory;
}

}  // namespace mimus::scheduler
