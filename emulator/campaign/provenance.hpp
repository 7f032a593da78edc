// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/runner.hpp"
#include "emulator/live/live_cell.hpp"
#include "emulator/live/live_world.hpp"
#include "results/recorder.hpp"
#include "workloads/job.hpp"

namespace mimus::emulator {

/// Where a result came from: program, machine, launch, inputs and the settings that shaped it.
[[nodiscard]] results::Provenance provenance_of(const Campaign& campaign, const Cell& cell,
                                                const RunOptions& options, const LiveWorld& world,
                                                const LiveCell& live,
                                                const workloads::Workload& workload,
                                                const std::string& policy_label);

/// The part of a baseline's cache key that one cell's measurements share: host, device and
/// settings.
[[nodiscard]] std::string baseline_scope(const LiveWorld& world, const LiveCell& live);

}  // namespace mimus::emulator
