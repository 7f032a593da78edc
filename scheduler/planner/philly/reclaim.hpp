// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scheduler/planner/philly/virtual_clusters.hpp"

namespace mimus::scheduler {

/// The jobs to stop so that the last request to `placer` fits, or none if that is impossible. Only
/// jobs of virtual clusters above their quota are stopped, first those of the one furthest above
/// it, the newest job first, and only while it is above it. Jobs among these without which the
/// request also fits continue, the oldest first. On return `placer` contains the jobs that
/// continue, and `clusters` lacks the jobs that are stopped.
[[nodiscard]] std::vector<const JobView*> reclaim(VirtualClusters& clusters, Placer& placer);

}  // namespace mimus::scheduler
