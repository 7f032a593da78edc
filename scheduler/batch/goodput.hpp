// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/batch/batching.hpp"

namespace mimus::scheduler {

/// The batch with the greatest goodput = throughput(M) × (φ+M₀)/(φ+M) on the job's allocation,
/// over 50 totals in geometric steps from max(M₀, per_gpu_min × replicas) to the model's largest
/// (Pollux, Qiao et al., OSDI'21, Eq. 4 to 6 and 13; the grid is its artifact's). A single replica
/// with more than M₀ samples takes at least two micro-batches, because its noise scale is measured
/// from their difference. Until a first φ is reported a job has the batch that its user asks for,
/// or M₀. A rigid job keeps its user's.
class Goodput final : public Batching {
 public:
  enum class First { requested, reference };
  struct Settings {
    Duration interval = std::chrono::seconds(30);
    double gain = 1.05;  ///< a running job switches only for more than this times its goodput
    First first = First::requested;
    LearningRate learning_rate{};
  };
  explicit Goodput(Settings settings) : settings_(settings) {}

  [[nodiscard]] BatchPlan plan(const BatchQuery& query) const override;
  [[nodiscard]] Duration retune_interval() const override { return settings_.interval; }
  [[nodiscard]] std::optional<BatchPlan> retune(const BatchQuery& query) const override;
  [[nodiscard]] bool chooses_batch() const override { return true; }
  [[nodiscard]] bool needs_estimate() const override { return true; }
  [[nodiscard]] const LearningRate& learning_rate() const override {
    return settings_.learning_rate;
  }

  /// Estimated progress [samples at M₀ per second]; zero without an estimate.
  [[nodiscard]] static double goodput(const BatchQuery& query, const BatchPlan& batch);
  /// The plan with the greatest goodput on the query's allocation; the first among equals.
  [[nodiscard]] static std::optional<BatchPlan> best(const BatchQuery& query);

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
