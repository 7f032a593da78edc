// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "scheduler/books/books.hpp"

namespace mimus::scheduler {
namespace {

/// Calls `change` for every GPU of the nodes that are in `these` but not in `those`.
template <class Change>
bool for_difference(const ClusterShape& shape, const std::vector<NodeId>& these,
                    const std::vector<NodeId>& those, Change&& change) {
  std::vector<NodeId> nodes;
  std::set_difference(these.begin(), these.end(), those.begin(), those.end(),
                      std::back_inserter(nodes));
  for (const NodeId node : nodes) {
    const std::int64_t first = shape.first_gpu(node);
    for (int i = 0; i < shape.gpus_on(node); ++i) change(GpuId{first + i});
  }
  return !nodes.empty();
}

}  // namespace

Instant apply_power(Books& books, Instant now) {
  PowerDecision decision = books.policy.power->decide(books.cluster, books.pending.size(), now);
  if (decision.asleep != books.asleep) {
    const ClusterShape& shape = books.cluster.shape();
    for_difference(shape, decision.asleep, books.asleep,
                   [&](GpuId gpu) { books.cluster.withhold(gpu); });
    const bool woken = for_difference(shape, books.asleep, decision.asleep,
                                      [&](GpuId gpu) { books.cluster.offer(gpu); });
    if (woken) ++books.capacity_epoch;
    books.asleep = std::move(decision.asleep);
  }
  return decision.wake_up;
}

}  // namespace mimus::scheduler
