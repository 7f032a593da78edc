// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scheduler/books/books.hpp"
#include "scheduler/recovery/adaptive.hpp"

namespace mimus::scheduler {
namespace {

/// Exit codes tell on which node an attempt failed where the node is to blame. Otherwise it may
/// have been any of its gang's, if its log shows a failure of machines.
std::vector<NodeId> suspects(const Books& books, const Allocation& had, const AttemptEnded& end) {
  const bool counts = end.reason == EndReason::failed || end.reason == EndReason::node_down;
  if (!counts) return {};
  if (end.node) return {end.node};
  const bool guesses = books.quarantine.counts_guesses();
  if (!guesses || cause_of_failure(end.detail) != FailureCause::transient) return {};
  const ClusterShape& shape = books.cluster.shape();
  std::vector<NodeId> nodes;
  for (const Slot& slot : had.slots) nodes.push_back(shape.node_of(slot.gpu));
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

template <class Change>
void for_gpus_of(const ClusterShape& shape, NodeId node, Change&& change) {
  const std::int64_t first = shape.first_gpu(node);
  for (int i = 0; i < shape.gpus_on(node); ++i) change(GpuId{first + i});
}

}  // namespace

void note_failure(Books& books, const JobRecord& job, const AttemptEnded& end, Instant now,
                  Decision& decision) {
  if (!books.quarantine.acts()) return;
  const ClusterShape& shape = books.cluster.shape();
  for (const NodeId node : books.quarantine.begin(suspects(books, job.view.allocation, end), now)) {
    for_gpus_of(shape, node, [&](GpuId gpu) { books.cluster.withhold(gpu); });
    decision.quarantine.push_back({node, true});
    books.decider->hear(Happening::failure, nullptr, now);
  }
}

void end_quarantines(Books& books, Instant now, Decision& decision) {
  for (const NodeId node : books.quarantine.end(now)) {
    for_gpus_of(books.cluster.shape(), node, [&](GpuId gpu) { books.cluster.offer(gpu); });
    decision.quarantine.push_back({node, false});
    ++books.capacity_epoch;
    books.decider->hear(Happening::failure, nullptr, now);
  }
}

}  // namespace mimus::scheduler
