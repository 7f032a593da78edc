// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "emulator/live/world/live_cell.hpp"
#include "emulator/live/world/live_world.hpp"

namespace mimus::emulator {

/// Where a calibration measures: cluster, engine and models, without jobs and policy.
struct CalibrationBed {
  ClusterConfig cluster;
  EngineConfig engine;
  workloads::ModelCatalogue models;
  ConfigNode config;  ///< resolved `cluster:` and `engine:`
};

/// Takes `cluster`, `engine` and `models` of a campaign file, or without a file one node of four
/// T4s. The engine is the live one, whatever the campaign says; its sweep is not looked at. Throws
/// ConfigError.
[[nodiscard]] CalibrationBed read_bed(const std::string& campaign_path,
                                      const std::vector<Override>& overrides);

/// Leaves as many nodes and GPUs as these shapes need, so that no rank is started for nothing, and
/// as many lanes as there are tenants. Which links a gang crosses stays as it was. UsageError when
/// the cluster is too small.
void fit_cluster(ClusterConfig& cluster, const std::vector<std::vector<int>>& shapes, int tenants);

/// The world of that cluster, and the cell in it.
[[nodiscard]] WorldShape world_shape(const CalibrationBed& bed);
[[nodiscard]] LiveCell live_cell(const CalibrationBed& bed);

}  // namespace mimus::emulator
