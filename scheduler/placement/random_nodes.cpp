// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/random_nodes.hpp"

#include <algorithm>
#include <set>

#include "base/random.hpp"
#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {
namespace {

/// `count` different numbers in [0, bound), every set of them equally likely (Floyd's algorithm).
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

std::uint64_t seed_of(std::uint64_t seed, const std::vector<NodeShare>& free, int gang) {
  std::uint64_t state = mixed(seed, static_cast<std::uint64_t>(gang));
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
  RandomStream random(seed_of(seed_, offers, request.gang), "random placement");
  const auto drawn = sample(random, index.total(), request.gang);
  std::vector<NodeShare> shares;
  std::int64_t end = 0;
  auto ticket = drawn.begin();
  for (const NodeShare& offer : offers) {
    end += offer.gpus;
    int gpus = 0;
    for (; ticket != drawn.end() && *ticket < end; ++ticket) ++gpus;
    if (gpus > 0) shares.push_back({offer.node, gpus});
  }
  return allocation_on(free, shares);
}

}  // namespace mimus::scheduler
