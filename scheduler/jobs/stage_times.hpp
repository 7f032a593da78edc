// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::scheduler {

/// What one iteration of a job needs of each resource of its gang, one after the other, as a
/// profiler measures it where the job is alone. Seconds.
struct StageTimes {
  double input = 0.0;      ///< reading and preparing samples: storage and CPU
  double compute = 0.0;    ///< on the GPU
  double network = 0.0;    ///< between GPUs
  double iteration = 0.0;  ///< the whole iteration; less than the sum where stages overlap

  bool operator==(const StageTimes&) const = default;
};

}  // namespace mimus::scheduler
