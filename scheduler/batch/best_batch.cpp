// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/batch/best_batch.hpp"

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

/// The split of one grid point, limited so that its total does not exceed the model's largest
/// batch.
std::optional<BatchPlan> candidate(const ModelFacts& model, const BatchLimits& limits, double total,
                                   int replicas) {
  const int accumulation = micro_batches_to_measure(model, total, replicas);
  auto plan = exact_split(total, replicas, limits, accumulation);
  if (!plan) return plan;
  const std::int64_t micro = static_cast<std::int64_t>(replicas) * plan->accumulation;
  plan->per_gpu = std::min(plan->per_gpu, limits.total_max / micro);
  if (plan->per_gpu < limits.per_gpu_min) return std::nullopt;
  return plan;
}

}  // namespace

double goodput_of(double throughput, double noise_scale, std::int64_t reference_batch,
                  std::int64_t total) {
  if (std::isinf(noise_scale)) return throughput;  // the limit: every sample counts
  return throughput * (noise_scale + static_cast<double>(reference_batch)) /
         (noise_scale + static_cast<double>(total));
}

std::vector<BatchPlan> batch_grid(const ModelFacts& model, const BatchLimits& limits,
                                  int replicas) {
  std::vector<BatchPlan> grid;
  const std::int64_t lowest = std::max(model.reference_batch, limits.per_gpu_min * replicas);
  if (lowest > limits.total_max) return grid;
  const auto low = static_cast<double>(lowest);
  const auto high = static_cast<double>(limits.total_max);
  for (int i = 0; i < kGridPoints; ++i) {
    const auto plan = candidate(model, limits, grid_point(low, high, i), replicas);
    if (plan && (grid.empty() || *plan != grid.back())) grid.push_back(*plan);
  }
  return grid;
}

const std::vector<BatchPlan>& BatchGrids::of(const ModelFacts& model, const BatchLimits& limits,
                                             int replicas) {
  const Key key{model.reference_batch, limits.per_gpu_min, limits.per_gpu_max, limits.total_max,
                replicas};
  const auto [entry, is_new] = grids_.try_emplace(key);
  if (is_new) entry->second = batch_grid(model, limits, replicas);
  return entry->second;
}

std::optional<ValuedBatch> best_batch(const ModelFacts& model, const std::vector<BatchPlan>& grid,
                                      int replicas, double noise_scale, const StepRate& rate) {
  std::optional<ValuedBatch> best;
  for (const BatchPlan& plan : grid) {
    const auto throughput = rate(plan);
    if (!throughput) continue;
    const double value = goodput_of(*throughput, noise_scale, model.reference_batch,
                                    plan.total(static_cast<std::size_t>(replicas)));
    if (value > (best ? best->goodput : 0.0)) best = {plan, value};
  }
  return best;
}

std::optional<ValuedBatch> best_batch(const ModelFacts& model, const BatchLimits& limits,
                                      int replicas, double noise_scale, const StepRate& rate) {
  return best_batch(model, batch_grid(model, limits, replicas), replicas, noise_scale, rate);
}

}  // namespace mimus::scheduler
