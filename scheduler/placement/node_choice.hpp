// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "scheduler/placement/free_gpus.hpp"

namespace mimus::scheduler {

// Building blocks that placement choices share.

struct NodeShare {
  NodeId node;
  int gpus = 0;
};

/// The node of `range` with the fewest usable GPUs that still takes `gpus`; "none" without one.
[[nodiscard]] NodeId best_fit(const NodeIndex& free, int gpus, NodeRange range);

/// The lowest node of `range` with at least `gpus` usable GPUs; "none" without one.
[[nodiscard]] NodeId first_with_at_least(const NodeIndex& free, int gpus, NodeRange range);

/// `gang` GPUs from the lowest-numbered nodes that have any. Empty when there are too few.
[[nodiscard]] std::vector<NodeShare> lowest_nodes(const NodeIndex& free, int gang);

/// `gang` GPUs on the fewest nodes of `range`: whole nodes with the most usable GPUs first, the
/// remainder by best fit. Empty when the range has too few.
[[nodiscard]] std::vector<NodeShare> fewest_nodes(const NodeIndex& free, int gang, NodeRange range);

/// At most `most` nodes that have any usable GPUs, those with the most of them first, then by
/// number. Each share is all that the node offers.
[[nodiscard]] std::vector<NodeShare> emptiest_nodes(const NodeIndex& free, std::size_t most);

/// `gang` GPUs, given out one per node and round until a node's offer is exhausted. The offers must
/// hold that many.
[[nodiscard]] std::vector<NodeShare> split_evenly(std::span<const NodeShare> offers, int gang);

/// Racks with the most usable GPUs first, then by number.
[[nodiscard]] std::vector<RackId> racks_by_free(const NodeIndex& free);

/// The gang as tightly as the inventory allows: inside one node when it fits into one; else on the
/// least number of nodes of one rack; else, when no rack is that large, on the least number of
/// nodes. Nothing when the usable GPUs do not allow exactly that now. Racks with the most usable
/// GPUs are tried first, and in a rack the best fitting node (Philly, Jeon et al., ATC'19).
[[nodiscard]] std::vector<NodeShare> tightest_nodes(const FreeGpus& free, int gang);

/// Slots for these shares in ascending order of GPU; nothing when `shares` is empty.
[[nodiscard]] std::optional<Allocation> allocation_on(const FreeGpus& free,
                                                      const std::vector<NodeShare>& shares);
/// The same with the nodes in the order of the shares.
[[nodiscard]] std::optional<Allocation> allocation_in_order(const FreeGpus& free,
                                                            const std::vector<NodeShare>& shares);

}  // namespace mimus::scheduler
