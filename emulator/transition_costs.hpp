// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "emulator/cell_config.hpp"
#include "emulator/engine.hpp"

namespace mimus::emulator {

/// Size of a checkpoint of the model: fp32 weights and the optimiser's state.
[[nodiscard]] Bytes checkpoint_bytes(const workloads::Model& model);

/// Time from the grant of the allocation to the first step: the framework's start and, if the
/// attempt continues, reading its checkpoint. A job that is only a run time costs nothing unless
/// stated.
[[nodiscard]] Duration start_cost(const Attempt& attempt, const ClusterConfig& cluster,
                                  const TransitionCosts& stated);
/// Time from the decision to resize in place until the new members are ready, while the others
/// train on.
[[nodiscard]] Duration join_cost(const Attempt& attempt, const TransitionCosts& stated);
/// Time in which the first member of a gang on `slots` gives the others weights and optimiser
/// state.
[[nodiscard]] Duration state_transfer(const workloads::Model& model, const ClusterConfig& cluster,
                                      std::span<const scheduler::Slot> slots);
/// The same between the leads of two gangs, of which one continues as the other.
[[nodiscard]] Duration state_transfer(const workloads::Model& model, const ClusterConfig& cluster,
                                      const scheduler::Slot& from, const scheduler::Slot& to);
/// Time from the last step before a resize in place to the first one after it, in which new members
/// get weights and optimiser state.
[[nodiscard]] Duration resize_cost(const Attempt& before, const Attempt& after,
                                   const ClusterConfig& cluster, const TransitionCosts& stated);
/// Time from the last step before a move until the lead of the next gang has the state.
[[nodiscard]] Duration move_cost(const Attempt& before, const Attempt& after,
                                 const ClusterConfig& cluster, const TransitionCosts& stated);
/// Time from there to the next step, in which its other members get it.
[[nodiscard]] Duration cost_after_move(const Attempt& after, const ClusterConfig& cluster,
                                       const TransitionCosts& stated);
/// Time from the last step to the freed allocation of an attempt that will continue later.
[[nodiscard]] Duration checkpoint_cost(const Attempt& attempt, const ClusterConfig& cluster,
                                       const TransitionCosts& stated);

/// Time from the order to make steps again to the first of them, besides the transfer of what is
/// not on the GPU: nothing unless stated.
[[nodiscard]] Duration resume_cost(const TransitionCosts& stated);

/// The detail of an attempt that another one follows: "goes on with 1 of 4 GPUs", "goes on with 4
/// GPUs, 2 more", "goes on with 4 other GPUs".
[[nodiscard]] std::string followed_text(const scheduler::Allocation& before,
                                        const scheduler::Allocation& after);

}  // namespace mimus::emulator
