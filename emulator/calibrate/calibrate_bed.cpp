// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_bed.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/yaml_reader.hpp"
#include "emulator/calibrate/calibrate_devices.hpp"
#include "emulator/campaign/campaign_document.hpp"
#include "emulator/campaign/campaign_machines.hpp"
#include "emulator/campaign/campaign_models.hpp"
#include "emulator/campaign/config_keys.hpp"

namespace mimus::emulator {
namespace {

/// One of the nodes of configs/quickstart.yaml.
constexpr const char* kDefaultBed =
    "cluster: {nodes: 1, gpus_per_node: 4, gpu: T4, network: 25 Gbit/s}\n";

ConfigNode default_document(const std::vector<Override>& overrides) {
  ConfigNode document = parse_yaml(kDefaultBed, "the built-in cluster");
  for (const Override& setting : overrides) set_path(document, setting.path, value_of(setting));
  return document;
}

/// Sections that only a run of jobs needs are allowed and ignored.
void check_root(YamlReader& root) {
  for (const char* key : {"schema", "name", "description", "seed", "repetitions",
                          "first_repetition", "measure", "published", "resources", "base",
                          "cluster", "workload", "policy", "engine", "record", "sweep"}) {
    (void)root.has(key);
  }
  root.finish();
}

ConfigNode bed_sections(const ConfigNode& document) {
  const ConfigNode resolved = resolved_cell(document);
  ConfigNode out = ConfigNode::mapping(document.where);
  for (const char* section : {"cluster", "engine"}) {
    out.members.emplace_back(section, *resolved.find(section));
  }
  return out;
}

int most_on_a_node(const std::vector<std::vector<int>>& shapes) {
  int most = 1;
  for (const auto& shape : shapes) most = std::max(most, shape.front());
  return most;
}

void check_fits(const ClusterConfig& cluster, const std::vector<int>& shape) {
  const int nodes = static_cast<int>(shape.size());
  if (nodes > cluster.shape.nodes) {
    throw UsageError(
        fmt::format("shape {} needs {} nodes, but the cluster has {}; try --set "
                    "cluster.nodes={}",
                    fmt::join(shape, "+"), nodes, cluster.shape.nodes, nodes));
  }
  if (shape.front() > cluster.shape.gpus_per_node) {
    throw UsageError(fmt::format(
        "shape {} needs {} GPUs on a node, but a node has {}; try --set "
        "cluster.gpus_per_node={}",
        fmt::join(shape, "+"), shape.front(), cluster.shape.gpus_per_node, shape.front()));
  }
}

}  // namespace

CalibrationBed read_bed(const std::string& campaign_path, const std::vector<Override>& overrides) {
  ConfigNode document =
      campaign_path.empty() ? default_document(overrides) : load_document(campaign_path, overrides);
  CalibrationBed bed;
  bed.models = workloads::ModelCatalogue::built_in();
  YamlReader root(document, "");
  (void)add_models(model_files(root), bed.models);
  describe_machines(document, own_machines(root));
  check_root(root);
  set_path(document, "engine.kind", ConfigNode::text("live", document.where));
  bed.config = bed_sections(document);
  bed.cluster = read_cluster(bed.config);
  if (bed.cluster.shape.groups) {
    throw UsageError(
        "mimus calibrate measures GPUs of one type, but the campaign's cluster has groups; measure "
        "each type by itself: mimus calibrate --gpu TYPE, without the campaign");
  }
  bed.engine = read_engine(bed.config);
  return bed;
}

void fit_cluster(ClusterConfig& cluster, const std::vector<std::vector<int>>& shapes, int tenants) {
  int nodes = 1;
  for (const auto& shape : shapes) {
    check_fits(cluster, shape);
    nodes = std::max(nodes, static_cast<int>(shape.size()));
  }
  auto& to = cluster.shape;
  const int gpus = most_on_a_node(shapes);
  to.nodes = nodes;
  // All GPUs of some islands, or a part of the first island.
  const int islands = (gpus + to.gpus_per_island - 1) / to.gpus_per_island;
  to.gpus_per_node = islands == 1 ? gpus : islands * to.gpus_per_island;
  to.gpus_per_island = std::min(to.gpus_per_island, to.gpus_per_node);
  to.lanes_per_gpu = tenants;
}

WorldShape world_shape(const CalibrationBed& bed) {
  const auto& shape = bed.cluster.shape;
  return {.gpus = shape.gpus(),
          .nodes = shape.nodes,
          .lanes_per_gpu = shape.lanes_per_gpu,
          .gpus_per_node = shape.gpus_per_node};
}

LiveCell live_cell(const CalibrationBed& bed) {
  LiveCell live;
  live.cluster = bed.cluster;
  live.cluster.outages.clear();
  live.cluster.node_failures.reset();
  live.engine = bed.engine;
  live.engine.on_lost_rank = EngineConfig::OnLostRank::stop;  // a measurement needs all of its GPUs
  live.models = &bed.models;
  live.device_sample_interval = kActivityInterval;
  return live;
}

}  // namespace mimus::emulator
