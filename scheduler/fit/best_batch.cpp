// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/best_batch.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::scheduler {

double goodput(const ThroughputModel& model, const BatchQuestion& question, int nodes, int replicas,
               const BatchPlan& batch) {
  const auto reference = static_cast<double>(question.reference_batch);
  const auto total = static_cast<double>(batch.total(static_cast<std::size_t>(replicas)));
  const double efficiency = std::isinf(question.noise_scale) ? 1.0
                                                             : (question.noise_scale + reference) /
                                                                   (question.noise_scale + total);
  return total / model.step_time(nodes, replicas, batch) * efficiency;
}

std::optional<BatchChoice> best_batch(const ThroughputModel& model, const BatchQuestion& question,
                                      int nodes, int replicas) {
  constexpr int kTotals = 50;
  const auto reference = static_cast<double>(question.reference_batch);
  const auto least = std::max(
      reference, static_cast<double>(question.limits.per_gpu_min) * static_cast<double>(replicas));
  const auto most = static_cast<double>(question.limits.total_max);
  if (least > most) return std::nullopt;
  std::optional<BatchChoice> best;
  for (int i = 0; i < kTotals; ++i) {
    const double fraction = static_cast<double>(i) / (kTotals - 1);
    const double total = i == kTotals - 1 ? most : least * std::pow(most / least, fraction);
    // The noise scale of a single replica is measured from the difference of two micro-batches.
    const int micro = replicas == 1 && total > reference + 1e-8 ? 2 : 1;
    const auto plan = exact_split(total, replicas, question.limits, micro);
    if (!plan) continue;
    const double value = goodput(model, question, nodes, replicas, *plan);
    if (value > 0.0 && (!best || value > best->goodput)) best = {*plan, value};
  }
  return best;
}

}  // namespace mimus::scheduler
