// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/lucid/binder.hpp"

#include <algorithm>

#include "scheduler/planner/replica_memory.hpp"

namespace mimus::scheduler {

void Binder::measure(const JobView& job, const JobSample& sample, bool on_profiler) {
  jobs_.insert(job.id, {});
  Measured& measured = *jobs_.find(job.id);
  const double step = to_seconds(sample.step);
  if (step <= 0.0) return;
  const auto gpus = static_cast<std::size_t>(sample.gpus);
  const double rate = static_cast<double>(sample.batch.total(gpus)) / step;
  if (on_profiler) {
    measured.utilisation = sample.utilisation;
    measured.memory = sample.memory;
    measured.rate = rate;
  } else if (sample.co_tenants > 0 && measured.neighbour && sample.begin >= measured.since) {
    measured.shared_rate = rate;
  }
}

void Binder::seat(const JobView& job, const JobView* neighbour, Instant now) {
  Measured* measured = jobs_.find(job.id);
  if (measured == nullptr) return;  // it was not profiled and is not packed
  if (job.memory_failures > measured->memory_failures && measured->neighbour) {
    bad_.insert(models_of(job.model.name, measured->neighbour_model));
  }
  measured->memory_failures = job.memory_failures;
  const JobId id = neighbour == nullptr ? JobId{} : neighbour->id;
  if (id == measured->neighbour) return;
  measured->neighbour = id;
  measured->neighbour_model = neighbour == nullptr ? "" : neighbour->model.name;
  measured->since = now;
  measured->shared_rate = 0.0;
}

std::optional<int> Binder::score(JobId job) const {
  const Measured* measured = jobs_.find(job);
  if (measured == nullptr || !measured->utilisation) return std::nullopt;
  if (*measured->utilisation < settings_.tiny_below) return 0;
  return *measured->utilisation < settings_.medium_below ? 1 : 2;
}

bool Binder::may_share(const JobView& one, const JobView& other, int capacity,
                       Bytes gpu_memory) const {
  const auto first = score(one.id);
  const auto second = score(other.id);
  if (!first || !second || *first + *second > capacity) return false;
  if (bad_.contains(models_of(one.model.name, other.model.name))) return false;
  return gpu_memory == Bytes{} || memory_of(one) + memory_of(other) <= gpu_memory;
}

bool Binder::has_to_part(const JobView& one, const JobView& other) {
  const Models models = models_of(one.model.name, other.model.name);
  const Measured* first = jobs_.find(one.id);
  const Measured* second = jobs_.find(other.id);
  if (first == nullptr || second == nullptr) return false;
  if (first->shared_rate > 0.0 && second->shared_rate > 0.0) {
    const double speed =
        0.5 * (first->shared_rate / first->rate + second->shared_rate / second->rate);
    if (speed < settings_.least_speed) bad_.insert(models);
  }
  return bad_.contains(models);
}

Binder::Models Binder::models_of(const std::string& one, const std::string& other) {
  return {std::min(one, other), std::max(one, other)};
}

/// Plans are checked against what is believed, so it counts as well as what was measured.
Bytes Binder::memory_of(const JobView& job) const {
  return std::max(replica_memory(job), jobs_.at(job.id).memory);
}

}  // namespace mimus::scheduler
