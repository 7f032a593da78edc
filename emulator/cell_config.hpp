// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/units.hpp"
#include "scheduler/cluster.hpp"

namespace mimus::emulator {

/// The `cluster:` mapping. Links not given take the GPU type's datasheet values.
struct ClusterConfig {
  scheduler::ClusterShape shape;  ///< lanes_per_gpu is filled from the policy by the runner
  BytesPerSecond network{};       ///< one node's uplink, each direction
  BytesPerSecond rack_network{};  ///< between racks, per node; equals `network` when not given
  Duration network_latency{};     ///< one way, node to node
  BytesPerSecond storage{};       ///< checkpoint bandwidth per node
};

/// The `engine:` mapping.
struct EngineConfig {
  enum class Mode { live };
  enum class Pace { datasheet, none };  ///< paced to the stated GPU, or the cores are the device
  Mode mode = Mode::live;
  Pace pace = Pace::datasheet;
  std::string device = "cpu";      ///< cpu | cuda
  std::string collective = "mpi";  ///< mpi | nccl
  double time_scale = 1.0;         ///< emulated seconds per wall second
  Duration min_step_wall{};  ///< shorter steps are run several at a time (see docs/validity.md)
  double host_load = 0.4;    ///< share of the host's cores that paced work may use
  Duration stage_timeout{};  ///< wall time any wait may last
};

}  // namespace mimus::emulator
