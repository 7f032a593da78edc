// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/type_rates.hpp"

#include <algorithm>
#include <span>

#include "scheduler/batch/batch_split.hpp"

namespace mimus::scheduler {
namespace {

/// With the batch that it has now.
double stated(const JobView& job, const std::string& type) {
  const auto found =
      std::ranges::find(job.rates, type, [](const auto& rate) { return rate.first; });
  if (found == job.rates.end()) return 0.0;
  if (!job.epochs) return found->second;
  const std::size_t mode = job.progress.epochs ? job.progress.epochs->mode : 0;
  return job.epochs->modes[mode].rate * (found->second / job.rates.front().second);
}

}  // namespace

std::vector<double> RatesByType::of(const JobView& job, const PlanQuery& query) {
  const ClusterShape& shape = query.cluster.shape();
  std::vector<double> rates;
  for (int type = 0; type < shape.types(); ++type) {
    if (!has_type(job.types, type) || shape.gpus_of_type(type) < job.requested_gang) {
      rates.push_back(0.0);
    } else if (!job.rates.empty()) {
      rates.push_back(stated(job, shape.type_name(type)));
    } else {
      rates.push_back(estimated(job, type, query).value_or(1.0));
    }
  }
  return rates;
}

const std::vector<std::vector<GpuId>>& RatesByType::gpus(const ClusterShape& shape) {
  if (!gpus_.empty()) return gpus_;
  gpus_.resize(static_cast<std::size_t>(shape.types()));
  for (std::int64_t id = 0; id < shape.gpus(); ++id) {
    gpus_[static_cast<std::size_t>(shape.type_of(GpuId{id}))].push_back(GpuId{id});
  }
  return gpus_;
}

std::optional<double> RatesByType::estimated(const JobView& job, int type, const PlanQuery& query) {
  const Kind kind{job.model.name, job.requested_gang, job.requested_batch, type};
  const auto found = known_.find(kind);
  if (found != known_.end()) return found->second;
  const ClusterShape& shape = query.cluster.shape();
  const auto& of_type = gpus(shape)[static_cast<std::size_t>(type)];
  const Allocation place =
      allocation_on(std::span(of_type).first(static_cast<std::size_t>(job.requested_gang)));
  const BatchPlan batch = split_batch(job.requested_batch, job.requested_gang,
                                      limits_within(job.model, shape.memory_of_type(type)));
  auto rate = query.estimate.throughput(job, place, batch);
  if (rate) *rate /= static_cast<double>(job.requested_batch);
  return known_[kind] = rate;
}

}  // namespace mimus::scheduler
