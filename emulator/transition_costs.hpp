// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "emulator/cell_config.hpp"
#include "emulator/engine.hpp"

namespace mimus::emulator {

/// What a checkpoint of the model holds: fp32 weights and the optimiser's state.
[[nodiscard]] Bytes checkpoint_bytes(const workloads::Model& model);

/// From the grant of the allocation to the first step: the framework's start and, where the attempt
/// goes on, reading its checkpoint. A job that is only a run time costs nothing unless stated.
[[nodiscard]] Duration start_cost(const Attempt& attempt, const ClusterConfig& cluster,
                                  const TransitionCosts& stated);
/// From the decision to resize in place until the new members are ready, while the others train on.
[[nodiscard]] Duration join_cost(const Attempt& attempt, const TransitionCosts& stated);
/// From the last step before a resize in place to the first one after it; `transfer`: what giving
/// the new members weights and optimiser state takes.
[[nodiscard]] Duration resize_cost(Duration transfer, const TransitionCosts& stated);
/// From the last step to the freed allocation of an attempt that will go on later.
[[nodiscard]] Duration checkpoint_cost(const Attempt& attempt, const ClusterConfig& cluster,
                                       const TransitionCosts& stated);

/// From the order to make steps again to the first of them, of an attempt that kept its memory:
/// nothing unless stated.
[[nodiscard]] Duration resume_cost(const TransitionCosts& stated);

/// What an attempt that ends as resized says: "goes on with 1 of 4 GPUs", "goes on with 4 GPUs, 2
/// more".
[[nodiscard]] std::string resized_text(std::size_t before, std::size_t after);

}  // namespace mimus::emulator
