// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/batch/goodput.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::scheduler {
namespace {

constexpr int kGridPoints = 50;

/// Point `i` of the geometric grid from `low` to `high`, both included.
double grid_point(double low, double high, int i) {
  if (i == kGridPoints - 1) return high;
  return low * std::pow(high / low, static_cast<double>(i) / (kGridPoints - 1));
}

/// The split of one grid point, cut so that its total does not pass the model's largest.
std::optional<BatchPlan> candidate(double total, const BatchQuery& query) {
  const int replicas = query.job.gang;
  const int accumulation = micro_batches_to_measure(query.job.model, total, replicas);
  auto plan = exact_split(total, replicas, query.limits, accumulation);
  if (!plan) return plan;
  const std::int64_t micro = static_cast<std::int64_t>(replicas) * plan->accumulation;
  plan->per_gpu = std::min(plan->per_gpu, query.limits.total_max / micro);
  if (plan->per_gpu < query.limits.per_gpu_min) return std::nullopt;
  return plan;
}

}  // namespace

double Goodput::goodput(const BatchQuery& query, const BatchPlan& batch) {
  const auto noise_scale = query.estimate.noise_scale(query.job);
  const auto throughput = query.estimate.throughput(query.job, *query.allocation, batch);
  if (!noise_scale || !throughput) return 0.0;
  if (std::isinf(*noise_scale)) return *throughput;  // the limit: every sample counts
  const double reference = static_cast<double>(query.job.model.reference_batch);
  const double total = static_cast<double>(batch.total(query.allocation->slots.size()));
  return *throughput * (*noise_scale + reference) / (*noise_scale + total);
}

std::optional<BatchPlan> Goodput::best(const BatchQuery& query) {
  const auto& limits = query.limits;
  const std::int64_t lowest =
      std::max(query.job.model.reference_batch, limits.per_gpu_min * query.job.gang);
  if (lowest > limits.total_max) return std::nullopt;
  std::optional<BatchPlan> best;
  double best_goodput = 0.0;
  for (int i = 0; i < kGridPoints; ++i) {
    const auto plan = candidate(
        grid_point(static_cast<double>(lowest), static_cast<double>(limits.total_max), i), query);
    if (!plan || plan == best) continue;
    const double value = goodput(query, *plan);
    if (value <= best_goodput) continue;
    best = plan;
    best_goodput = value;
  }
  return best;
}

BatchPlan Goodput::plan(const BatchQuery& query) const {
  if (query.allocation != nullptr) {
    if (const auto found = best(query)) return *found;
  }
  return split_batch(query.job.requested_batch, query.job.gang, query.limits);
}

std::optional<BatchPlan> Goodput::retune(const BatchQuery& query) const {
  const auto found = best(query);
  if (!found || *found == query.job.batch) return std::nullopt;
  const double now = goodput(query, query.job.batch);
  if (goodput(query, *found) <= settings_.gain * now) return std::nullopt;
  return found;
}

}  // namespace mimus::scheduler
