// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace mimus::emulator {

/// The first of these GPU types of which the cluster has this number of GPUs; nothing without one.
[[nodiscard]] std::optional<int> type_with(const scheduler::ClusterShape& shape, int gpus,
                                           scheduler::GpuTypes types);

/// The first GPUs of that type in an empty cluster. If no type has as many, which is refused later,
/// some GPUs: numbers may exceed those of a cluster of one type, because only their relative
/// positions matter.
[[nodiscard]] std::vector<scheduler::Slot> packed_slots(
    const scheduler::ClusterShape& shape, int gpus,
    scheduler::GpuTypes types = scheduler::kAllTypes);

/// Of the GPU of the first slot.
[[nodiscard]] inline Bytes memory_of_first(const scheduler::ClusterShape& shape,
                                           const std::vector<scheduler::Slot>& slots) {
  return shape.groups ? shape.memory_of(slots.front().gpu) : shape.gpu_memory;
}

}  // namespace mimus::emulator
