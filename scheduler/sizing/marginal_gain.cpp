// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sizing/marginal_gain.hpp"

#include <algorithm>
#include <queue>

#include "base/error.hpp"
#include "scheduler/sizing/fixed.hpp"

namespace mimus::scheduler {
namespace {

/// A job that would gain by one more GPU; the largest gain is on top, then the earlier job.
struct Bid {
  double gain;
  std::size_t index;  ///< into the jobs that have a GPU, by arrival
  bool operator<(const Bid& other) const {
    return gain < other.gain || (gain == other.gain && index > other.index);
  }
};

}  // namespace

BatchPlan MarginalGain::plan(const SizingQuery& query) const {
  return users_batch(query, settings_.measurable);
}

double MarginalGain::gain(JobId job, int gpus) const {
  if (gpus >= oracle_->most_gpus(job)) return 0.0;
  const auto steps = oracle_->steps_left(job);
  const auto before = oracle_->step_time(job, gpus);
  const auto after = oracle_->step_time(job, gpus + 1);
  return steps && before && after ? to_seconds(*before - *after) * *steps : 0.0;
}

std::vector<Allotted> MarginalGain::allot(std::span<const Contender> jobs,
                                          const AllotQuery& query) const {
  ensure(oracle_ != nullptr, "sizing by marginal gain needs an oracle");
  Handout& handout = query.handout;
  std::vector<Allotted> out;
  std::vector<const Contender*> served;  // the jobs of `out`
  for (const Contender& contender : jobs) {
    const Handout::Answer answer = handout.give(contender, 1);
    if (answer == Handout::Answer::does_not_fit) break;
    if (answer == Handout::Answer::over_quota) continue;
    out.push_back({contender.job->id, 1});
    served.push_back(&contender);
  }
  std::priority_queue<Bid> bids;
  const auto bid = [&](std::size_t i) {
    const double saved = gain(out[i].job, out[i].gpus);
    if (saved > 0.0) bids.push({saved, i});
  };
  for (std::size_t i = 0; handout.left() > 0 && i < out.size(); ++i) bid(i);
  while (handout.left() > 0 && !bids.empty()) {
    const std::size_t best = bids.top().index;
    bids.pop();
    if (handout.give(*served[best], 1) != Handout::Answer::given) continue;
    ++out[best].gpus;
    bid(best);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Allotted& a, const Allotted& b) { return a.gpus < b.gpus; });
  return out;
}

}  // namespace mimus::scheduler
