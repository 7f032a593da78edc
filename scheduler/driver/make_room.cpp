// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "scheduler/driver/room.hpp"
#include "scheduler/driver/state.hpp"

namespace mimus::scheduler {
namespace {

struct Runner {
  Rank rank;
  JobRecord* job;
};

/// Walks the waiting jobs by rank; a request that cannot be served drops out whole.
class WaitingWalk {
 public:
  explicit WaitingWalk(const PendingQueue& queue) {
    for (const auto& head : queue.heads()) next_.insert({head.rank, head.request});
  }
  [[nodiscard]] bool done() const { return next_.empty(); }
  [[nodiscard]] PendingQueue::Head pop() { return next_.extract(next_.begin()).value(); }
  void add_after(const PendingQueue::Head& head) {
    const auto following = head.request->waiting.upper_bound(head.rank);
    if (following != head.request->waiting.end()) next_.insert({*following, head.request});
  }

 private:
  std::set<PendingQueue::Head> next_;
};

/// One search for jobs that must yield.
class Clearing {
 public:
  Clearing(State& state, Instant now) : state_(state), now_(now), room_(state.cluster, state.fit) {
    for (const JobId id : state.jobs.holding()) {
      JobRecord& job = state.jobs.at(id);
      if (job.view.state == JobState::stopping) {
        room_.release(job.view.attempt);
      } else {
        runners_.push_back({state.policy.order->rank(job.view, now), &job});
      }
    }
    std::sort(runners_.begin(), runners_.end(),
              [](const Runner& a, const Runner& b) { return b.rank < a.rank; });
  }

  void run(Decision& decision) {
    for (WaitingWalk walk(state_.pending); !walk.done();) {
      const auto head = walk.pop();
      JobRecord& job = state_.jobs.at(head.rank.job);
      if (over_quota(job)) continue;
      if (clear_for(job, decision)) {
        walk.add_after(head);
      } else {
        blocked_.push_back(head.rank);
      }
      if (state_.policy.order->blocks()) return;
    }
  }

  /// When the next running job may yield to a job that is blocked now.
  [[nodiscard]] Instant next_chance() const {
    Instant next = kNever;
    for (const Runner& runner : runners_) {
      if (runner.job->view.state != JobState::stopping) next = std::min(next, chance(runner));
    }
    return next;
  }

 private:
  [[nodiscard]] bool over_quota(const JobRecord& job) const {
    Usage usage = state_.usage(job.group);
    const auto promised = promised_.find(job.group);
    if (promised != promised_.end()) usage.held_by_group += promised->second;
    return state_.policy.admission->admit(job.view, usage).verdict != Verdict::accept;
  }

  bool clear_for(JobRecord& job, Decision& decision) {
    room_.ask_for(job.request->key.request());
    auto target = room_.find();
    if (!target) {
      const auto victims = choose(job);
      for (const AttemptId victim : victims) stop(victim, job, decision);
      if (!victims.empty()) target = room_.find();
    }
    if (!target) return false;
    Promise promise{job.rank, {}};
    for (const Slot& slot : target->slots) {
      promise.gpus.push_back(slot.gpu);
      room_.withhold(slot.gpu);
    }
    promised_[job.group] += job.view.gang;
    state_.promises.push_back(std::move(promise));
    return true;
  }

  [[nodiscard]] std::vector<AttemptId> choose(const JobRecord& job) {
    std::vector<const JobView*> worse;
    int within_reach = state_.fit.open_gpus();
    for (const Runner& runner : runners_) {
      if (!(job.rank < runner.rank)) break;
      const JobView& view = runner.job->view;
      if (view.state == JobState::stopping) continue;
      if (state_.policy.preemption->stoppable_from(view) > now_) continue;
      worse.push_back(&view);
      within_reach += view.gang;
    }
    if (worse.empty() || within_reach < job.view.gang) return {};
    const std::size_t mark = room_.released();
    auto victims = state_.policy.preemption->victims(worse, room_);
    room_.restore_down_to(mark);
    return victims;
  }

  void stop(AttemptId attempt, const JobRecord& in_favour_of, Decision& decision) {
    JobView& victim = state_.jobs.running(attempt)->view;
    victim.state = JobState::stopping;
    victim.waits_for = WaitCause::restart;
    room_.release(attempt);
    decision.actions.emplace_back(
        StopAttempt{attempt, fmt::format("yields to job {}", in_favour_of.view.id.value())});
  }

  [[nodiscard]] Instant chance(const Runner& runner) const {
    const Instant from = state_.policy.preemption->stoppable_from(runner.job->view);
    if (from == kNever) return kNever;
    Instant next = kNever;
    const auto after = std::upper_bound(blocked_.begin(), blocked_.end(), runner.rank);
    if (after != blocked_.begin() && from > now_) next = from;
    if (after != blocked_.end()) {
      const JobView& waiting = state_.jobs.at(after->job).view;
      const Instant overtaken = state_.policy.order->overtaken_at(runner.job->view, waiting, now_);
      if (overtaken != kNever) next = std::min(next, std::max(from, overtaken));
    }
    return next;
  }

  State& state_;
  Instant now_;
  Room room_;
  std::vector<Runner> runners_;  ///< worst rank first
  std::vector<Rank> blocked_;    ///< first job of each request nothing could be done for, by rank
  std::map<std::string, int> promised_;
};

}  // namespace

Instant make_room(State& state, Instant now, Decision& decision) {
  state.promises.clear();
  if (!state.policy.preemption->active() || state.pending.empty()) return kNever;
  Clearing clearing(state, now);
  clearing.run(decision);
  return clearing.next_chance();
}

}  // namespace mimus::scheduler
