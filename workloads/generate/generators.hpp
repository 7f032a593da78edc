// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/jobs/workload_source.hpp"

namespace mimus::workloads {

/// Sources that draw their jobs. Each job draws each concern (gap, gang, run time, ...) from a
/// random stream of its own, so that changing one leaves the others as they were. All are streams
/// in bounded memory.
[[nodiscard]] Choice<WorkloadSource> poisson_source();      ///< `poisson`
[[nodiscard]] Choice<WorkloadSource> diurnal_source();      ///< `diurnal`
[[nodiscard]] Choice<WorkloadSource> philly_like_source();  ///< `philly-like`
[[nodiscard]] Choice<WorkloadSource> pai_like_source();     ///< `pai-like`
[[nodiscard]] Choice<WorkloadSource> recurring_source();    ///< `recurring`
[[nodiscard]] Choice<WorkloadSource> gavel_jobs_source();   ///< `gavel-jobs`

/// All of the above, in that order.
[[nodiscard]] inline std::vector<Choice<WorkloadSource>> generator_sources() {
  return {poisson_source(),  diurnal_source(),   philly_like_source(),
          pai_like_source(), recurring_source(), gavel_jobs_source()};
}

}  // namespace mimus::workloads
