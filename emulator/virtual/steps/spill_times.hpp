// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "emulator/engine.hpp"
#include "kernels/parallel/split_plan.hpp"

namespace mimus::emulator {

/// Time to transfer what a replica keeps in host memory over the host link.
class SpillTimes {
 public:
  explicit SpillTimes(BytesPerSecond host_link) : host_link_(host_link) {}

  /// Time per step. Zero for an attempt without a memory limit, or without a model.
  [[nodiscard]] Duration of(const Attempt& attempt) const {
    if (!attempt.limits.memory || attempt.model == nullptr) return Duration{};
    const auto [entry, is_new] = needs_.try_emplace(attempt.model);
    if (is_new) entry->second = kernels::memory_need(*attempt.model);
    const Bytes spilled = attempt.limits.spilled(entry->second.of(attempt.batch.per_gpu));
    return attempt.batch.accumulation * (spilled / host_link_);
  }

 private:
  BytesPerSecond host_link_;
  mutable std::map<const workloads::Model*, kernels::MemoryNeed> needs_;  ///< of models seen
};

}  // namespace mimus::emulator
