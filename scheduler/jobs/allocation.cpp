// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/jobs/allocation.hpp"

namespace mimus::scheduler {

const char* name(Locality locality) {
  switch (locality) {
    case Locality::same_gpu:
      return "same_gpu";
    case Locality::same_island:
      return "same_island";
    case Locality::same_node:
      return "same_node";
    case Locality::same_rack:
      return "same_rack";
    case Locality::across_racks:
      return "across_racks";
  }
  return "unknown";
}

Allocation allocation_on(std::span<const GpuId> gpus) {
  Allocation allocation;
  for (const GpuId gpu : gpus) allocation.slots.push_back({gpu, LaneId{}});
  return allocation;
}

}  // namespace mimus::scheduler
