// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "reference_scheduler.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "scheduler/books/room.hpp"
#include "scheduler/books/take_event.hpp"
#include "scheduler/plan/reconciler.hpp"
#include "scheduler/queue/queue_state.hpp"

namespace mimus::scheduler::test {
namespace {

struct Runner {
  Rank rank;
  JobRecord* job;
};

class PlainClearing {
 public:
  PlainClearing(QueueState& state, Instant now)
      : state_(state),
        now_(now),
        room_(state.books.cluster, state.books.fit),
        former_(std::exchange(state.promises, {})) {
    for (JobRecord* job : state.books.jobs.all()) {
      if (!job->view.holds_gpus()) continue;
      if (job->view.state == JobState::stopping) {
        room_.release(job->view.attempt);
      } else {
        runners_.push_back({state.books.policy.order->rank(job->view, now), job});
      }
    }
    std::sort(runners_.begin(), runners_.end(),
              [](const Runner& a, const Runner& b) { return b.rank < a.rank; });
  }

  void run(Decision& decision) {
    const bool blocks = state_.books.policy.order->blocks();
    std::set<int> closed;  // groups whose first job waits for quota in a strict queue
    std::set<WaitingJob> next;
    for (const auto& head : state_.books.pending.heads()) next.insert(head);
    while (!next.empty()) {
      const WaitingJob head = next.extract(next.begin()).value();
      if (closed.contains(head.job->group)) continue;
      const Reach reach = waits_for_quota(*head.job) ? Reach{head.job->group} : Reach{};
      if (clear_for(*head.job, reach, decision)) {
        const WaitingJob* following = head.job->request->waiting.after(head);
        if (following != nullptr) next.insert(*following);
      } else {
        blocked_[reach.only].push_back(head.rank);
      }
      if (blocks && !reach.only) return;
      if (blocks) closed.insert(head.job->group);
    }
  }

  [[nodiscard]] Instant next_chance() const {
    Instant next = kNever;
    for (const Runner& runner : runners_) {
      if (runner.job->view.state == JobState::stopping) continue;
      for (const auto& [only, blocked] : blocked_) {
        if (Reach{only}.has(runner.job->group)) next = std::min(next, chance(runner, blocked));
      }
    }
    return next;
  }

 private:
  [[nodiscard]] bool accepts(const JobRecord& job, const Usage& usage) const {
    return state_.books.policy.admission->admit(job.view, job.view.demand(), usage).verdict ==
           Verdict::accept;
  }

  [[nodiscard]] bool waits_for_quota(const JobRecord& job) const {
    return !accepts(job, state_.books.usage(job.group, promised_.of(job.group)));
  }

  /// Including what its group has promised and gives back, and `given_back` more.
  [[nodiscard]] bool fits(const JobRecord& job, Reach reach, MilliGpus given_back) const {
    Usage usage = state_.books.usage_after_stops(job.group, promised_.of(job.group));
    usage.held_by_group -= given_back;
    usage.held -= given_back;
    return (!reach.only || accepts(job, usage)) && room_.fits();
  }

  bool clear_for(const JobRecord& job, Reach reach, Decision& decision) {
    room_.ask_for(job.placement_request());
    if (!fits(job, reach, {})) {
      const auto victims = choose(job, reach);
      for (const AttemptId victim : victims) {
        stop_attempt(state_.books, *state_.books.jobs.running(victim),
                     fmt::format("yields to job {}", job.view.id.value()), now_, decision);
      }
      if (victims.empty()) return false;
    }
    const auto target = room_.find(promised_place(former_, job.rank));
    if (!target) return false;
    Promise promise{job.rank, job.group, job.view.demand(), {}, *target};
    for (const Slot& slot : target->slots) {
      if (!reach.only || gives_back(job.group, slot.gpu)) promise.gpus.push_back(slot.gpu);
    }
    room_.promise(job.view.id, *target);
    promised_.add(promise);
    state_.promises.push_back(std::move(promise));
    return true;
  }

  [[nodiscard]] bool gives_back(int group, GpuId gpu) const {
    for (const JobRecord* job : state_.books.stopping) {
      if (job->group != group) continue;
      for (const Slot& slot : job->view.allocation.slots) {
        if (slot.gpu == gpu) return true;
      }
    }
    return false;
  }

  /// Releases jobs, worst first, until the job fits. Then restores, best first, those that are not
  /// needed.
  [[nodiscard]] std::vector<AttemptId> choose(const JobRecord& job, Reach reach) {
    std::vector<const JobView*> stopped;
    MilliGpus given_back;
    const auto release = [&](const JobView& view) {
      room_.release(view.attempt);
      given_back += view.demand();
    };
    const auto restore = [&](const JobView& view) {
      room_.restore(view.attempt);
      given_back -= view.demand();
    };
    for (const Runner& runner : runners_) {
      if (!stopped.empty() && fits(job, reach, given_back)) break;
      if (!(job.rank < runner.rank)) break;
      const JobView& view = runner.job->view;
      if (view.state == JobState::stopping || !reach.has(runner.job->group)) continue;
      if (state_.books.policy.preemption->stoppable_from(view) > now_) continue;
      release(view);
      stopped.push_back(&view);
    }
    if (stopped.empty() || !fits(job, reach, given_back)) {
      for (const JobView* view : stopped) restore(*view);
      return {};
    }
    for (std::size_t i = stopped.size() - 1; i-- > 0;) {
      restore(*stopped[i]);
      if (fits(job, reach, given_back)) {
        stopped[i] = nullptr;
      } else {
        release(*stopped[i]);
      }
    }
    std::vector<AttemptId> needed;
    for (const JobView* view : stopped) {
      if (view != nullptr) needed.push_back(view->attempt);
    }
    return needed;
  }

  [[nodiscard]] Instant chance(const Runner& runner, const std::vector<Rank>& blocked) const {
    const Instant from = state_.books.policy.preemption->stoppable_from(runner.job->view);
    if (from == kNever) return kNever;
    Instant next = kNever;
    const auto after = std::upper_bound(blocked.begin(), blocked.end(), runner.rank);
    if (after != blocked.begin() && from > now_) next = from;
    if (after != blocked.end()) {
      const JobView& waiting = state_.books.jobs.at(after->job).view;
      const Instant overtaken =
          state_.books.policy.order->overtaken_at(runner.job->view, waiting, now_);
      if (overtaken != kNever) next = std::min(next, std::max(from, overtaken));
    }
    return next;
  }

  QueueState& state_;
  Instant now_;
  Room room_;
  std::vector<Promise> former_;
  std::vector<Runner> runners_;  ///< worst rank first
  std::map<std::optional<int>, std::vector<Rank>> blocked_;
  PromisedQuota promised_;
};

Instant make_room_plainly(QueueState& state, Instant now, Decision& decision) {
  if (!state.preempts || state.books.pending.empty()) {
    state.promises.clear();
    return kNever;
  }
  PlainClearing clearing(state, now);
  clearing.run(decision);
  return clearing.next_chance();
}

/// Keeps no index of running jobs, and passes over the queue at every first step.
class PlainQueue final : public Decider {
 public:
  explicit PlainQueue(Books& books) : state_(books) {}

  bool hear(Happening what, JobRecord*, Instant) override {
    return what == Happening::first_step && state_.preempts && !state_.books.pending.empty();
  }
  void decide(Instant now, Decision& decision) override {
    wake_up_ = start_and_make_room(state_, now, decision, make_room_plainly);
  }
  [[nodiscard]] Instant wake_up() const override { return wake_up_; }

 private:
  QueueState state_;
  Instant wake_up_ = kNever;
};

}  // namespace

ReferenceScheduler::ReferenceScheduler(ClusterShape shape, Policy policy)
    : books_(std::move(shape), std::move(policy)) {
  if (books_.policy.planner == nullptr) {
    books_.decider = std::make_unique<PlainQueue>(books_);
  } else {
    books_.decider = std::make_unique<Reconciler>(books_);
  }
}

Decision ReferenceScheduler::on_events(std::span<const Event> events, Instant now) {
  Decision decision;
  books_.jobs.forget_left();
  const auto wake_up = [&] {
    return std::min({books_.timers.next(), power_wake_up_, cache_wake_up_,
                     books_.decider->wake_up(), books_.quarantine.next()});
  };
  bool pass = now >= wake_up();
  for (const Event& event : events) pass |= take_event(books_, Event(event), now, decision);
  if (pass) {
    ++books_.version;
    reconsider_due(books_, now);
    end_quarantines(books_, now, decision);
    if (books_.policy.power->weighs()) books_.decider->value_nodes(now);
    apply_power(books_, now, decision);
    books_.decider->decide(now, decision);
    power_wake_up_ = observe_power(books_, now);
    cache_wake_up_ = apply_cache(books_, now, decision);
  }
  decision.wake_up = wake_up();
  return decision;
}

}  // namespace mimus::scheduler::test
