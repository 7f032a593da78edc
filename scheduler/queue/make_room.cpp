// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "scheduler/books/room.hpp"
#include "scheduler/queue/next_chance.hpp"
#include "scheduler/queue/queue_state.hpp"
#include "scheduler/queue/quota_room.hpp"

namespace mimus::scheduler {
namespace {

/// Searches rarely need to consider more running jobs than this for one gang.
constexpr std::size_t kFewVictims = 16;

/// Walks the waiting jobs by rank. If a request cannot be served, all its jobs are skipped.
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
  /// Adds the next job of the same request.
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
  Clearing(QueueState& state, Instant now)
      : state_(state),
        now_(now),
        time_(state.books.policy.order->rank_time(now)),
        room_(state.books.cluster, state.books.fit),
        former_(std::exchange(state.promises, {})) {
    for (const JobRecord* job : state.books.stopping) room_.release(job->view.attempt);
  }

  void run(Decision& decision) {
    const bool blocks = state_.books.policy.order->blocks();
    std::vector<int> closed;  // as in start_fitting: frees nothing for jobs that cannot start
    for (WaitingWalk walk(state_.books.pending); !walk.done();) {
      const auto head = walk.pop();
      const int group = head.request->key.group;
      if (std::find(closed.begin(), closed.end(), group) != closed.end()) continue;
      const Reach reach = waits_for_quota(*head.job) ? Reach{group} : Reach{};
      if (clear_for(head, reach, decision)) {
        walk.add_after(head);
      } else {
        auto& ranks = blocked_[reach.only];
        if (ranks.empty()) ranks.reserve(state_.books.pending.heads().size());
        ranks.push_back(head.rank);
      }
      if (blocks && !reach.only) return;
      if (blocks) closed.push_back(group);
    }
  }

  /// The next instant at which more may be possible for the blocked jobs.
  [[nodiscard]] Instant next_chance() const {
    Instant next = kNever;
    for (const auto& [only, ranks] : blocked_) {
      next = std::min(next, scheduler::next_chance(state_, ranks, Reach{only}, now_));
    }
    return next;
  }

 private:
  /// If so, its group must give back GPUs. Idle GPUs and those of other groups do not help.
  [[nodiscard]] bool waits_for_quota(const JobRecord& job) const {
    if (!state_.books.limits_admission) return false;
    const Usage usage = state_.books.usage(job.group, promised_.of(job.group));
    return state_.books.policy.admission->admit(job.view, job.view.demand(), usage).verdict !=
           Verdict::accept;
  }

  /// Whether the job will be within its quota once `given_back` has been returned.
  [[nodiscard]] bool within_quota(const JobRecord& job, Reach reach, MilliGpus given_back) const {
    return !reach.only || QuotaCheck(state_, job, promised_.of(job.group)).passes(given_back);
  }

  bool clear_for(const PendingQueue::Head& head, Reach reach, Decision& decision) {
    const bool known_blocked = head.request->blocked_in == state_.books.capacity_epoch;
    const bool may_fit = !(known_blocked && room_.is_cluster());
    const RunningIndex& stoppable = state_.runners.stoppable();
    const bool outranks = any_left_ && stoppable.any_after(head.rank, time_, reach);
    any_left_ = outranks || (any_left_ && reach.only && stoppable.any_after(head.rank, time_));
    if (!may_fit && !outranks) return false;
    const JobRecord& job = *head.job;
    room_.ask_for(job.placement_request());
    const Allocation* before = promised_place(former_, job.rank);
    auto target = may_fit && within_quota(job, reach, {}) ? room_.find(before) : std::nullopt;
    if (!target && outranks && stop_for(job, reach, decision)) target = room_.find(before);
    if (!target) return false;
    promise(job, *target, reach);
    return true;
  }

  /// A job that waits for quota has no claim on GPUs that are idle now or that other groups give
  /// back. Other jobs may need them before its own group has given back enough.
  void promise(const JobRecord& job, const Allocation& target, Reach reach) {
    Promise promise{job.rank, job.group, job.view.demand(), {}, target};
    promise.gpus.reserve(target.slots.size());
    for (const Slot& slot : target.slots) {
      if (!reach.only || gives_back(job.group, slot.gpu)) promise.gpus.push_back(slot.gpu);
    }
    room_.promise(job.view.id, target);
    promised_.add(promise);
    state_.promises.push_back(std::move(promise));
  }

  [[nodiscard]] bool gives_back(int group, GpuId gpu) const {
    return std::any_of(state_.books.stopping.begin(), state_.books.stopping.end(),
                       [&](const JobRecord* job) {
                         const auto& slots = job->view.allocation.slots;
                         return job->group == group &&
                                std::any_of(slots.begin(), slots.end(),
                                            [&](const Slot& slot) { return slot.gpu == gpu; });
                       });
  }

  bool stop_for(const JobRecord& job, Reach reach, Decision& decision) {
    const auto victims = choose(job, reach);
    for (const AttemptId victim : victims) {
      room_.release(victim);
      stop_attempt(state_.books, *state_.books.jobs.running(victim),
                   "yields to job " + std::to_string(job.view.id.value()), now_, decision);
    }
    return !victims.empty();
  }

  [[nodiscard]] std::vector<AttemptId> choose(const JobRecord& job, Reach reach) {
    CountingRoom counting(state_.books.cluster, state_.books.jobs, job.view.gang);
    const bool counts = state_.books.interchangeable;
    RunningIndex::WorstFirst walk(state_.runners.stoppable(), time_, reach);
    std::vector<const JobView*> worse;
    worse.reserve(kFewVictims);
    int within_reach = state_.books.fit.open_gpus();
    MilliGpus given_back;
    while (const JobRecord* runner = walk.next_after(job.rank)) {
      worse.push_back(&runner->view);
      within_reach += counts ? counting.gpus_of(runner->view) : runner->view.gpus();
      given_back += runner->view.demand();
      // If GPUs are interchangeable, no job beyond these can be needed.
      const bool enough = within_reach >= job.view.gang && within_quota(job, reach, given_back);
      if (counts && enough) break;
    }
    if (within_reach < job.view.gang || !within_quota(job, reach, given_back)) return {};
    if (counts) return victims(job, reach, worse, counting);
    const std::size_t mark = room_.released();
    auto chosen = victims(job, reach, worse, room_);
    room_.restore_down_to(mark);
    return chosen;
  }

  [[nodiscard]] std::vector<AttemptId> victims(const JobRecord& job, Reach reach,
                                               const std::vector<const JobView*>& worse,
                                               WhatIf& gpus) const {
    if (!reach.only) return state_.books.policy.preemption->victims(worse, gpus);
    const QuotaCheck quota(state_, job, promised_.of(job.group));
    QuotaRoom room(state_.books.jobs, quota, gpus);
    return state_.books.policy.preemption->victims(worse, room);
  }

  QueueState& state_;
  Instant now_;
  Instant time_;  ///< up to which ranks have advanced
  Room room_;
  std::vector<Promise> former_;
  /// Ranks of the first job of each blocked request, best first, by the group whose jobs they may
  /// ask to yield.
  std::map<std::optional<int>, std::vector<Rank>> blocked_;
  PromisedQuota promised_;
  /// Whether a stoppable job ranks after the current waiting job. Once there is none, there is none
  /// for the waiting jobs that follow.
  bool any_left_ = true;
};

}  // namespace

Instant make_room(QueueState& state, Instant now, Decision& decision) {
  if (!state.preempts || state.books.pending.empty()) {
    state.promises.clear();
    return kNever;
  }
  state.runners.advance(now);
  Clearing clearing(state, now);
  clearing.run(decision);
  return clearing.next_chance();
}

}  // namespace mimus::scheduler
