// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/check/policy_check.hpp"

namespace mimus::emulator {

/// Notes modelled hardware without measurements: links that are timed with the rate of their
/// datasheet although gangs use them, and models whose steps on this GPU type were not compared
/// with any. `traits` are of the cell's jobs.
void add_hardware_notes(const CellConfig& config, const workloads::ModelCatalogue& models,
                        const JobTraits& traits, std::vector<std::string>& notes);

/// Notes keys of the cluster without effect.
void add_cluster_notes(const Cell& cell, const ClusterConfig& cluster,
                       std::vector<std::string>& notes);

}  // namespace mimus::emulator
