// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scheduler/jobs/model_graph.hpp"

namespace mimus::scheduler {

/// What a profiler has measured of a replica that had a GPU of the cluster to itself.
struct SoloProfile {
  std::string model;
  ModelGraph graph;
  std::int64_t per_gpu_batch = 1;
  double utilisation = 0.0;  ///< share of the time in which kernels were on the device, 0..1
  Bytes memory{};            ///< of the replica on its device
};

/// Makes the profiles when they are first needed.
using SoloProfiles = std::function<std::vector<SoloProfile>()>;

}  // namespace mimus::scheduler
