// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "scheduler/jobs/job_kind.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// A gang's request to a placement. Of two requests that are equal except for `draw`, both fit or
/// neither.
struct PlacementRequest {
  int gang = 1;
  Bytes memory{};                 ///< of one replica
  int level = 0;                  ///< how far its required locality has been relaxed
  MilliGpus share = kWholeGpu;    ///< of a GPU, for one replica
  std::uint64_t draw = 0;         ///< see draw_of; for choices that draw GPUs at random
  const JobKind* kind = nullptr;  ///< null where no choice tells jobs apart, see JobKinds
  GpuTypes types = kAllTypes;     ///< of GPUs, each of which its gang may be on
  HostNeed host{};                ///< cores and memory that the whole gang takes
};

/// Different for any two starts, of one job or of two, and the same until the job has started, so
/// that asking what if draws what the start will draw.
[[nodiscard]] inline std::uint64_t draw_of(const JobView& job) {
  return (static_cast<std::uint64_t>(job.id.value()) << 32U) +
         static_cast<std::uint64_t>(job.attempts);
}

}  // namespace mimus::scheduler
