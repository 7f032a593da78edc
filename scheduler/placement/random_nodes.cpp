// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/random_nodes.hpp"

#include <algorithm>
#include <set>

#include "base/random.hpp"
#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {
namespace {

/// Draws `count` different numbers in [0, bound). Every set is equally likely (Floyd's algorithm).
std::set<std::int64_t> sample(RandomStream& random, std::int64_t bound, int count) {
  std::set<std::int64_t> drawn;
  for (std::int64_t last = bound - count; last < bound; ++last) {
    if (!drawn.insert(random.below(last + 1)).second) drawn.insert(last);
  }
  return drawn;
}

std::uint64_t mixed(std::uint64_t state, std::uint64_t value) {
  state = (state ^ value) * 0x9e3779b97f4a7c15ULL;
  return state ^ (state >> 29U);
}

std::uint64_t seed_of(std::uint64_t seed, const std::vector<NodeShare>& free,
                      const PlacementRequest& request) {
  std::uint64_t state = mixed(seed, static_cast<std::uint64_t>(request.gang));
  state = mixed(state, request.draw);
  for (const NodeShare& node : free) {
    state = mixed(state, static_cast<std::uint64_t>(node.node.value()));
    state = mixed(state, static_cast<std::uint64_t>(node.gpus));
  }
  return state;
}

}  // namespace

std::optional<Allocation> RandomNodes::place(const FreeGpus& free,
                                             const PlacementRequest& request) const {
  const NodeIndex& index = free.by_node();
  if (index.total() < request.gang) return std::nullopt;
  const auto offers = lowest_nodes(index, index.total());
  RandomStream random(seed_of(seed_, offers, request), "random placement");
  const auto drawn = sample(random, index.total(), request.gang);
  Allocation allocation;
  std::int64_t first = 0;  // number of the node's first free GPU
  auto ticket = drawn.begin();
  for (const NodeShare& offer : offers) {
    std::vector<int> of_node;
    for (; ticket != drawn.end() && *ticket < first + offer.gpus; ++ticket) {
      of_node.push_back(static_cast<int>(*ticket - first));
    }
    if (!of_node.empty()) free.take_these(offer.node, of_node, allocation);
    first += offer.gpus;
  }
  return allocation;
}

}  // namespace mimus::scheduler
