// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "reference_scheduler.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "scheduler/driver/room.hpp"
#include "scheduler/driver/take_event.hpp"

namespace mimus::scheduler::test {
namespace {

struct Runner {
  Rank rank;
  JobRecord* job;
};

class PlainClearing {
 public:
  PlainClearing(State& state, Instant now)
      : state_(state), now_(now), room_(state.cluster, state.fit) {
    for (JobRecord* job : state.jobs.all()) {
      if (!job->view.holds_gpus()) continue;
      if (job->view.state == JobState::stopping) {
        room_.release(job->view.attempt);
      } else {
        runners_.push_back({state.policy.order->rank(job->view, now), job});
      }
    }
    std::sort(runners_.begin(), runners_.end(),
              [](const Runner& a, const Runner& b) { return b.rank < a.rank; });
  }

  void run(Decision& decision) {
    const bool blocks = state_.policy.order->blocks();
    std::set<int> closed;  // groups whose first job waits for quota in a strict queue
    std::set<WaitingJob> next;
    for (const auto& head : state_.pending.heads()) next.insert(head);
    while (!next.empty()) {
      const WaitingJob head = next.extract(next.begin()).value();
      if (closed.contains(head.job->group)) continue;
      if (over_quota(*head.job)) {
        if (blocks) closed.insert(head.job->group);
        continue;
      }
      if (clear_for(*head.job, decision)) {
        const WaitingJob* following = head.job->request->waiting.after(head);
        if (following != nullptr) next.insert(*following);
      } else {
        blocked_.push_back(head.rank);
      }
      if (blocks) return;
    }
  }

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

  bool clear_for(const JobRecord& job, Decision& decision) {
    room_.ask_for(job.request->key.request());
    auto target = room_.find();
    if (!target) {
      const auto victims = choose(job);
      for (const AttemptId victim : victims) {
        stop_attempt(state_, *state_.jobs.running(victim),
                     fmt::format("yields to job {}", job.view.id.value()), decision);
      }
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

  /// Worst first until the job fits; then, best first, those are spared without whom it still does.
  [[nodiscard]] std::vector<AttemptId> choose(const JobRecord& job) {
    std::vector<AttemptId> stopped;
    bool fits = false;
    for (auto runner = runners_.begin(); runner != runners_.end() && !fits; ++runner) {
      if (!(job.rank < runner->rank)) break;
      const JobView& view = runner->job->view;
      if (view.state == JobState::stopping) continue;
      if (state_.policy.preemption->stoppable_from(view) > now_) continue;
      room_.release(view.attempt);
      stopped.push_back(view.attempt);
      fits = room_.fits();
    }
    if (!fits) {
      for (const AttemptId attempt : stopped) room_.restore(attempt);
      return {};
    }
    for (std::size_t i = stopped.size() - 1; i-- > 0;) {
      room_.restore(stopped[i]);
      if (room_.fits()) {
        stopped[i] = AttemptId{};
      } else {
        room_.release(stopped[i]);
      }
    }
    std::erase(stopped, AttemptId{});
    return stopped;
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
  std::vector<Rank> blocked_;
  std::map<int, int> promised_;
};

Instant make_room_plainly(State& state, Instant now, Decision& decision) {
  state.promises.clear();
  if (!state.preempts || state.pending.empty()) return kNever;
  PlainClearing clearing(state, now);
  clearing.run(decision);
  return clearing.next_chance();
}

}  // namespace

Decision ReferenceScheduler::on_events(std::span<const Event> events, Instant now) {
  Decision decision;
  state_.jobs.forget_left();
  const auto wake_up = [&] {
    return std::min({state_.timers.next(), power_wake_up_, room_wake_up_});
  };
  bool pass = now >= wake_up();
  for (const Event& event : events) pass |= take_event(state_, Event(event), now, decision);
  if (pass) {
    ++state_.version;
    reconsider_due(state_, now);
    power_wake_up_ = apply_power(state_, now);
    if (state_.policy.sizing->allots()) {
      room_wake_up_ = allot(state_, now, decision);
    } else {
      start_fitting(state_, now, decision);
      room_wake_up_ = make_room_plainly(state_, now, decision);
    }
  }
  decision.wake_up = wake_up();
  return decision;
}

}  // namespace mimus::scheduler::test
