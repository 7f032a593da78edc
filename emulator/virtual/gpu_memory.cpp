// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/gpu_memory.hpp"

namespace mimus::emulator {

std::optional<GpuId> GpuMemory::overfull(const Attempt& attempt) const {
  if (attempt.model == nullptr || shape_.gpu_memory == Bytes{}) return std::nullopt;
  for (const auto& slot : attempt.allocation.slots) {
    // One byte of slack, because sums of what tenants add and remove are not exact.
    if (used_[slot.gpu.index()] > shape_.memory_of(slot.gpu) + Bytes{1.0}) return slot.gpu;
  }
  return std::nullopt;
}

Bytes GpuMemory::need(const Attempt& attempt, Keeps keeps) {
  if (attempt.model == nullptr || keeps == Keeps::nothing) return Bytes{};
  const auto [entry, is_new] = needs_.try_emplace(attempt.model);
  if (is_new) entry->second = kernels::memory_need(*attempt.model);
  const bool is_whole = keeps == Keeps::all;
  return attempt.limits.on_device(is_whole ? entry->second.of(attempt.batch.per_gpu)
                                           : entry->second.base);
}

void GpuMemory::add(const Attempt& attempt, Keeps keeps, double sign) {
  if (attempt.model == nullptr) return;
  const Bytes memory = sign * need(attempt, keeps);
  for (const auto& slot : attempt.allocation.slots) used_[slot.gpu.index()] += memory;
}

}  // namespace mimus::emulator
