// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "workloads/jobs/run_times.hpp"

namespace mimus::emulator {

/// A cluster of `gpus` GPUs in usual nodes of a machine type: the name of a built-in one, or an
/// entry of a table of them. Throws ConfigError at `path`.
[[nodiscard]] ClusterConfig usual_cluster(const ConfigNode& type, const std::string& path,
                                          int gpus);

/// Converts the run times of a `workload:` mapping for a cluster, by the footprint model: they hold
/// there, or on the type that `duration_on` names. `models` must outlive them. Throws ConfigError.
[[nodiscard]] workloads::RunTimes run_times_on(const ClusterConfig& cluster,
                                               const ConfigNode& workload,
                                               const workloads::ModelCatalogue& models);

/// The same for the jobs of a cell, by the step times of its engine.
[[nodiscard]] workloads::RunTimes run_times_of(const Cell& cell, const CellConfig& config,
                                               const workloads::ModelCatalogue& models);

/// Notes where `duration_on` has no effect.
void add_run_time_notes(const Cell& cell, const CellConfig& config,
                        std::vector<std::string>& notes);

}  // namespace mimus::emulator
