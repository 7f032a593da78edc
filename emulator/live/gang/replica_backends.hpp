// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "emulator/live/gang/gang_change.hpp"
#include "emulator/live/gang/gang_communicator.hpp"
#include "emulator/live/lane/worker_context.hpp"
#include "kernels/collective.hpp"
#include "kernels/device.hpp"
#include "kernels/pacing/link_pacer.hpp"

namespace mimus::emulator {

/// The device of `gpu` that the cell's `engine.device` names. NotCompiledError for a backend that
/// is left out of this build.
[[nodiscard]] std::unique_ptr<kernels::Device> make_device(WorkerContext& context, GpuId gpu);

/// The CUDA device that stands for the GPU which this worker serves. EnvironmentError without one.
[[nodiscard]] CudaPlace place_of(const WorkerContext& context);

/// Lets the worker of a CUDA device's first GPU and first lane sample that device. Returns why it
/// cannot: no driver, or one that does not know the device; empty if it can, and for other workers.
/// Of `device` it fills in the ordinal and the clock.
[[nodiscard]] std::string start_sampling(WorkerContext& context, SampledDevice device);

/// The role of a group of a gang's ranks; a gang of whole replicas has only one, for data.
enum class GroupKind { data, tensor, tied, activations, gradients };

/// This member's part in the emulated links of an attempt's gang, or of a group of it; null if
/// links are not emulated. A single replica uses none, but gangs that it grows into follow it.
[[nodiscard]] std::unique_ptr<kernels::LinkPacer> open_links(
    const WorkerContext& context, std::int64_t attempt, const std::vector<scheduler::Slot>& slots,
    GroupKind kind = GroupKind::data);

/// The same for a member that joins a gang. Until the present gang hands over, the new one begins
/// no transfer earlier than the present one could. If the present gang ends without handing over,
/// other gangs do not wait for the new one.
[[nodiscard]] std::unique_ptr<kernels::LinkPacer> open_links_to_join(const WorkerContext& context,
                                                                     const StartMessage& next);

/// The same for a member that stays, before the gang of before hands over.
[[nodiscard]] std::unique_ptr<kernels::LinkPacer> open_links_to_hand_over(
    const WorkerContext& context, const StartMessage& next);
/// The gang of before hands over at `at`; before it closes its own links.
void hand_over_links(const WorkerContext& context, const StartMessage& next, WallInstant at);
/// A gang that moves begins nothing before its lead has the state.
void await_state_on_links(const WorkerContext& context, const StartMessage& next);

/// Communication of a gang by the cell's `engine.collective`; null for a single replica. `links` as
/// from open_links(); if null, they are opened.
[[nodiscard]] std::unique_ptr<kernels::Collective> make_collective(
    const WorkerContext& context, const GangCommunicator& gang,
    const std::vector<scheduler::Slot>& slots, GroupKind kind = GroupKind::data,
    std::unique_ptr<kernels::LinkPacer> links = nullptr);
/// The same for a gang with a predecessor: NCCL's communicator shrinks or grows if the version can,
/// everything else is created again.
[[nodiscard]] std::unique_ptr<kernels::Collective> resize_collective(
    const WorkerContext& context, const GangCommunicator& gang,
    const std::vector<scheduler::Slot>& slots, GangChange change);

}  // namespace mimus::emulator
