// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "emulator/live/gang_communicator.hpp"
#include "emulator/live/worker_context.hpp"
#include "kernels/collective.hpp"
#include "kernels/device.hpp"

namespace mimus::emulator {

/// The device of `gpu` that the cell's `engine.device` names. NotCompiledError for a backend that
/// is left out of this build.
[[nodiscard]] std::unique_ptr<kernels::Device> make_device(const WorkerContext& context, GpuId gpu);

/// Communication of a gang as the cell's `engine.collective` names it; null for a single replica.
[[nodiscard]] std::unique_ptr<kernels::Collective> make_collective(
    const WorkerContext& context, const GangCommunicator& gang,
    const std::vector<scheduler::Slot>& slots);

}  // namespace mimus::emulator
