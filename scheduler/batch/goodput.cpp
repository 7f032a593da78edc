// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/batch/goodput.hpp"

#include "scheduler/batch/best_batch.hpp"
#include "scheduler/batch/fixed.hpp"

namespace mimus::scheduler {

double Goodput::goodput(const BatchQuery& query, const BatchPlan& batch) {
  const auto noise_scale = query.estimate.noise_scale(query.job);
  const auto throughput = query.estimate.throughput(query.job, *query.allocation, batch);
  if (!noise_scale || !throughput) return 0.0;
  return goodput_of(*throughput, *noise_scale, query.job.model.reference_batch,
                    batch.total(query.allocation->slots.size()));
}

std::optional<BatchPlan> Goodput::best(const BatchQuery& query) {
  const auto noise_scale = query.estimate.noise_scale(query.job);
  if (!noise_scale) return std::nullopt;
  const StepRate rate = [&](const BatchPlan& batch) {
    return query.estimate.throughput(query.job, *query.allocation, batch);
  };
  const auto best = best_batch(query.job.model, query.limits, query.job.gang, *noise_scale, rate);
  return best ? std::optional(best->batch) : std::nullopt;
}

BatchPlan Goodput::plan(const BatchQuery& query) const {
  if (query.job.rigid) return users_batch(query, true);
  if (query.allocation != nullptr) {
    if (const auto found = best(query)) return *found;
  }
  const std::int64_t first = settings_.first == First::requested ? query.job.requested_batch
                                                                 : query.job.model.reference_batch;
  return split_batch(first, query.job.gang, query.limits);
}

std::optional<BatchPlan> Goodput::retune(const BatchQuery& query) const {
  if (query.job.rigid) return std::nullopt;
  const auto found = best(query);
  if (!found || *found == query.job.batch) return std::nullopt;
  const double now = goodput(query, query.job.batch);
  if (goodput(query, *found) <= settings_.gain * now) return std::nullopt;
  return found;
}

}  // namespace mimus::scheduler
