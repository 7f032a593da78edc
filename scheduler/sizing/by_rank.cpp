// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sizing/by_rank.hpp"

#include <algorithm>

#include "scheduler/sizing/fixed.hpp"

namespace mimus::scheduler {

BatchPlan ByRank::plan(const SizingQuery& query) const {
  return users_batch(query, settings_.measurable);
}

std::vector<Allotted> ByRank::allot(std::span<const Contender> jobs,
                                    const AllotQuery& query) const {
  std::vector<std::pair<Rank, int>> ranking;
  ranking.reserve(jobs.size());
  for (const Contender& contender : jobs) {
    const JobView& job = *contender.job;
    ranking.emplace_back(query.order.rank(job, query.now), job.gang);
  }
  std::sort(ranking.begin(), ranking.end());
  std::vector<Allotted> out;
  int left = query.gpus;
  for (const auto& [rank, gang] : ranking) {
    if (gang <= left) {
      out.push_back({rank.job, gang});
      left -= gang;
    } else if (query.order.blocks()) {
      break;
    }
  }
  return out;
}

}  // namespace mimus::scheduler
