// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/check/policy_check.hpp"

namespace mimus::emulator {

/// Notes what of the modelled hardware nothing was measured of: links that are timed with the rate
/// of their datasheet although gangs use them, and models whose steps on this GPU type were
/// compared with nothing. `traits` are of the cell's jobs.
void add_hardware_notes(const CellConfig& config, const workloads::ModelCatalogue& models,
                        const JobTraits& traits, std::vector<std::string>& notes);

/// Notes what of the cluster is stated and does not act.
void add_cluster_notes(const Cell& cell, const ClusterConfig& cluster,
                       std::vector<std::string>& notes);

}  // namespace mimus::emulator
