// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scheduler/cluster/cluster.hpp"

namespace mimus::scheduler {
namespace {

template <class Place>
bool all_equal(std::span<const Slot> slots, Place&& place) {
  return std::all_of(slots.begin(), slots.end(),
                     [&](const Slot& slot) { return place(slot) == place(slots.front()); });
}

/// Number of distinct elements of `values`, which are sorted as a side effect.
std::size_t distinct(std::vector<std::int64_t>& values) {
  std::sort(values.begin(), values.end());
  return static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
}

}  // namespace

Locality ClusterShape::locality(std::span<const Slot> slots) const {
  if (slots.size() <= 1 || all_equal(slots, [](const Slot& s) { return s.gpu; })) {
    return Locality::same_gpu;
  }
  if (all_equal(slots, [&](const Slot& s) { return island_of(s.gpu); })) {
    return Locality::same_island;
  }
  if (all_equal(slots, [&](const Slot& s) { return node_of(s.gpu); })) return Locality::same_node;
  const auto rack = [&](const Slot& s) { return rack_of(node_of(s.gpu)); };
  return all_equal(slots, rack) ? Locality::same_rack : Locality::across_racks;
}

std::string ClusterShape::shape_of(std::span<const Slot> slots) const {
  std::vector<std::int64_t> per_node(static_cast<std::size_t>(nodes), 0);
  std::vector<std::int64_t> racks_used;
  for (const Slot& slot : slots) {
    const NodeId node = node_of(slot.gpu);
    ++per_node[node.index()];
    racks_used.push_back(rack_of(node).value());
  }
  std::erase(per_node, 0);
  std::sort(per_node.begin(), per_node.end(), std::greater<>{});
  const std::size_t racks_spanned = distinct(racks_used);
  const std::string prefix = racks_spanned > 1 ? fmt::format("racks:{}/", racks_spanned) : "";
  return fmt::format("{}{}", prefix, fmt::join(per_node, "+"));
}

}  // namespace mimus::scheduler
