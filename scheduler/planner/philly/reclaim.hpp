// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scheduler/planner/philly/virtual_clusters.hpp"

namespace mimus::scheduler {

/// The jobs to stop so that what `placer` was last asked for fits, or none where that cannot be.
/// Only jobs of virtual clusters above their quota are stopped, those of the one furthest above it
/// first and in it the newest one first, and only while it is above it. Of these, jobs without
/// which it fits as well go on, the oldest first. On return `placer` holds those that go on, and
/// `clusters` is without those that are stopped.
[[nodiscard]] std::vector<const JobView*> reclaim(VirtualClusters& clusters, Placer& placer);

}  // namespace mimus::scheduler
