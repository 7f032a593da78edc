// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/slurm/slurm_components.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/slurm/slurm_plan.hpp"

namespace mimus::emulator {
namespace {

using scheduler::ClusterShape;
using scheduler::NodeGroup;

[[noreturn]] void fail(const Campaign& campaign, const char* key, const std::string& what) {
  throw ConfigError({campaign.path, 0, 0}, key, what);
}

/// The cluster of all live cells.
const ClusterShape& shape_of_groups(const Campaign& campaign) {
  const ClusterShape* first = nullptr;
  for (const Cell& cell : campaign.cells) {
    if (cell.settings->engine.kind != EngineConfig::Kind::live) continue;
    const ClusterShape& shape = cell.settings->cluster.shape;
    if (!shape.groups) {
      throw UsageError(
          "resources.gpu_types: says which hosts the groups of a cluster need, but the nodes of "
          "this one are alike; for one type set options: [--gpus-per-node=TYPE:NUMBER]");
    }
    if (first != nullptr && (shape.groups->groups() != first->groups->groups() ||
                             shape.lanes_per_gpu != first->lanes_per_gpu)) {
      throw UsageError(
          "resources.gpu_types: hosts are the same for all live cells, but their groups or tenants "
          "per GPU differ; submit a campaign for each cluster");
    }
    if (first == nullptr) first = &shape;
  }
  if (first == nullptr) {
    throw UsageError("resources.gpu_types: virtual cells use no GPUs; leave it out");
  }
  return *first;
}

void check_types(const Campaign& campaign, const ClusterShape& shape) {
  std::vector<std::string> names;
  for (const auto& type : shape.groups->types()) names.push_back(type.name);
  for (const auto& [name, hosts] : campaign.resources.gpu_types) {
    if (std::ranges::find(names, name) != names.end()) continue;
    fail(campaign, "resources.gpu_types", unknown_name_message("GPU type", name, names));
  }
  for (const std::string& name : names) {
    if (campaign.resources.gpu_types.contains(name)) continue;
    fail(campaign, "resources.gpu_types",
         fmt::format("has no entry for {0}, of which cluster.groups has GPUs; add {0}: {{gres: "
                     "NAME}}, or {0}: {{}} for any GPUs",
                     name));
  }
  if (campaign.resources.gpus_per_node > 0) {
    fail(campaign, "resources.gpus_per_node",
         "is given by the groups where gpu_types is set; leave it out");
  }
  if (campaign.resources.nodes != shape.nodes) {
    fail(campaign, "resources.nodes",
         fmt::format("is {}, but with gpu_types each of the {} emulated nodes is on a host of its "
                     "own; set {}",
                     campaign.resources.nodes, shape.nodes, shape.nodes));
  }
}

std::vector<Component> components_by_type(const Campaign& campaign) {
  const ClusterShape& shape = shape_of_groups(campaign);
  check_types(campaign, shape);
  const Resources& given = campaign.resources;
  const auto either = [](const std::string& own, const std::string& common) {
    return own.empty() ? common : own;
  };
  std::vector<Component> components;
  for (const NodeGroup& group : shape.groups->groups()) {
    const HostsOfType& type = given.gpu_types.at(group.gpu_type);
    const auto number = std::to_string(group.gpus_per_node);
    Component hosts{.hosts = group.nodes,
                    .ranks_per_host = group.gpus_per_node * shape.lanes_per_gpu,
                    .partition = either(type.partition, given.partition),
                    .constraint = either(type.constraint, given.constraint),
                    .gpus = type.gres.empty() ? number : type.gres + ":" + number};
    if (components.empty() && !given.scheduler) {
      Component first = hosts;
      first.hosts = 1;
      ++first.ranks_per_host;
      components.push_back(std::move(first));
      --hosts.hosts;
    }
    if (hosts.hosts > 0) components.push_back(std::move(hosts));
  }
  return components;
}

}  // namespace

bool is_heterogeneous(const Resources& resources) {
  return resources.scheduler || !resources.gpu_types.empty();
}

/// Where hosts are alike, each gets as many tasks as the fullest one needs, and slurm/env.sh leaves
/// some of them idle.
std::vector<Component> worker_components(const Campaign& campaign) {
  const Resources& given = campaign.resources;
  if (!given.gpu_types.empty()) return components_by_type(campaign);
  const HostLayout layout = host_layout(campaign);
  const int per_host = given.scheduler ? layout.ranks_per_host - 1
                                       : std::max(layout.ranks_per_host, given.ranks_per_node);
  return {{.hosts = given.nodes,
           .ranks_per_host = per_host,
           .partition = given.partition,
           .constraint = given.constraint,
           .gpus = given.gpus_per_node > 0 ? std::to_string(given.gpus_per_node) : ""}};
}

}  // namespace mimus::emulator
