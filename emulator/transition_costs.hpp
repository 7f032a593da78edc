// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/cell_config.hpp"
#include "emulator/engine.hpp"

namespace mimus::emulator {

/// What a checkpoint of the model holds: fp32 weights and the optimiser's state.
[[nodiscard]] Bytes checkpoint_bytes(const workloads::Model& model);

/// From the grant of the allocation to the first step: the framework's start and, where the attempt
/// goes on, reading its checkpoint. A job that is only a run time costs nothing unless stated.
[[nodiscard]] Duration start_cost(const Attempt& attempt, const ClusterConfig& cluster,
                                  const TransitionCosts& stated);
/// From the last step to the freed allocation of an attempt that will go on later.
[[nodiscard]] Duration checkpoint_cost(const Attempt& attempt, const ClusterConfig& cluster,
                                       const TransitionCosts& stated);

}  // namespace mimus::emulator
