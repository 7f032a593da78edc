// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/hardware_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mimus::emulator {
namespace {

void add_link_note(const char* key, const kernels::LinkRate& link,
                   std::vector<std::string>& notes) {
  if (link.effective) return;
  notes.push_back(fmt::format(
      "{}: no effective rate is known, so the datasheet's {:g} GB/s are used, of which all-reduces "
      "may fall far short; state {{rate, effective}}, such as the bus bandwidth of nccl-tests",
      key, link.rate.value / 1e9));
}

bool is_compared(const workloads::Model& model, const kernels::GpuSpec& gpu) {
  return gpu.models.contains(model.base_name()) || model.validation.contains(gpu.name);
}

}  // namespace

void add_hardware_notes(const CellConfig& config, const workloads::ModelCatalogue& models,
                        const JobTraits& traits, std::vector<std::string>& notes) {
  const ClusterConfig& cluster = config.cluster;
  const bool modelled = !traits.run_times && !config.engine.on_cuda() &&
                        config.engine.pace == EngineConfig::Pace::datasheet;
  if (!modelled) return;
  if (traits.largest_gang > 1 && cluster.shape.gpus_per_node > 1) {
    add_link_note("cluster.intra_node", cluster.gpu.node_link, notes);
  }
  if (traits.largest_gang > 1 && cluster.shape.nodes > 1) {
    add_link_note("cluster.network", cluster.network, notes);
  }
  std::vector<std::string> unknown;
  for (const std::string& name : traits.models) {
    const workloads::Model& model = models.at(name);
    for (int type = 0; type < cluster.shape.types(); ++type) {
      if (is_compared(model, cluster.gpu_of_type(type))) continue;
      unknown.push_back(name);
      break;
    }
  }
  if (unknown.empty()) return;
  notes.push_back(fmt::format(
      "modelled steps of {} on {} were not compared with any measurement: treat absolute times "
      "with care (docs/validity.md), or measure them with mimus calibrate",
      fmt::join(unknown, ", "), cluster.shape.gpu_type));
}

void add_cluster_notes(const Cell& cell, const ClusterConfig& cluster,
                       std::vector<std::string>& notes) {
  const bool one_rack = cluster.shape.nodes <= cluster.shape.nodes_per_rack;
  const bool given = cluster.rack_network != cluster.network;
  const ConfigNode* node = find_path(cell.config, "cluster.rack_network");  // none beside groups
  if (one_rack && given && node != nullptr) {
    notes.push_back(fmt::format("{}: cluster.rack_network has no effect: all nodes are in one rack",
                                node->where.str()));
  }
}

}  // namespace mimus::emulator
