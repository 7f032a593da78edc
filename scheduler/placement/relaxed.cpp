// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/relaxed.hpp"

#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {
namespace {

enum Level { kTightest = 0, kOneRack = 1, kAnywhere = 2 };

std::vector<NodeShare> in_one_rack(const NodeIndex& free, int gang) {
  for (const RackId rack : racks_by_free(free)) {
    if (free.in_rack(rack) < gang) break;
    return fewest_nodes(free, gang, free.nodes_of(rack));
  }
  return {};
}

}  // namespace

std::optional<Allocation> Relaxed::place(const FreeGpus& free,
                                         const PlacementRequest& request) const {
  auto shares = tightest_nodes(free, request.gang);
  if (shares.empty() && request.level >= kOneRack) {
    shares = in_one_rack(free.by_node(), request.gang);
  }
  if (shares.empty() && request.level >= kAnywhere) {
    shares = fewest_nodes(free.by_node(), request.gang, free.by_node().all_nodes());
  }
  return allocation_on(free, shares);
}

int Relaxed::level(const JobView& waiting, Instant now) const {
  const Duration waited = now - waiting.queued_since;
  if (waited >= settings_.any_after) return kAnywhere;
  return waited >= settings_.rack_after ? kOneRack : kTightest;
}

Instant Relaxed::next_level(const JobView& waiting, Instant now) const {
  const Instant rack = waiting.queued_since + settings_.rack_after;
  const Instant any = waiting.queued_since + settings_.any_after;
  if (now < rack) return rack;
  return now < any ? any : kNever;
}

}  // namespace mimus::scheduler
