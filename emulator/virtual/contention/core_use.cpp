// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/contention/core_use.hpp"

#include <algorithm>

namespace mimus::emulator {

CoreUse::CoreUse(const scheduler::ClusterShape& shape) : shape_(shape) {
  if (shape.core_overcommit <= 1.0) return;
  milli_cores_.assign(static_cast<std::size_t>(shape.nodes), 0);
  without_gpus_.resize(milli_cores_.size());
}

void CoreUse::enter(const Attempt& attempt) {
  if (!matters()) return;
  count(attempt, 1);
  if (!attempt.allocation.slots.empty()) return;
  auto& here = without_gpus_[attempt.allocation.node.index()];
  here.insert(std::upper_bound(here.begin(), here.end(), attempt.id), attempt.id);
}

void CoreUse::leave(const Attempt& attempt) {
  if (!matters()) return;
  count(attempt, -1);
  if (!attempt.allocation.slots.empty()) return;
  std::erase(without_gpus_[attempt.allocation.node.index()], attempt.id);
}

double CoreUse::load(NodeId node) const {
  const std::int64_t has = shape_.milli_cores_of(node);
  if (!matters() || has == 0) return 1.0;
  return std::max(1.0, static_cast<double>(milli_cores_[node.index()]) / static_cast<double>(has));
}

void CoreUse::count(const Attempt& attempt, std::int64_t sign) {
  scheduler::each_host(shape_, attempt.allocation,
                       [&](NodeId node, const scheduler::HostNeed& need) {
                         milli_cores_[node.index()] += sign * need.milli_cores;
                       });
}

}  // namespace mimus::emulator
