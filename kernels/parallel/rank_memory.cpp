// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/parallel/rank_memory.hpp"

#include <algorithm>

#include "kernels/launch/alignment.hpp"

namespace mimus::kernels {
namespace {

std::int64_t largest(const std::vector<ScheduledCollective>& all, ParallelGroup group) {
  Bytes most{};
  for (const auto& one : all) {
    if (one.group == group) most = std::max(most, one.size);
  }
  return static_cast<std::int64_t>(most.value);
}

/// Bytes of the largest operation through Region::exchange. Gradients are reduced in
/// Region::buckets. With a single replica there are no buckets, and the tied table uses the
/// exchange region.
std::int64_t largest_exchange(const ParallelPlan& plan) {
  std::int64_t most = std::max(largest(plan.forward, ParallelGroup::tensor),
                               largest(plan.backward, ParallelGroup::tensor));
  if (plan.shape.pipeline > 1) {
    most = std::max(most, static_cast<std::int64_t>(plan.boundary.value));
  }
  if (plan.shape.data == 1) most = std::max(most, largest(plan.reduce, ParallelGroup::pipeline));
  return most;
}

}  // namespace

void add_rank_memory(ParallelPlan& plan) {
  MemoryPlan& memory = plan.launches.memory;
  auto& region = memory.region;
  region[static_cast<std::size_t>(Region::exchange)] = 2 * align_up(largest_exchange(plan));
  // Micro-batches share one place. Under 1F1B a stage holds one for itself and each stage after it.
  const int held = std::min(plan.shape.pipeline - plan.stage, plan.shape.micro_batches);
  region[static_cast<std::size_t>(Region::working)] += (held - 1) * memory.kept;
}

}  // namespace mimus::kernels
