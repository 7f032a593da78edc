// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "emulator/cell_config.hpp"
#include "emulator/live/world/live_world.hpp"
#include "kernels/cuda/mps/mps.hpp"

namespace mimus::emulator {

/// The MPS daemon of this host for the length of a run: its first rank starts it and stops it, and
/// every rank is pointed to it before it uses CUDA, because a process keeps to the way it has begun
/// to share devices.
class MpsSession {
 public:
  /// Collective over the world. Does nothing unless `cuda` asks for MPS. Throws on every rank of
  /// the world when a host's daemon does not start: EnvironmentError, TimeoutError.
  MpsSession(const LiveWorld& world, const std::optional<CudaConfig>& cuda);

 private:
  std::unique_ptr<kernels::cuda::MpsServer> server_;
};

/// For results: "active" when this process's CUDA context is served by an MPS daemon, else why not.
/// CUDA finds daemons by itself: EnvironmentError when one serves a process that is to take turns.
[[nodiscard]] std::string mps_state(const CudaConfig& cuda);

}  // namespace mimus::emulator
