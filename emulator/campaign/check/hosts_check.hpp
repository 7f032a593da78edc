// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/campaign/campaign.hpp"
#include "workloads/jobs/job.hpp"

namespace mimus::emulator {

/// Refuses what does not work on a cluster that states cores or memory of nodes.
void check_hosts_of(const Cell& cell, const CellConfig& config);

/// Refuses cluster.core_overcommit where nothing would slow down. `slows_steps`: the step times of
/// the cell depend on how many cores are short.
void check_overcommit(const Cell& cell, const CellConfig& config, bool slows_steps);

/// Why a job without GPUs cannot run in this cell, or "".
[[nodiscard]] std::string why_not_without_gpus(const CellConfig& config, const workloads::Job& job);

}  // namespace mimus::emulator
