// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/live/world/live_cell.hpp"
#include "emulator/live/world/live_world.hpp"

namespace mimus::emulator {

struct VisibleDevice {
  std::string pci_bus_id;
  std::string name;  ///< that its driver gives it
};

/// The CUDA devices that each rank sees, by rank and ordinal.
using DevicesOfRanks = std::vector<std::vector<VisibleDevice>>;

/// Collective. A rank that cannot use CUDA has no devices.
[[nodiscard]] DevicesOfRanks gather_devices(const MpiWorld& mpi);

/// GPU types and their numbers by host: "host a: 2 x V100; host b: 1 x T4". Counts each device
/// that any rank of the host sees, once.
[[nodiscard]] std::string device_types_text(const LiveWorld& world, const DevicesOfRanks& devices);

/// Whether the devices can stand for the GPUs of the cells; the GPUs of each cell, with the device
/// that emulates them. EnvironmentError if a host has too few devices or others than
/// `cluster.groups` says.
[[nodiscard]] std::string check_cells(const LiveWorld& world, const DevicesOfRanks& devices,
                                      const std::vector<LiveCell>& cells);

}  // namespace mimus::emulator
