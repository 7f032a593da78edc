// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/cluster/group_keys.hpp"

#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

constexpr int kMostNodes = 100'000;

/// One entry of the list.
struct Group {
  std::string name;
  ClusterConfig nodes;
};

Fields<Group> entry_fields(const Fields<ClusterConfig>& parts) {
  Fields<Group> fields = within(&Group::nodes, parts);
  fields.insert(fields.begin(),
                field("name", &Group::name, "name of the group, for its readers").or_else("-"));
  return fields;
}

scheduler::NodeGroup node_group(const Group& group) {
  const scheduler::ClusterShape& shape = group.nodes.shape;
  return {shape.nodes,    shape.gpus_per_node, shape.gpus_per_island,
          shape.gpu_type, shape.gpu_memory,    shape.host};
}

MachineConfig machine_of(const Group& group) {
  return {group.nodes.gpu, group.nodes.network, group.nodes.rack_network};
}

/// In what nodes of one GPU type differ though they must not, or "".
std::string difference(const ClusterConfig& a, const ClusterConfig& b) {
  if (a.shape.gpu_memory != b.shape.gpu_memory) return "gpu_memory";
  if (a.gpu.node_link != b.gpu.node_link || a.gpu.island_link != b.gpu.island_link) {
    return "intra_node";
  }
  if (a.network != b.network) return "network";
  return a.rack_network != b.rack_network ? "rack_network" : "";
}

/// Step times and places are by GPU type, so two groups of one type must be alike but for the
/// numbers of their nodes and GPUs.
void check_types(const YamlReader& reader, const std::vector<Group>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const ClusterConfig& one = groups[k].nodes;
      const ClusterConfig& other = groups[i].nodes;
      if (one.shape.gpu_type != other.shape.gpu_type) continue;
      const std::string what = difference(one, other);
      if (what.empty()) continue;
      reader.fail("groups",
                  fmt::format("entries {} and {} are both of GPU type {} but differ in {}: make "
                              "them equal, or give one a type of its own (a file of gpus)",
                              k, i, one.shape.gpu_type, what));
    }
  }
}

void check_sizes(const YamlReader& reader, const std::vector<Group>& groups) {
  if (groups.empty()) reader.fail("groups", "needs at least one entry");
  const auto nodes = std::accumulate(
      groups.begin(), groups.end(), std::int64_t{0},
      [](std::int64_t sum, const Group& group) { return sum + group.nodes.shape.nodes; });
  if (nodes > kMostNodes) {
    reader.fail("groups", fmt::format("have {} nodes; at most {} are possible", nodes, kMostNodes));
  }
  if (static_cast<int>(groups.size()) > scheduler::kMostTypes) {
    reader.fail("groups", fmt::format("are {}; at most {} are possible", groups.size(),
                                      scheduler::kMostTypes));
  }
}

void set_machines(const std::vector<Group>& groups, ClusterConfig& cluster) {
  const MachineConfig first = machine_of(groups.front());
  cluster.gpu = first.gpu;
  cluster.network = first.network;
  cluster.rack_network = first.rack_network;
  if (cluster.shape.types() == 1) return;
  cluster.machines.resize(static_cast<std::size_t>(cluster.shape.types()));
  for (const Group& group : groups) {
    const auto type = cluster.shape.type_named(group.nodes.shape.gpu_type);
    cluster.machines[static_cast<std::size_t>(*type)] = machine_of(group);
  }
}

std::vector<Group> read_entries(YamlReader& reader, const Fields<Group>& fields) {
  std::vector<Group> groups;
  const auto& items = reader.sequence("groups");
  for (std::size_t i = 0; i < items.size(); ++i) {
    YamlReader item(items[i], fmt::format("{}[{}]", reader.child_path("groups"), i));
    groups.push_back(read_fields(fields, item));
    item.finish();
  }
  return groups;
}

}  // namespace

Field<ClusterConfig> groups_field(const Fields<ClusterConfig>& parts) {
  Fields<Group> fields = entry_fields(parts);
  return {
      {"groups",
       {.form = ValueSpec::Form::list},
       "-",
       "nodes of several kinds, one kind after the other, in place of the keys above; a gang is "
       "on GPUs of one type, which are tried in this order",
       parameters_of(fields)},
      [fields = std::move(fields)](YamlReader& reader, ClusterConfig& cluster) {
        if (!reader.has("groups")) return;
        const std::vector<Group> groups = read_entries(reader, fields);
        check_sizes(reader, groups);
        check_types(reader, groups);
        std::vector<scheduler::NodeGroup> nodes;
        int all = 0;
        for (const Group& group : groups) all += nodes.emplace_back(node_group(group)).nodes;
        const int per_rack = cluster.shape.nodes_per_rack;
        cluster.shape = scheduler::ClusterShape::of_groups(nodes, per_rack == 0 ? all : per_rack);
        set_machines(groups, cluster);
      }};
}

}  // namespace mimus::emulator
