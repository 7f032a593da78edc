// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/handout.hpp"

namespace mimus::scheduler {

bool Handout::admits(const PlanJob& job, int more) const {
  if (!admission_.limits()) return true;
  const auto group = given_to_.find(job.group);
  const Usage usage{.held_by_group = group == given_to_.end() ? MilliGpus{} : group->second,
                    .held = given_,
                    .gpus = in_cluster_};
  return admission_.admit(*job.view, more * job.view->share, usage).verdict == Verdict::accept;
}

Handout::Answer Handout::would_give(const PlanJob& job, int more) const {
  if (!admits(job, more)) return Answer::over_quota;
  return more > left_ ? Answer::does_not_fit : Answer::given;
}

Handout::Answer Handout::give(const PlanJob& job, int more) {
  const Answer answer = would_give(job, more);
  if (answer == Answer::given) count(job, more);
  return answer;
}

void Handout::count(const PlanJob& job, int gpus) {
  left_ -= gpus;
  if (job.view->opportunistic) return;
  given_ += MilliGpus::of_gpus(gpus);
  given_to_[job.group] += MilliGpus::of_gpus(gpus);
}

}  // namespace mimus::scheduler
