// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/drawn_jobs.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/random.hpp"

namespace mimus::workloads {
namespace {

/// Longer than any run, and short enough for sums of times.
constexpr Duration kForEver = std::chrono::hours{24} * 365 * 95;

void shuffle(std::vector<Job>& jobs, RandomStream& random) {
  for (auto left = static_cast<std::int64_t>(jobs.size()); left > 1; --left) {
    std::swap(jobs[static_cast<std::size_t>(left - 1)],
              jobs[static_cast<std::size_t>(random.below(left))]);
  }
}

void stay(Job& job, const WorkloadContext& context) {
  job.run_time = kForEver;
  job.work_samples = job.model.empty()
                         ? to_seconds(kForEver)
                         : context.run_times.samples_in(context.models.at(job.model), job.gang,
                                                        job.total_batch, kForEver);
}

}  // namespace

Workload DrawnJobs::make(const WorkloadContext& context) const {
  Workload workload = origin_->make(context);
  if (workload.jobs.empty()) return workload;
  if (std::ranges::none_of(workload.jobs, [](const Job& job) { return job.gang > 0; })) {
    throw UsageError(
        fmt::format("workload.draw: none of the {} jobs requests a GPU, so that no number of draws "
                    "requests {:g} times the cluster's GPUs; add jobs that do, or leave draw out",
                    workload.jobs.size(), settings_.requested));
  }
  RandomStream random(context.seed, "drawn jobs");
  std::vector<Job> pool = workload.jobs;  // drawn from in its own order
  std::vector<Job> listed = std::exchange(workload.jobs, {});
  shuffle(listed, random);
  const double most = settings_.requested * context.cluster_gpus;
  double requested = 0.0;
  const auto take = [&](Job job) {
    requested += job.gang * job.gpu_share;
    if (requested > most) return false;
    job.id = JobId{static_cast<std::int64_t>(workload.jobs.size())};
    job.arrival = Instant{job.id.value() * settings_.gap};
    if (settings_.stay) stay(job, context);
    workload.jobs.push_back(std::move(job));
    return true;
  };
  bool goes_on = true;
  for (std::size_t i = 0; goes_on && i < listed.size(); ++i) goes_on = take(std::move(listed[i]));
  while (goes_on) {
    goes_on =
        take(pool[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(pool.size())))]);
  }
  workload.source_hash = fmt::format(
      "{:016x}",
      stable_hash(fmt::format("{};drawn {};{};{}", workload.source_hash, settings_.requested,
                              settings_.gap.count(), settings_.stay)));
  workload.notes.push_back(
      fmt::format("{} jobs in random order, then drawn with replacement, until {} ask for {:g} "
                  "times the cluster's GPUs",
                  pool.size(), workload.jobs.size(), settings_.requested));
  return workload;
}

}  // namespace mimus::workloads
