// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "emulator/live/world/live_cell.hpp"
#include "emulator/live/world/live_world.hpp"

namespace mimus::emulator {

/// Collective over the world, before its workers use NCCL and after they know their MPS daemon.
/// EnvironmentError on every rank when several GPUs share a device in some of the `cells` and not
/// in others: NCCL reads once how ranks on one device are to reach each other, and a process that
/// has begun in one way would go through sockets, or be refused, in the other.
void check_shared_devices(const LiveWorld& world, const std::vector<LiveCell>& cells);

}  // namespace mimus::emulator
