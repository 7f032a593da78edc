// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/opportunistic_jobs.hpp"

#include <fmt/format.h>

#include "base/random.hpp"

namespace mimus::workloads {

ChangedJobs::MakeChange drawn_opportunistic(double share) {
  return [share](const WorkloadContext& context) {
    const auto change = [share, lots = NumberedStreams(context.seed, "opportunistic")](Job& job) {
      if (lots.at(job.id.value()).uniform() < share) job.opportunistic = true;
    };
    return JobChange{change, fmt::format("opportunistic {}", share)};
  };
}

}  // namespace mimus::workloads
