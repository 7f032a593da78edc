// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/greedy.hpp"

#include <algorithm>
#include <queue>

#include "base/error.hpp"
#include "scheduler/planner/believed_course.hpp"
#include "scheduler/planner/handout.hpp"

namespace mimus::scheduler {
namespace {

/// A job that has at least one GPU.
struct Served {
  const PlanJob* job;
  int gpus;
};

/// A job that would gain by one more GPU. The largest gain is on top; ties go to the earlier job.
struct Bid {
  double gain;
  std::size_t index;  ///< index in the jobs that have a GPU, by arrival
  bool operator<(const Bid& other) const {
    return gain < other.gain || (gain == other.gain && index > other.index);
  }
};

/// Gives one GPU to each job in order of arrival while any are left.
std::vector<Served> serve_all(std::span<const PlanJob> jobs, Handout& handout) {
  std::vector<Served> served;
  for (const PlanJob& job : jobs) {
    const Handout::Answer answer = handout.give(job, 1);
    if (answer == Handout::Answer::does_not_fit) break;
    if (answer == Handout::Answer::given) served.push_back({&job, 1});
  }
  return served;
}

double saved(std::optional<Duration> before, std::optional<Duration> after,
             std::optional<double> steps) {
  return steps && before && after ? to_seconds(*before - *after) * *steps : 0.0;
}

}  // namespace

double Greedy::gain(const PlanQuery& query, const JobView& job, int gpus) const {
  if (settings_.by == By::estimate) {
    const BelievedCourse course(query);
    if (gpus >= course.most_gpus(job)) return 0.0;
    return saved(course.step_time(job, gpus), course.step_time(job, gpus + 1),
                 course.steps_left(job));
  }
  if (gpus >= oracle_->most_gpus(job.id)) return 0.0;
  return saved(oracle_->step_time(job.id, gpus), oracle_->step_time(job.id, gpus + 1),
               oracle_->steps_left(job.id));
}

Plan Greedy::plan(const PlanQuery& query) {
  ensure(ready(), "planning by marginal gain needs an oracle or an estimate");
  Handout handout(query);
  std::vector<Served> served = serve_all(query.jobs, handout);
  std::priority_queue<Bid> bids;
  const auto bid = [&](std::size_t i) {
    const double saved = gain(query, *served[i].job->view, served[i].gpus);
    if (saved > 0.0) bids.push({saved, i});
  };
  for (std::size_t i = 0; handout.left() > 0 && i < served.size(); ++i) bid(i);
  while (handout.left() > 0 && !bids.empty()) {
    const std::size_t best = bids.top().index;
    bids.pop();
    if (handout.give(*served[best].job, 1) != Handout::Answer::given) continue;
    ++served[best].gpus;
    bid(best);
  }
  std::stable_sort(served.begin(), served.end(),
                   [](const Served& a, const Served& b) { return a.gpus < b.gpus; });
  Plan plan;
  plan.targets.reserve(served.size());
  for (const Served& job : served) plan.targets.push_back({job.job->view->id, job.gpus});
  return plan;
}

}  // namespace mimus::scheduler
