// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/throughput_model.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::scheduler {
namespace {

/// Replaces zero as in the artifact. It keeps logarithms and ratios finite.
constexpr double kTiny = 1e-8;

}  // namespace

double ThroughputModel::compute_time(double per_gpu_batch) const {
  return alpha_c + beta_c * per_gpu_batch;
}

double ThroughputModel::sync_time(int nodes, int replicas) const {
  const double further = std::max(replicas - 2.0, kTiny);
  if (nodes > 1) return alpha_n + beta_n * further;
  if (replicas > 1) return alpha_r + beta_r * further;
  return kTiny + kTiny * further;
}

double ThroughputModel::step_time(int nodes, int replicas, const BatchPlan& batch) const {
  const double compute = compute_time(static_cast<double>(batch.per_gpu));
  const double sync = sync_time(nodes, replicas);
  const double last = std::pow(std::pow(compute, gamma) + std::pow(sync, gamma), 1.0 / gamma);
  return (batch.accumulation - 1) * compute + last;
}

}  // namespace mimus::scheduler
