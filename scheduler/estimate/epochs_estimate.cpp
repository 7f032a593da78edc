// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/epochs_estimate.hpp"

namespace mimus::scheduler {

void EpochsEstimate::observe(const JobView& job, const JobSample& sample) {
  epochs_.observe(job, sample);
  if (sample.co_tenants > 0 || sample.steps == 0 || sample.step <= Duration::zero()) return;
  const auto batch = sample.batch.total(static_cast<std::size_t>(sample.gpus));
  tables_[job.id].add(sample.gpus, static_cast<double>(batch) / to_seconds(sample.step));
}

void EpochsEstimate::learn(const JobView& finished, Instant) {
  epochs_.learn(finished);
}

void EpochsEstimate::left(const JobView& job) {
  tables_.erase(job.id);
  epochs_.forget(job.id);
}

std::optional<double> EpochsEstimate::throughput(const JobView& job, const Allocation& allocation,
                                                 const BatchPlan& batch) const {
  const StepRate rate = rate_on(job, {1, static_cast<int>(allocation.slots.size())});
  return rate ? rate(batch) : std::nullopt;
}

StepRate EpochsEstimate::rate_on(const JobView& job, GpuSpread spread) const {
  const auto table = tables_.find(job.id);
  if (table == tables_.end() || spread.gpus < 1) return {};
  return [rate = table->second.at(spread.gpus)](const BatchPlan&) { return std::optional(rate); };
}

std::optional<double> EpochsEstimate::noise_scale(const JobView& job) const {
  if (job.progress.noise_scale <= 0.0) return std::nullopt;
  return job.progress.noise_scale;
}

std::optional<double> EpochsEstimate::samples_left(const JobView& job) const {
  const auto epochs = epochs_.epochs_left(job.id);
  return epochs ? std::optional(*epochs * job.epoch_samples) : std::nullopt;
}

}  // namespace mimus::scheduler
