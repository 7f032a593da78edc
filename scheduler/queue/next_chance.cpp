// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/next_chance.hpp"

#include <algorithm>

namespace mimus::scheduler {
namespace {

class Chances {
 public:
  Chances(const QueueState& state, std::span<const Rank> blocked, Reach reach, Instant now)
      : state_(state),
        blocked_(blocked),
        reach_(reach),
        now_(now),
        time_(state.books.policy.order->rank_time(now)) {}

  [[nodiscard]] Instant next() {
    grown_up();
    fallen_behind();
    overtaken();
    return next_;
  }
  /// When this job may fall behind the blocked ones and may then be stopped.
  [[nodiscard]] Instant of(const JobRecord& job) {
    consider(job);
    return next_;
  }

 private:
  [[nodiscard]] Rank rank_of(const JobRecord& job) const {
    return job.running.rank.at(job.running.drift, time_);
  }

  /// Considers the first young job that ranks after a blocked one.
  void grown_up() {
    const Runners& runners = state_.runners;
    if (!runners.young().any_after(blocked_.front(), time_, reach_)) return;
    runners.stoppable_from().for_each_while([&](Instant from, const JobRecord& job) {
      if (from >= next_) return false;
      if (!reach_.has(job.group) || !(blocked_.front() < rank_of(job))) return true;
      next_ = from;
      return false;
    });
  }

  /// Considers jobs without drift whose next change may take them behind a blocked one.
  void fallen_behind() {
    state_.runners.changes().for_each_while([&](Instant at, const JobRecord& job) {
      if (at >= next_) return false;
      consider(job);
      return true;
    });
  }

  /// Considers the first job whose rank drifts behind that of a blocked one. Of two jobs of one
  /// group that rank before the same blocked one, the later reaches it first.
  void overtaken() {
    const auto& groups = state_.runners.stoppable().groups();
    for (auto group = groups.rbegin(); group != groups.rend() && group->drift > 0; ++group) {
      if (!reach_.has(group->counted_in)) continue;
      const JobRecord* last = nullptr;
      for (const Rank& rank : blocked_) {
        const JobRecord* job = RunningIndex::last_before(*group, rank, time_);
        if (job != nullptr && job != last) consider(*job);
        last = job;
      }
    }
    const auto& young = state_.runners.young().groups();
    if (young.empty() || young.back().drift <= 0) return;
    state_.runners.stoppable_from().for_each_while([&](Instant from, const JobRecord& job) {
      if (from >= next_) return false;
      if (job.running.drift > 0) consider(job);
      return true;
    });
  }

  void consider(const JobRecord& job) {
    if (!reach_.has(job.group)) return;
    const auto after = std::upper_bound(blocked_.begin(), blocked_.end(), rank_of(job));
    if (after == blocked_.end()) return;
    const JobView& waiting = state_.books.jobs.at(after->job).view;
    const Instant behind = state_.books.policy.order->overtaken_at(job.view, waiting, now_);
    const bool young = job.running.stoppable_from != kNever;
    next_ = std::min(next_, young ? std::max(behind, job.running.stoppable_from) : behind);
  }

  const QueueState& state_;
  std::span<const Rank> blocked_;
  Reach reach_;
  Instant now_;
  Instant time_;  ///< up to which ranks have advanced
  Instant next_ = kNever;
};

}  // namespace

Instant next_chance_of(const QueueState& state, const JobRecord& running, const Rank& first,
                       Instant now) {
  const RunnerPlace& place = running.running;
  const bool may_fall = place.drift > 0 || (place.drift == 0 && place.changes_at != kNever);
  return may_fall ? Chances(state, {&first, 1}, Reach{}, now).of(running) : kNever;
}

Instant next_chance(const QueueState& state, std::span<const Rank> blocked, Reach reach,
                    Instant now) {
  return blocked.empty() ? kNever : Chances(state, blocked, reach, now).next();
}

}  // namespace mimus::scheduler
