// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/marginal_gain.hpp"

#include <queue>

namespace mimus::scheduler {
namespace {

/// A job that would gain by one more replica; the largest gain per GPU is on top, then the earlier
/// job.
struct Bid {
  double gain;
  std::size_t index;
  bool operator<(const Bid& other) const {
    return gain < other.gain || (gain == other.gain && index > other.index);
  }
};

}  // namespace

std::vector<Served> serve_each(std::span<const PlanJob* const> jobs, Handout& handout) {
  std::vector<Served> served;
  for (const PlanJob* job : jobs) {
    if (handout.left() == 0) break;
    const int least = job->view->fewest_gpus();
    if (handout.give(*job, least) == Handout::Answer::given) served.push_back({job, least});
  }
  return served;
}

void give_by_gain(std::span<Served> served, const MarginalGain& gain, Handout& handout) {
  std::priority_queue<Bid> bids;
  const auto bid = [&](std::size_t i) {
    const JobView& job = *served[i].job->view;
    if (served[i].gpus + job.replica_gpus > job.most_gpus()) return;
    const double gained = gain(job, served[i].gpus) / job.replica_gpus;
    if (gained > 0.0) bids.push({gained, i});
  };
  for (std::size_t i = 0; handout.left() > 0 && i < served.size(); ++i) bid(i);
  while (handout.left() > 0 && !bids.empty()) {
    const std::size_t best = bids.top().index;
    bids.pop();
    const int more = served[best].job->view->replica_gpus;
    if (handout.give(*served[best].job, more) != Handout::Answer::given) continue;
    served[best].gpus += more;
    bid(best);
  }
}

}  // namespace mimus::scheduler
