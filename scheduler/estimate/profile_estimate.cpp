// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/profile_estimate.hpp"

#include <fmt/format.h>

namespace mimus::scheduler {

ProfileEstimate::ProfileEstimate(std::shared_ptr<const ThroughputEstimate> throughput)
    : throughput_(std::move(throughput)) {}

std::string ProfileEstimate::name() const {
  return throughput_ ? fmt::format("profile({})", throughput_->name()) : "profile";
}

std::optional<double> ProfileEstimate::throughput(const JobView& job, const Allocation& allocation,
                                                  const BatchPlan& batch) const {
  if (!throughput_) return std::nullopt;
  const auto step = throughput_->step_time(job.model.name, allocation, batch);
  if (!step || *step <= Duration::zero()) return std::nullopt;
  return static_cast<double>(batch.total(allocation.slots.size())) / to_seconds(*step);
}

std::optional<double> ProfileEstimate::noise_scale(const JobView& job) const {
  if (job.progress.noise_scale <= 0.0) return std::nullopt;
  return job.progress.noise_scale;
}

}  // namespace mimus::scheduler
