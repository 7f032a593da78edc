// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/oracle/packed_slots.hpp"

namespace mimus::emulator {

std::optional<int> type_with(const scheduler::ClusterShape& shape, int gpus,
                             scheduler::GpuTypes types) {
  for (int type = 0; type < shape.types(); ++type) {
    if (scheduler::has_type(types, type) && shape.gpus_of_type(type) >= gpus) return type;
  }
  return std::nullopt;
}

std::vector<scheduler::Slot> packed_slots(const scheduler::ClusterShape& shape, int gpus,
                                          scheduler::GpuTypes types) {
  const auto count = static_cast<std::size_t>(gpus);
  const auto type = shape.groups ? type_with(shape, gpus, types) : std::nullopt;
  std::vector<scheduler::Slot> slots;
  slots.reserve(count);
  for (std::int64_t gpu = 0; slots.size() < count; ++gpu) {
    const GpuId id{shape.groups ? gpu % shape.gpus() : gpu};
    if (!type || shape.type_of(id) == *type) slots.push_back({id, shape.lane_of(id, 0)});
  }
  return slots;
}

}  // namespace mimus::emulator
