// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/oracle_estimate.hpp"

namespace mimus::scheduler {

OracleEstimate::OracleEstimate(std::shared_ptr<const Oracle> oracle,
                               std::shared_ptr<const ThroughputEstimate> throughput)
    : oracle_(std::move(oracle)), profile_(std::move(throughput)) {}

std::string OracleEstimate::name() const {
  return "oracle";
}

std::optional<Duration> OracleEstimate::run_time(const JobView& arriving) const {
  return oracle_ ? oracle_->run_time(arriving.id) : std::nullopt;
}

std::optional<double> OracleEstimate::throughput(const JobView& job, const Allocation& allocation,
                                                 const BatchPlan& batch) const {
  return profile_.throughput(job, allocation, batch);
}

std::optional<double> OracleEstimate::noise_scale(const JobView& job) const {
  return profile_.noise_scale(job);
}

}  // namespace mimus::scheduler
