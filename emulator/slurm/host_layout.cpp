// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/slurm/slurm_plan.hpp"

namespace mimus::emulator {
namespace {

/// Workers of each emulated node.
std::vector<int> ranks_of_nodes(const CellConfig& config) {
  const auto& shape = config.cluster.shape;
  std::vector<int> ranks;
  for (int node = 0; node < shape.nodes; ++node) {
    ranks.push_back(shape.gpus_on(NodeId{node}) * shape.lanes_per_gpu);
  }
  return ranks;
}

/// The same of all live cells if one of them has nodes of several kinds; empty if none has.
std::vector<int> ranks_of_unlike_nodes(const Campaign& campaign) {
  std::optional<std::vector<int>> first;
  bool has_groups = false;
  bool are_equal = true;
  for (const Cell& cell : campaign.cells) {
    const CellConfig& config = *cell.settings;
    if (config.engine.kind != EngineConfig::Kind::live) continue;
    has_groups = has_groups || config.cluster.shape.groups != nullptr;
    const auto ranks = ranks_of_nodes(config);
    are_equal = are_equal && ranks == first.value_or(ranks);
    first = ranks;
  }
  if (!has_groups) return {};
  if (are_equal) return *first;
  throw UsageError(
      "cluster.groups: ranks are placed on hosts for all live cells alike, but their nodes have "
      "different GPUs; submit a campaign for each cluster");
}

/// Consecutive nodes on each host; rank 0 is on the first one.
std::vector<int> ranks_of_hosts(const std::vector<int>& ranks_of_nodes, int hosts) {
  std::vector<int> ranks(static_cast<std::size_t>(hosts), 0);
  const std::size_t nodes_per_host = ranks_of_nodes.size() / ranks.size();
  for (std::size_t node = 0; node < ranks_of_nodes.size(); ++node) {
    ranks[node / nodes_per_host] += ranks_of_nodes[node];
  }
  ranks.front() += 1;
  return ranks;
}

}  // namespace

HostLayout host_layout(const Campaign& campaign) {
  const int hosts = campaign.resources.nodes;
  if (!campaign.any_live()) return {.ranks = hosts, .ranks_per_host = 1, .by_host = {}};
  const int ranks = campaign.world_size();
  int emulated_nodes = 1;
  for (const Cell& cell : campaign.cells) {
    const CellConfig& config = *cell.settings;
    if (config.engine.kind != EngineConfig::Kind::live) continue;
    emulated_nodes = std::max(emulated_nodes, config.cluster.shape.nodes);
  }
  if (emulated_nodes % hosts != 0) {
    throw ConfigError({campaign.path, 0, 0}, "resources.nodes",
                      fmt::format("{} emulated nodes cannot be spread evenly over {} hosts, and "
                                  "the ranks of a node must stay together; choose a divisor of {}",
                                  emulated_nodes, hosts, emulated_nodes));
  }
  const std::vector<int> nodes = ranks_of_unlike_nodes(campaign);
  if (hosts == 1 || nodes.empty()) {
    return {.ranks = ranks, .ranks_per_host = (ranks - 1) / hosts + 1, .by_host = {}};
  }
  std::vector<int> by_host = ranks_of_hosts(nodes, hosts);
  const int most = *std::ranges::max_element(by_host);
  return {.ranks = ranks, .ranks_per_host = most, .by_host = std::move(by_host)};
}

}  // namespace mimus::emulator
