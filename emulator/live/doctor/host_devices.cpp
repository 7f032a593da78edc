// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/doctor/host_devices.hpp"

#include <cstddef>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "emulator/live/world/cuda_place.hpp"
#include "emulator/live/world/device_type.hpp"
#include "kernels/cuda/backend/cuda_backend.hpp"
#include "kernels/mpi/mpi_error.hpp"

namespace mimus::emulator {
namespace {

using kernels::check_mpi;

/// A line per device: its PCI bus id and its name.
std::string own_devices() {
  std::string lines;
  try {
    for (const auto& device : kernels::cuda_backend().devices()) {
      lines += fmt::format("{} {}\n", device.pci_bus_id, device.name);
    }
  } catch (const Error&) {  // the stage "CUDA" has told why there are none
    return {};
  }
  return lines;
}

std::vector<VisibleDevice> read_devices(const std::string& lines) {
  std::vector<VisibleDevice> devices;
  std::istringstream stream(lines);
  for (VisibleDevice device; std::getline(stream >> device.pci_bus_id >> std::ws, device.name);) {
    devices.push_back(device);
  }
  return devices;
}

using CountByType = std::map<std::string, int>;

std::string counts_text(const CountByType& counts) {
  std::vector<std::string> parts;
  for (const auto& [type, count] : counts) parts.push_back(fmt::format("{} x {}", count, type));
  return fmt::format("{}", fmt::join(parts, " + "));
}

std::string gpus_text(const LiveCell& cell) {
  CountByType counts;
  for (std::int64_t gpu = 0; gpu < cell.cluster.shape.gpus(); ++gpu) {
    ++counts[cell.cluster.gpu_of(GpuId{gpu}).name];
  }
  return counts_text(counts);
}

/// Throws if a device cannot stand for the GPU that its worker serves.
void check_devices(const LiveWorld& world, const DevicesOfRanks& devices, const LiveCell& cell) {
  const scheduler::ClusterShape& shape = cell.cluster.shape;
  const std::vector<std::string> hosts = world.hosts();
  const auto gpus = static_cast<int>(shape.gpus());
  for (int gpu = 0; gpu < gpus; ++gpu) {
    const int rank = 1 + gpu * shape.lanes_per_gpu;
    const auto& seen = devices[static_cast<std::size_t>(rank)];
    const CudaPlace place =
        cuda_place(host_gpu(hosts, rank, shape.lanes_per_gpu, gpus), static_cast<int>(seen.size()),
                   cell.engine.cuda.gpus_per_device);
    if (shape.types() == 1) continue;
    check_device_type(seen[static_cast<std::size_t>(place.ordinal)].name, GpuId{gpu},
                      cell.cluster.gpu_of(GpuId{gpu}).name, rank);
  }
}

}  // namespace

DevicesOfRanks gather_devices(const MpiWorld& mpi) {
  const std::string own = own_devices();
  const auto ranks = static_cast<std::size_t>(mpi.size());
  std::vector<int> sizes(ranks);
  const auto own_size = static_cast<int>(own.size());
  check_mpi(MPI_Allgather(&own_size, 1, MPI_INT, sizes.data(), 1, MPI_INT, mpi.communicator()),
            "MPI_Allgather");
  std::vector<int> begins(ranks);
  std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
  std::string all(static_cast<std::size_t>(begins.back() + sizes.back()), '\0');
  check_mpi(MPI_Allgatherv(own.data(), own_size, MPI_CHAR, all.data(), sizes.data(), begins.data(),
                           MPI_CHAR, mpi.communicator()),
            "MPI_Allgatherv");
  DevicesOfRanks devices;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    devices.push_back(read_devices(
        all.substr(static_cast<std::size_t>(begins[rank]), static_cast<std::size_t>(sizes[rank]))));
  }
  return devices;
}

std::string device_types_text(const LiveWorld& world, const DevicesOfRanks& devices) {
  const std::vector<std::string> hosts = world.hosts();
  std::map<std::string, std::map<std::string, std::string>> by_host;  // type by PCI bus id
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    auto& types = by_host[hosts[rank]];
    for (const auto& [bus, name] : devices[rank]) types.emplace(bus, type_of_device(name));
  }
  std::vector<std::string> parts;
  for (const auto& [host, types] : by_host) {
    CountByType counts;
    for (const auto& [bus, type] : types) ++counts[type];
    parts.push_back(
        fmt::format("host {}: {}", host, counts.empty() ? "no CUDA device" : counts_text(counts)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string check_cells(const LiveWorld& world, const DevicesOfRanks& devices,
                        const std::vector<LiveCell>& cells) {
  std::set<std::string> texts;
  for (const LiveCell& cell : cells) {
    if (cell.engine.on_cuda()) check_devices(world, devices, cell);
    texts.insert(fmt::format("{} on {}", gpus_text(cell),
                             cell.engine.on_cuda() ? "CUDA devices" : "CPU cores"));
  }
  return fmt::format("{} live {} fit: {}", cells.size(), cells.size() == 1 ? "cell" : "cells",
                     fmt::join(texts, "; "));
}

}  // namespace mimus::emulator
