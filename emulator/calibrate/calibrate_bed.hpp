// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "emulator/live/world/live_cell.hpp"
#include "emulator/live/world/live_world.hpp"

namespace mimus::emulator {

/// The setting of a calibration: cluster, engine and models, without jobs and policy.
struct CalibrationBed {
  ClusterConfig cluster;
  EngineConfig engine;
  workloads::ModelCatalogue models;
  ConfigNode config;  ///< resolved `cluster:` and `engine:`
};

/// Takes `cluster`, `engine` and `models` of a campaign file, or one node of four T4s without a
/// file. The engine is the live one, whatever the campaign says. The campaign's sweep is ignored.
/// Throws ConfigError.
[[nodiscard]] CalibrationBed read_bed(const std::string& campaign_path,
                                      const std::vector<Override>& overrides);

/// Reduces the cluster to the nodes and GPUs that these shapes need, so that no rank is started
/// unnecessarily, with as many lanes as there are tenants. The links that a gang crosses do not
/// change. Throws UsageError when the cluster is too small.
void fit_cluster(ClusterConfig& cluster, const std::vector<std::vector<int>>& shapes, int tenants);

/// The world of that cluster, and its cell.
[[nodiscard]] WorldShape world_shape(const CalibrationBed& bed);
[[nodiscard]] LiveCell live_cell(const CalibrationBed& bed);

}  // namespace mimus::emulator
