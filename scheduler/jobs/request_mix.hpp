// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scheduler/jobs/milli_gpus.hpp"

namespace mimus::scheduler {

/// Jobs that ask for the same, and how many of them there are in what an operator knows of the
/// workload. Memory of nodes is left out, as in FGD (Weng et al., ATC'23).
struct RequestCount {
  std::int64_t milli_cores = 0;
  int gpus = 0;                        ///< 0: cores only
  MilliGpus share = kWholeGpu;         ///< of each of its GPUs
  std::vector<std::string> gpu_types;  ///< that it may use, by name; empty: any
  std::int64_t jobs = 0;
};

/// What jobs of the workload ask for, whenever they come: read when a choice first asks for it.
using RequestMix = std::function<std::vector<RequestCount>()>;

}  // namespace mimus::scheduler
