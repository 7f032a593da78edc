// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/drawn_jobs.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/random.hpp"

namespace mimus::workloads {
namespace {

/// Longer than any run, and short enough for sums of times.
constexpr Duration kForEver = std::chrono::hours{24} * 365 * 95;

/// The numbers below `count`, in random order.
std::vector<std::size_t> shuffled(std::size_t count, RandomStream& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (auto left = static_cast<std::int64_t>(count); left > 1; --left) {
    std::swap(order[static_cast<std::size_t>(left - 1)],
              order[static_cast<std::size_t>(random.below(left))]);
  }
  return order;
}

/// The jobs of a pool that are drawn: each once, and then again with replacement.
std::vector<std::size_t> drawn_from(const std::vector<Job>& pool, double most_gpus,
                                    RandomStream& random) {
  std::vector<std::size_t> drawn;
  double requested = 0.0;
  const auto take = [&](std::size_t job) {
    requested += pool[job].gang * pool[job].gpu_share;
    if (requested > most_gpus) return false;
    drawn.push_back(job);
    return true;
  };
  for (const std::size_t job : shuffled(pool.size(), random)) {
    if (!take(job)) return drawn;
  }
  const auto size = static_cast<std::int64_t>(pool.size());
  while (take(static_cast<std::size_t>(random.below(size)))) {
  }
  return drawn;
}

class DrawnStream final : public JobStream {
 public:
  DrawnStream(Workload pool, const WorkloadContext& context, const DrawSettings& settings)
      : pool_(std::move(pool)), context_(context), settings_(settings) {
    RandomStream random(context.seed, "drawn jobs");
    drawn_ = drawn_from(pool_.jobs, settings.requested * context.cluster_gpus, random);
  }

  [[nodiscard]] std::optional<Job> next() override {
    if (next_ == drawn_.size()) return std::nullopt;
    Job job = pool_.jobs[drawn_[next_]];
    job.id = JobId{static_cast<std::int64_t>(next_++)};
    job.arrival = Instant{job.id.value() * settings_.gap};
    if (settings_.stay) stay(job);
    return job;
  }
  [[nodiscard]] std::optional<std::int64_t> size() const override {
    return static_cast<std::int64_t>(drawn_.size());
  }
  [[nodiscard]] std::string source() const override { return pool_.source; }
  [[nodiscard]] std::string source_hash() const override {
    return fmt::format("{:016x}", stable_hash(fmt::format("{};drawn {};{};{}", pool_.source_hash,
                                                          settings_.requested,
                                                          settings_.gap.count(), settings_.stay)));
  }
  [[nodiscard]] std::vector<std::string> notes() const override {
    std::vector<std::string> notes = pool_.notes;
    notes.push_back(
        fmt::format("{} jobs in random order, then drawn with replacement, until {} ask for {:g} "
                    "times the cluster's GPUs",
                    pool_.jobs.size(), drawn_.size(), settings_.requested));
    return notes;
  }

 private:
  void stay(Job& job) const {
    job.run_time = kForEver;
    job.work_samples = job.model.empty()
                           ? to_seconds(kForEver)
                           : context_.run_times.samples_in(context_.models.at(job.model), job.gang,
                                                           job.total_batch, kForEver);
  }

  Workload pool_;
  WorkloadContext context_;
  DrawSettings settings_;
  std::vector<std::size_t> drawn_;  ///< places in the pool
  std::size_t next_ = 0;
};

}  // namespace

Workload DrawnJobs::make(const WorkloadContext& context) const {
  return drain(*open(context));
}

std::unique_ptr<JobStream> DrawnJobs::open(const WorkloadContext& context) const {
  Workload pool = origin_->make(context);
  if (pool.jobs.empty()) return std::make_unique<WorkloadStream>(std::move(pool));
  if (std::ranges::none_of(pool.jobs, [](const Job& job) { return job.gang > 0; })) {
    throw UsageError(
        fmt::format("workload.draw: none of the {} jobs requests a GPU, so that no number of draws "
                    "requests {:g} times the cluster's GPUs; add jobs that do, or leave draw out",
                    pool.jobs.size(), settings_.requested));
  }
  return std::make_unique<DrawnStream>(std::move(pool), context, settings_);
}

}  // namespace mimus::workloads
