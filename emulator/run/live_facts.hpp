// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/live/engine/live_engine.hpp"
#include "emulator/live/world/live_cell.hpp"
#include "emulator/live/world/live_world.hpp"
#include "emulator/run/provenance.hpp"

namespace mimus::emulator {

/// The value as in a campaign: a number, or max.
[[nodiscard]] std::string time_scale_text(const EngineConfig& engine);

/// Provenance of a live cell: its world and its emulated devices.
[[nodiscard]] ProvenanceFacts live_facts(const LiveWorld& world, const LiveCell& live);

/// Facts that are known, and recorded, only once workers have reported them.
[[nodiscard]] std::vector<results::LaterAttribute> facts_of_workers(const LiveCell& live);

/// The part of a baseline's cache key that one cell's measurements share: host, devices as the
/// workers name them, and settings.
[[nodiscard]] std::string baseline_scope(const LiveWorld& world, const LiveCell& live,
                                         const LiveEngine& engine);

}  // namespace mimus::emulator
