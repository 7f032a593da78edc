// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "scheduler/batch/batch_split.hpp"
#include "scheduler/estimate/estimator.hpp"

namespace mimus::scheduler {

/// A batch and its estimated goodput.
struct ValuedBatch {
  BatchPlan batch;
  double goodput = 0.0;  ///< progress [samples at M₀ per second]
};

/// Throughput × (φ+M₀)/(φ+M): the goodput of a total batch of M samples (Pollux, Qiao et al.,
/// OSDI'21, Eq. 4 to 6). `noise_scale`: φ [samples], may be infinite.
[[nodiscard]] double goodput_of(double throughput, double noise_scale, std::int64_t reference_batch,
                                std::int64_t total);

/// The batches that fit the limits among 50 totals in geometric steps from max(M₀, per_gpu_min ×
/// replicas) to the model's largest (Pollux, Eq. 13; the grid is its artifact's), smallest first.
[[nodiscard]] std::vector<BatchPlan> batch_grid(const ModelFacts& model, const BatchLimits& limits,
                                                int replicas);

/// Grids that are computed once for all jobs whose batches have the same limits.
class BatchGrids {
 public:
  [[nodiscard]] const std::vector<BatchPlan>& of(const ModelFacts& model, const BatchLimits& limits,
                                                 int replicas);

 private:
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, int>;
  std::map<Key, std::vector<BatchPlan>> grids_;
};

/// The batch of a grid with the greatest goodput (Eq. 13); the first among equals. Nothing if none
/// has an estimated progress.
[[nodiscard]] std::optional<ValuedBatch> best_batch(const ModelFacts& model,
                                                    const std::vector<BatchPlan>& grid,
                                                    int replicas, double noise_scale,
                                                    const StepRate& rate);
/// The best batch of the model's own grid.
[[nodiscard]] std::optional<ValuedBatch> best_batch(const ModelFacts& model,
                                                    const BatchLimits& limits, int replicas,
                                                    double noise_scale, const StepRate& rate);

}  // namespace mimus::scheduler
