// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sizing/by_rank.hpp"

#include <algorithm>
#include <set>

#include "scheduler/sizing/fixed.hpp"

namespace mimus::scheduler {

BatchPlan ByRank::plan(const SizingQuery& query) const {
  return users_batch(query, settings_.measurable);
}

std::vector<Allotted> ByRank::allot(std::span<const Contender> jobs,
                                    const AllotQuery& query) const {
  std::vector<std::pair<Rank, const Contender*>> ranking;
  ranking.reserve(jobs.size());
  for (const Contender& contender : jobs) {
    ranking.emplace_back(query.order.rank(*contender.job, query.now), &contender);
  }
  std::sort(ranking.begin(), ranking.end());
  std::vector<Allotted> out;
  std::set<int> closed;  // groups whose first job waits for quota: it blocks its group only
  for (const auto& [rank, contender] : ranking) {
    if (closed.contains(contender->group)) continue;
    const int gang = contender->job->gang;
    const Handout::Answer answer = query.handout.give(*contender, gang);
    if (answer == Handout::Answer::given) {
      out.push_back({rank.job, gang});
    } else if (query.order.blocks()) {
      if (answer == Handout::Answer::does_not_fit) break;
      closed.insert(contender->group);
    }
  }
  return out;
}

}  // namespace mimus::scheduler
