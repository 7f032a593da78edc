// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sizing/handout.hpp"

namespace mimus::scheduler {

bool Handout::admits(const Contender& contender, int more) const {
  if (!admission_.limits()) return true;
  JobView asking = *contender.job;
  asking.gang = more;
  const auto group = given_to_.find(contender.group);
  const Usage usage{.held_by_group = group == given_to_.end() ? MilliGpus{} : group->second,
                    .held = given_,
                    .gpus = in_cluster_};
  return admission_.admit(asking, usage).verdict == Verdict::accept;
}

bool Handout::find_place(const Contender&, int) {
  return true;
}

Handout::Answer Handout::give(const Contender& contender, int more) {
  if (!admits(contender, more)) return Answer::over_quota;
  if (more > left_ || !find_place(contender, more)) return Answer::does_not_fit;
  left_ -= more;
  given_ += MilliGpus::of_gpus(more);
  given_to_[contender.group] += MilliGpus::of_gpus(more);
  return Answer::given;
}

}  // namespace mimus::scheduler
