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
  std::size_t index;  ///< into the jobs, by arrival
  bool operator<(const Bid& other) const {
    return gain < other.gain || (gain == other.gain && index > other.index);
  }
};

}  // namespace

BatchPlan MarginalGain::plan(const SizingQuery& query) const {
  return users_batch(query, settings_.measurable);
}

double MarginalGain::gain(const Contender& contender, int gpus) const {
  const JobId job = contender.job->id;
  if (gpus >= std::min(contender.most_gpus, oracle_->most_gpus(job))) return 0.0;
  const auto steps = oracle_->steps_left(job);
  const auto before = oracle_->step_time(job, gpus);
  const auto after = oracle_->step_time(job, gpus + 1);
  return steps && before && after ? to_seconds(*before - *after) * *steps : 0.0;
}

std::vector<Allotted> MarginalGain::allot(std::span<const Contender> jobs,
                                          const AllotQuery& query) const {
  ensure(oracle_ != nullptr, "sizing by marginal gain needs an oracle");
  std::vector<Allotted> out;
  std::priority_queue<Bid> bids;
  const auto bid = [&](std::size_t i) {
    const double saved = gain(jobs[i], out[i].gpus);
    if (saved > 0.0) bids.push({saved, i});
  };
  const std::size_t served = std::min(jobs.size(), static_cast<std::size_t>(query.gpus));
  for (std::size_t i = 0; i < served; ++i) out.push_back({jobs[i].job->id, 1});
  int left = query.gpus - static_cast<int>(served);
  for (std::size_t i = 0; left > 0 && i < served; ++i) bid(i);
  for (; left > 0 && !bids.empty(); --left) {
    const std::size_t best = bids.top().index;
    bids.pop();
    ++out[best].gpus;
    bid(best);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Allotted& a, const Allotted& b) { return a.gpus < b.gpus; });
  return out;
}

}  // namespace mimus::scheduler
