// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/ranked.hpp"

#include <algorithm>
#include <set>

#include "scheduler/planner/handout.hpp"
#include "scheduler/planner/kept_places.hpp"

namespace mimus::scheduler {

Plan Ranked::plan(const PlanQuery& query) {
  std::vector<RankedJob> ranking;
  ranking.reserve(query.jobs.size());
  for (const PlanJob& job : query.jobs) {
    ranking.push_back({settings_.order->rank(*job.view, query.now), &job});
  }
  std::sort(ranking.begin(), ranking.end());
  Handout handout(query);
  KeptPlaces places(ranking, query.placer);
  Plan plan;
  std::set<int> closed;  // groups whose first job waits for quota and blocks only its group
  for (const RankedJob& next : ranking) {
    const PlanJob& job = *next.job;
    if (closed.contains(job.group)) continue;
    const int gang = job.view->gang;
    Handout::Answer answer = handout.would_give(job, gang);
    if (answer == Handout::Answer::given) {
      if (auto target = places.target_of(next)) {
        handout.count(job, gang);
        plan.targets.push_back(std::move(*target));
        continue;
      }
      answer = Handout::Answer::does_not_fit;
    }
    if (!settings_.order->blocks()) continue;
    if (answer == Handout::Answer::does_not_fit) break;
    closed.insert(job.group);
  }
  return plan;
}

}  // namespace mimus::scheduler
