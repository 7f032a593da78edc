// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/greedy.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "scheduler/planner/believed_course.hpp"
#include "scheduler/planner/marginal_gain.hpp"

namespace mimus::scheduler {
namespace {

double saved(std::optional<Duration> before, std::optional<Duration> after,
             std::optional<double> steps) {
  return steps && before && after ? to_seconds(*before - *after) * *steps : 0.0;
}

}  // namespace

double Greedy::gain(const PlanQuery& query, const JobView& job, int gpus) const {
  const int more = gpus + job.replica_gpus;
  if (settings_.by == By::estimate) {
    const BelievedCourse course(query);
    if (more > course.most_gpus(job)) return 0.0;
    return saved(course.step_time(job, gpus), course.step_time(job, more), course.steps_left(job));
  }
  if (more > oracle_->most_gpus(job.id)) return 0.0;
  return saved(oracle_->step_time(job.id, gpus), oracle_->step_time(job.id, more),
               oracle_->steps_left(job.id));
}

Plan Greedy::plan(const PlanQuery& query) {
  ensure(ready(), "planning by marginal gain needs an oracle or an estimate");
  Handout handout(query);
  std::vector<const PlanJob*> jobs;
  jobs.reserve(query.jobs.size());
  for (const PlanJob& job : query.jobs) jobs.push_back(&job);
  std::vector<Served> served = serve_each(jobs, handout);
  give_by_gain(
      served, [&](const JobView& job, int gpus) { return gain(query, job, gpus); }, handout);
  std::stable_sort(served.begin(), served.end(),
                   [](const Served& a, const Served& b) { return a.gpus < b.gpus; });
  Plan plan;
  plan.targets.reserve(served.size());
  for (const Served& job : served) plan.targets.push_back({job.job->view->id, job.gpus});
  return plan;
}

}  // namespace mimus::scheduler
