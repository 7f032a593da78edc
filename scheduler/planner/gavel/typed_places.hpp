// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Jobs that are to have the same GPUs of a type.
struct TypedGang {
  std::vector<const JobView*> jobs;
  int gpus = 1;
  int type = 0;
};

/// Usable GPUs for each gang, in the order of `gangs`. Gangs keep the GPUs of one of their jobs
/// where an earlier gang does not; the others get the first ones that are left, on the first node
/// with enough of them if there is one. Empty for a gang that finds too few.
[[nodiscard]] std::vector<std::vector<GpuId>> typed_places(std::span<const TypedGang> gangs,
                                                           const ClusterShape& shape,
                                                           const Placer& placer);

}  // namespace mimus::scheduler
