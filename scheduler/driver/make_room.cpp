// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "scheduler/driver/next_chance.hpp"
#include "scheduler/driver/room.hpp"
#include "scheduler/driver/state.hpp"

namespace mimus::scheduler {
namespace {

/// Walks the waiting jobs by rank; a request that cannot be served drops out whole.
class WaitingWalk {
 public:
  explicit WaitingWalk(const PendingQueue& queue) : heads_(queue.heads()) {}
  [[nodiscard]] bool done() const { return next_ == heads_.size() && following_.empty(); }
  [[nodiscard]] PendingQueue::Head pop() {
    const bool from_heads =
        following_.empty() || (next_ < heads_.size() && heads_[next_] < following_.front());
    if (from_heads) return heads_[next_++];
    std::pop_heap(following_.begin(), following_.end(), std::greater<>{});
    const PendingQueue::Head head = following_.back();
    following_.pop_back();
    return head;
  }
  /// Goes on with the next job of the same request.
  void add_after(const PendingQueue::Head& head) {
    const WaitingJob* next = head.request->waiting.after(head);
    if (next == nullptr) return;
    following_.push_back({*next, head.request});
    std::push_heap(following_.begin(), following_.end(), std::greater<>{});
  }

 private:
  const std::vector<PendingQueue::Head>& heads_;
  std::size_t next_ = 0;
  std::vector<PendingQueue::Head> following_;  ///< a heap, best rank on top
};

/// One search for jobs that must yield.
class Clearing {
 public:
  Clearing(State& state, Instant now)
      : state_(state), time_(state.policy.order->rank_time(now)), room_(state.cluster, state.fit) {
    for (const JobRecord* job : state.stopping) room_.release(job->view.attempt);
  }

  void run(Decision& decision) {
    const bool blocks = state_.policy.order->blocks();
    std::vector<int> closed;  // as in start_fitting: nothing is cleared for whom it would not start
    for (WaitingWalk walk(state_.pending); !walk.done();) {
      const auto head = walk.pop();
      const int group = head.request->key.group;
      if (std::find(closed.begin(), closed.end(), group) != closed.end()) continue;
      if (state_.limits_admission && over_quota(*head.job)) {
        if (blocks) closed.push_back(group);
        continue;
      }
      if (clear_for(head, decision)) {
        walk.add_after(head);
      } else {
        blocked_.push_back(head.rank);
      }
      if (blocks) return;
    }
  }

  /// Ranks of the first job of each request nothing could be done for, best first.
  [[nodiscard]] const std::vector<Rank>& blocked() const { return blocked_; }

 private:
  [[nodiscard]] bool over_quota(const JobRecord& job) const {
    Usage usage = state_.usage(job.group);
    const auto promised = promised_.find(job.group);
    if (promised != promised_.end()) usage.held_by_group += promised->second;
    return state_.policy.admission->admit(job.view, usage).verdict != Verdict::accept;
  }

  bool clear_for(const PendingQueue::Head& head, Decision& decision) {
    const bool known_blocked = head.request->blocked_in == state_.capacity_epoch;
    const bool may_fit = !(known_blocked && room_.is_cluster());
    const bool outranks = state_.runners.stoppable().any_after(head.rank, time_);
    if (!may_fit && !outranks) return false;
    const JobRecord& job = *head.job;
    room_.ask_for(head.request->key.request());
    auto target = may_fit ? room_.find() : std::nullopt;
    if (!target && outranks && stop_for(job, decision)) target = room_.find();
    if (!target) return false;
    Promise promise{job.rank, {}};
    promise.gpus.reserve(target->slots.size());
    for (const Slot& slot : target->slots) {
      promise.gpus.push_back(slot.gpu);
      room_.withhold(slot.gpu);
    }
    promised_[job.group] += job.view.gang;
    state_.promises.push_back(std::move(promise));
    return true;
  }

  bool stop_for(const JobRecord& job, Decision& decision) {
    const auto victims = choose(job);
    for (const AttemptId victim : victims) {
      room_.release(victim);
      stop_attempt(state_, *state_.jobs.running(victim),
                   fmt::format("yields to job {}", job.view.id.value()), decision);
    }
    return !victims.empty();
  }

  [[nodiscard]] std::vector<AttemptId> choose(const JobRecord& job) {
    CountingRoom counting(state_.cluster, state_.jobs, job.view.gang);
    const bool counts = state_.interchangeable;
    RunningIndex::WorstFirst walk(state_.runners.stoppable(), time_);
    std::vector<const JobView*> worse;
    int within_reach = state_.fit.open_gpus();
    while (const JobRecord* runner = walk.next_after(job.rank)) {
      worse.push_back(&runner->view);
      within_reach += counts ? counting.gpus_of(runner->view) : runner->view.gpus();
      // Where GPUs are interchangeable, nobody beyond these can be needed.
      if (counts && within_reach >= job.view.gang) break;
    }
    if (within_reach < job.view.gang) return {};
    if (counts) return state_.policy.preemption->victims(worse, counting);
    const std::size_t mark = room_.released();
    auto victims = state_.policy.preemption->victims(worse, room_);
    room_.restore_down_to(mark);
    return victims;
  }

  State& state_;
  Instant time_;  ///< up to which ranks have advanced
  Room room_;
  std::vector<Rank> blocked_;
  std::map<int, int> promised_;  ///< GPUs by group
};

}  // namespace

Instant make_room(State& state, Instant now, Decision& decision) {
  state.promises.clear();
  if (!state.preempts || state.pending.empty()) return kNever;
  state.runners.advance(now);
  Clearing clearing(state, now);
  clearing.run(decision);
  return next_chance(state, clearing.blocked(), now);
}

}  // namespace mimus::scheduler
