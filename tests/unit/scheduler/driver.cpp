// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "driver.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "builders.hpp"
#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler::test {

std::string text_of(const Action& action) {
  if (const auto* start = std::get_if<StartAttempt>(&action)) {
    return fmt::format("start {} as {} on {} with {}x{}", start->job.value(),
                       start->attempt.value(), fmt::join(gpus_of(start->allocation), ","),
                       start->batch.per_gpu, start->batch.accumulation);
  }
  if (const auto* stop = std::get_if<StopAttempt>(&action)) {
    return fmt::format("stop {}: {}", stop->attempt.value(), stop->reason);
  }
  if (const auto* retune = std::get_if<RetuneBatch>(&action)) {
    return fmt::format("retune {} to {}x{}", retune->attempt.value(), retune->batch.per_gpu,
                       retune->batch.accumulation);
  }
  if (const auto* resize = std::get_if<ResizeAttempt>(&action)) {
    return fmt::format("resize {} as {} to {} with {}x{}", resize->from.value(), resize->to.value(),
                       fmt::join(gpus_of(resize->allocation), ","), resize->batch.per_gpu,
                       resize->batch.accumulation);
  }
  if (const auto* suspend = std::get_if<SuspendAttempt>(&action)) {
    return fmt::format("suspend {}: {}", suspend->attempt.value(), suspend->reason);
  }
  if (const auto* resume = std::get_if<ResumeAttempt>(&action)) {
    return fmt::format("resume {}", resume->attempt.value());
  }
  if (const auto* limit = std::get_if<LimitAttempt>(&action)) {
    return fmt::format("limit {} to {:g}, {:g} B", limit->attempt.value(), limit->limits.cap,
                       limit->limits.memory.value_or(Bytes{}).value);
  }
  const auto& give_up = std::get<GiveUpJob>(action);
  return fmt::format("give up {}: {}", give_up.job.value(), give_up.reason);
}

Driver::Driver(ClusterShape shape, Policy policy, Costs costs)
    : max_tenants_(policy.max_tenants()),
      divides_(policy.divides_gpus()),
      takes_whole_gpus_(policy.placement->takes_whole_gpus()),
      elastic_(policy.planner != nullptr),
      scheduler_(shape, std::move(policy)),
      shape_(shape),
      costs_(costs) {}

void Driver::expect(bool holds, const std::string& what) {
  if (!holds) violations_.push_back(what);
}

void Driver::post(Instant when, Event event, AttemptId attempt, int stretch) {
  events_.emplace(when, Queued{std::move(event), attempt, stretch});
}

bool Driver::is_dropped(const Queued& queued) const {
  if (!queued.only_while_running) return false;
  const auto found = running_.find(queued.only_while_running);
  if (found == running_.end()) return true;
  return queued.only_in_stretch >= 0 && queued.only_in_stretch != found->second.stretch;
}

void Driver::submit(const JobView& job, const Truth& truth) {
  truths_[job.id] = truth;
  submitted_[job.id] = job;
  outcomes_[job.id];
  post(job.arrival, JobArrived{job});
}

void Driver::node_down_at(NodeId node, Instant from, Instant until) {
  post(from, NodeDown{node});
  post(until, NodeUp{node});
}

std::vector<Event> Driver::take_due(Instant now) {
  std::vector<Event> due;
  std::vector<AttemptId> lost;
  while (!events_.empty() && events_.begin()->first == now) {
    const Queued queued = events_.extract(events_.begin()).mapped();
    if (is_dropped(queued)) continue;
    due.push_back(queued.event);
    if (const auto* pause = std::get_if<AttemptSuspended>(&queued.event)) {
      suspended(pause->attempt, now);
    }
    if (const auto* go_on = std::get_if<AttemptResumed>(&queued.event)) {
      begin_stretch(go_on->attempt, now);
    }
    if (const auto* end = std::get_if<AttemptEnded>(&queued.event)) ended(*end, now);
    if (const auto* up = std::get_if<NodeUp>(&queued.event)) down_.erase(up->node);
    const auto* node = std::get_if<NodeDown>(&queued.event);
    if (node == nullptr) continue;
    down_.insert(node->node);
    for (const auto& [id, attempt] : running_) {
      const auto is_on_it = [&](const Slot& slot) {
        return shape_.node_of(slot.gpu) == node->node;
      };
      const bool hit =
          attempt.allocation.node == node->node ||
          std::ranges::any_of(attempt.allocation.slots, is_on_it) ||
          (attempt.next && std::ranges::any_of(attempt.next->allocation.slots, is_on_it));
      if (hit) lost.push_back(id);
    }
    for (const AttemptId id : lost) {
      due.emplace_back(AttemptEnded{id, EndReason::node_down, "", 0.0, node->node});
      ended(std::get<AttemptEnded>(due.back()), now);
    }
    lost.clear();
  }
  return due;
}

void Driver::ended(const AttemptEnded& event, Instant now) {
  const Attempt attempt = running_.at(event.attempt);
  running_.erase(event.attempt);
  for (const Slot& slot : attempt.allocation.slots) {
    lanes_.erase(slot.lane);
    shares_[slot.gpu] -= attempt.allocation.share;
  }
  Outcome& outcome = outcomes_.at(attempt.job);
  outcome.runs.emplace_back(attempt.begin, now);
  truths_.at(attempt.job).work -= attempt.trained_until(now);
  if (attempt.next) resized(event, attempt, now);
  if (event.reason == EndReason::preempted) ++outcome.preemptions;
  if (event.reason != EndReason::finished) return;
  expect(!outcome.finished, fmt::format("job {} finishes twice", attempt.job.value()));
  expect(truths_.at(attempt.job).work == Duration{},
         fmt::format("job {} finishes with work left", attempt.job.value()));
  outcome.finished = true;
  outcome.end = now;
}

void Driver::carry_out(const Decision& decision, Instant now) {
  for (const NodePowerChange& change : decision.power) {
    if (change.state == NodePower::on) off_.erase(change.node);
    if (change.state != NodePower::on) off_.insert(change.node);
  }
  for (const Action& action : decision.actions) {
    log_.push_back(fmt::format("{} {}", now.time_since_epoch().count(), text_of(action)));
    if (const auto* start_action = std::get_if<StartAttempt>(&action)) start(*start_action, now);
    if (const auto* stop_action = std::get_if<StopAttempt>(&action)) stop(*stop_action, now);
    if (const auto* resizing = std::get_if<ResizeAttempt>(&action)) resize(*resizing, now);
    if (const auto* pause = std::get_if<SuspendAttempt>(&action)) suspend(pause->attempt, now);
    if (const auto* go_on = std::get_if<ResumeAttempt>(&action)) resume(go_on->attempt, now);
    if (const auto* limiting = std::get_if<LimitAttempt>(&action)) {
      expect(running_.contains(limiting->attempt), "an attempt is limited that does not run");
      expect(limiting->limits.cap > 0.0 && limiting->limits.cap <= 1.0, "a cap is no share");
      post(now + costs_.stop, AttemptLimited{limiting->attempt}, limiting->attempt);
    }
    if (const auto* retune = std::get_if<RetuneBatch>(&action)) {
      expect(running_.contains(retune->attempt), "an attempt is retuned that does not run");
    }
    if (const auto* give_up = std::get_if<GiveUpJob>(&action)) {
      Outcome& outcome = outcomes_.at(give_up->job);
      expect(!outcome.finished && !outcome.given_up, "a job is given up that has left");
      outcome.given_up = true;
      outcome.end = now;
    }
  }
}

void Driver::check_books(Instant now) {
  const Cluster& cluster = scheduler_.cluster();
  std::size_t tenants = 0;
  for (const GpuState& gpu : cluster.gpus()) {
    tenants += gpu.tenants.size();
    expect(static_cast<int>(gpu.tenants.size()) <= max_tenants_,
           fmt::format("GPU {} has too many tenants", gpu.id.value()));
    expect(gpu.used_memory().value <= shape_.memory_of(gpu.id).value * (1.0 + 1e-9),
           fmt::format("GPU {} has too little memory for its tenants", gpu.id.value()));
  }
  for (const NodeId node : off_) {
    expect(cluster.tenants_on(node) == 0, fmt::format("node {} is off with jobs", node.value()));
  }
  expect(tenants == lanes_.size(), fmt::format("the books disagree at {} s", to_seconds(now)));
  expect(scheduler_.queue().size() == scheduler_.queued(), "the queue has lost a job");
  for (const JobId id : scheduler_.queue()) {
    expect(scheduler_.job(id).waits_for != WaitCause::none, "a queued job has no cause");
  }
}

void Driver::run(int max_decisions) {
  while (decisions_ < max_decisions) {
    const Instant next = events_.empty() ? kNever : events_.begin()->first;
    const Instant now = std::min(next, wake_up_);
    if (now == kNever) return;
    std::vector<Event> due = next == now ? take_due(now) : std::vector<Event>{};
    if (wake_up_ <= now) due.emplace_back(Timer{});
    if (due.empty()) continue;
    ++decisions_;
    const Decision decision = scheduler_.on_events(std::span<const Event>(due), now);
    if (watcher_) watcher_(due, now, decision);
    wake_up_ = decision.wake_up;
    expect(wake_up_ > now, "a wake-up is not in the future");
    carry_out(decision, now);
    if (decisions_ % check_every_ == 0) check_books(now);
  }
  expect(false, "the run does not end");
}

}  // namespace mimus::scheduler::test
