// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
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

ClusterShape ClusterShape::of_groups(const std::vector<NodeGroup>& groups, int nodes_per_rack) {
  auto layout = std::make_shared<const NodeGroups>(groups, nodes_per_rack);
  const NodeGroup& first = groups.front();
  ClusterShape shape{.nodes = layout->nodes(),
                     .gpus_per_node = layout->most_per_node(),
                     .gpus_per_island = first.gpus_per_island,
                     .nodes_per_rack = nodes_per_rack,
                     .lanes_per_gpu = 1,
                     .gpu_type = first.gpu_type,
                     .gpu_memory = layout->least_memory(),
                     .host = first.host};
  const bool alike = std::all_of(groups.begin(), groups.end(), [&](NodeGroup group) {
    group.nodes = first.nodes;
    return group == first;
  });
  if (alike) return shape;
  std::vector<std::string_view> names;
  for (const NodeGroups::Type& type : layout->types()) names.push_back(type.name);
  shape.gpu_type = fmt::format("{}", fmt::join(names, "+"));
  shape.groups = std::move(layout);
  return shape;
}

bool ClusterShape::has_hosts() const {
  if (!groups) return host.any();
  const auto& all = groups->groups();
  return std::any_of(all.begin(), all.end(), [](const NodeGroup& g) { return g.host.any(); });
}

HostNeed ClusterShape::host_of(NodeId node) const {
  constexpr std::int64_t kUnlimited = std::int64_t{1} << 50;  // sums over nodes stay in range
  HostNeed stated = groups ? groups->group_of(node).host : host;
  if (stated.milli_cores == 0) {
    stated.milli_cores = kUnlimited;
  } else if (core_overcommit > 1.0) {
    stated.milli_cores = std::llround(core_overcommit * static_cast<double>(stated.milli_cores));
  }
  if (stated.memory == 0) stated.memory = kUnlimited;
  return stated;
}

std::optional<int> ClusterShape::type_named(const std::string& name) const {
  for (int type = 0; type < types(); ++type) {
    if (type_name(type) == name) return type;
  }
  return std::nullopt;
}

Bytes ClusterShape::memory_of_types(GpuTypes types) const {
  if (!groups) return gpu_memory;
  std::optional<Bytes> least;
  for (int type = 0; type < this->types(); ++type) {
    if (has_type(types, type))
      least = std::min(least.value_or(memory_of_type(type)), memory_of_type(type));
  }
  ensure(least.has_value(), "the memory of no GPU type is asked for");
  return *least;
}

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
  std::vector<std::int64_t> nodes_used;
  std::vector<std::int64_t> racks_used;
  for (const Slot& slot : slots) {
    const NodeId node = node_of(slot.gpu);
    nodes_used.push_back(node.value());
    racks_used.push_back(rack_of(node).value());
  }
  std::sort(nodes_used.begin(), nodes_used.end());
  std::vector<std::ptrdiff_t> per_node;
  for (auto first = nodes_used.begin(); first != nodes_used.end();) {
    const auto end = std::upper_bound(first, nodes_used.end(), *first);
    per_node.push_back(end - first);
    first = end;
  }
  std::sort(per_node.begin(), per_node.end(), std::greater<>{});
  const std::size_t racks_spanned = distinct(racks_used);
  const std::string prefix = racks_spanned > 1 ? fmt::format("racks:{}/", racks_spanned) : "";
  return fmt::format("{}{}", prefix, fmt::join(per_node, "+"));
}

std::string ClusterShape::types_of(std::span<const Slot> slots) const {
  if (!groups) return gpu_type;
  GpuTypes types = 0;
  for (const Slot& slot : slots) types |= only_type(type_of(slot.gpu));
  std::vector<std::string_view> names;
  for (int type = 0; type < this->types(); ++type) {
    if (has_type(types, type)) names.push_back(type_name(type));
  }
  return fmt::format("{}", fmt::join(names, "+"));
}

}  // namespace mimus::scheduler
