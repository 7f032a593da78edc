// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/world/shared_devices.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "emulator/live/mpi/all_or_none.hpp"
#include "emulator/live/world/cuda_place.hpp"
#include "kernels/cuda/backend/cuda_backend.hpp"

namespace mimus::emulator {
namespace {

/// Whether this worker's GPU in the cell shares its device. Nothing if NCCL is not used.
std::optional<bool> shares(const LiveWorld& world, const LiveCell& cell) {
  if (!cell.engine.on_cuda() || cell.engine.collective != "nccl") return std::nullopt;
  const auto& shape = cell.cluster.shape;
  const int rank = world.mpi().rank();
  if ((rank - 1) / shape.lanes_per_gpu >= shape.gpus()) return std::nullopt;
  const auto devices = static_cast<int>(kernels::cuda_backend().devices().size());
  if (devices == 0) return std::nullopt;  // the cell reports this itself
  const HostGpu gpu =
      host_gpu(world.hosts(), rank, shape.lanes_per_gpu, static_cast<int>(shape.gpus()));
  return gpu.count > devices;
}

void check_own(const LiveWorld& world, const std::vector<LiveCell>& cells) {
  std::optional<bool> first;
  for (const LiveCell& cell : cells) {
    const std::optional<bool> own = shares(world, cell);
    if (!first) first = own;
    if (!own || *own == *first) continue;
    throw EnvironmentError(
        "in some cells several GPUs share a CUDA device and in others none does, and a process "
        "cannot change how NCCL reaches ranks on its device; run the groups one after another with "
        "--only, or set engine.collective: mpi");
  }
}

}  // namespace

void check_shared_devices(const LiveWorld& world, const std::vector<LiveCell>& cells) {
  const auto on_cuda = [](const LiveCell& cell) { return cell.engine.on_cuda(); };
  if (std::none_of(cells.begin(), cells.end(), on_cuda)) return;
  all_or_none(world.mpi().communicator(), [&] {
    if (world.mpi().rank() > 0) check_own(world, cells);
  });
}

}  // namespace mimus::emulator
