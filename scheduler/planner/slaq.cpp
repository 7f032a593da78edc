// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/slaq.hpp"

#include "scheduler/planner/believed_course.hpp"
#include "scheduler/planner/marginal_gain.hpp"

namespace mimus::scheduler {

bool Slaq::holds(const JobView& job, Instant now) const {
  return job.holds_gpus() && job.state != JobState::stopping &&
         now - job.running_since < settings_.hold;
}

double Slaq::gain(const PlanQuery& query, const JobView& job, int gpus) const {
  const BelievedCourse course(query);
  const int more = gpus + job.replica_gpus;
  const LossBelief* loss = query.estimate.loss(job);
  if (loss == nullptr || loss->steepest <= 0.0 || more > course.most_gpus(job)) return 0.0;
  const auto step = course.step_time(job, gpus);
  const auto faster = course.step_time(job, more);
  if (!step || !faster) return 0.0;
  const double gained = course.gain_of_step(job);
  const auto loss_after = [&](Duration one_step) {
    const double steps = to_seconds(settings_.round) / to_seconds(one_step);
    return loss->model.at(job.progress.samples_done + steps * gained);
  };
  return (loss_after(*step) - loss_after(*faster)) / (loss->steepest * gained);
}

Plan Slaq::plan(const PlanQuery& query) {
  Handout handout(query);
  std::vector<Served> served;
  std::vector<const PlanJob*> free;
  for (const PlanJob& job : query.jobs) {
    const int gpus = job.view->gpus();
    if (!holds(*job.view, query.now)) {
      free.push_back(&job);
    } else if (handout.give(job, gpus) == Handout::Answer::given) {
      served.push_back({&job, gpus});
    }
  }
  std::vector<Served> sized = serve_each(free, handout);
  give_by_gain(
      sized, [&](const JobView& job, int gpus) { return gain(query, job, gpus); }, handout);
  served.insert(served.end(), sized.begin(), sized.end());
  Plan plan;
  plan.targets.reserve(served.size());
  for (const Served& job : served) plan.targets.push_back({job.job->view->id, job.gpus});
  return plan;
}

}  // namespace mimus::scheduler
