// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "emulator/cell_config.hpp"
#include "emulator/live/host/host_segment.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "kernels/footprint/gpu_spec.hpp"
#include "kernels/pacing/ledger.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// What a worker needs to know of the cell that it takes part in.
struct LiveCell {
  ClusterConfig cluster;
  EngineConfig engine;
  const workloads::ModelCatalogue* models = nullptr;
  double work_scale = 1.0;
  WallInstant epoch{};      ///< emulated time 0, on the clock of the pace and of the world
  Duration clock_offset{};  ///< added to this host's clock to get the world's
  std::string checkpoint_dir;
  std::uint64_t seed = 0;  ///< of failures of nodes
  /// Wall time between two samples of a device. NVML's own averages cover up to a second.
  Duration device_sample_interval = std::chrono::seconds{1};
  /// Emulated time between reports that the policy acts on; none if it acts on none.
  std::optional<Duration> report_every;

  [[nodiscard]] Instant emulated(WallInstant local) const {
    return Instant{} + scale(local + clock_offset - epoch, engine.time_scale);
  }
  /// At or just behind the instant that is emulated: rounded to where it has come.
  [[nodiscard]] WallInstant local(Instant at) const {
    return epoch - clock_offset + wall(at.time_since_epoch()) + Duration{1};
  }
  [[nodiscard]] Duration emulated(Duration wall) const { return scale(wall, engine.time_scale); }
  [[nodiscard]] Duration wall(Duration emulated) const {
    return scale(emulated, 1.0 / engine.time_scale);
  }
  [[nodiscard]] bool paced() const { return engine.pace == EngineConfig::Pace::datasheet; }
  /// What is not paced takes the time it takes, and nothing waits for it.
  [[nodiscard]] kernels::PaceClock::Kind clock() const {
    using Kind = kernels::PaceClock::Kind;
    if (!paced()) return Kind::wall;
    return engine.clock == EngineConfig::Clock::unbound ? Kind::unbound : Kind::waiting;
  }
};

/// Yields cell number `index` of what is being run, as every rank has read it; what only rank 0
/// decides (epoch, work scale, folder) is filled in by its messages.
using CellSource = std::function<LiveCell(int index)>;

/// Rank of the worker that serves a lane: rank 0 schedules, lanes follow in order.
[[nodiscard]] inline int rank_of(LaneId lane) {
  return static_cast<int>(lane.value()) + 1;
}

}  // namespace mimus::emulator
