// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/deadline_jobs.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/random.hpp"

namespace mimus::workloads {

ChangedJobs::MakeChange drawn_deadlines(std::vector<double> factors) {
  return [factors = std::move(factors)](const WorkloadContext& context) {
    const auto change = [factors, &models = context.models, run_times = context.run_times,
                         draws = NumberedStreams(context.seed, "deadlines")](Job& job) {
      if (job.deadline > Duration{}) return;
      RandomStream draw = draws.at(job.id.value());
      const auto factor = static_cast<std::size_t>(draw.below(std::ssize(factors)));
      job.deadline = scale(run_times.of(job, models), factors[factor]);
    };
    return JobChange{change, fmt::format("deadlines {}", fmt::join(factors, ","))};
  };
}

}  // namespace mimus::workloads
