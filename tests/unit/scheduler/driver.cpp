// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "driver.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "builders.hpp"

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
  const auto& give_up = std::get<GiveUpJob>(action);
  return fmt::format("give up {}: {}", give_up.job.value(), give_up.reason);
}

Driver::Driver(ClusterShape shape, Policy policy, Costs costs)
    : max_tenants_(policy.max_tenants()),
      divides_(policy.divides_gpus()),
      elastic_(policy.planner != nullptr),
      scheduler_(shape, std::move(policy)),
      shape_(shape),
      costs_(costs) {}

void Driver::expect(bool holds, const std::string& what) {
  if (!holds) violations_.push_back(what);
}

void Driver::post(Instant when, Event event, AttemptId attempt) {
  events_.emplace(when, Queued{std::move(event), attempt});
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
    if (queued.only_while_running && !running_.contains(queued.only_while_running)) continue;
    due.push_back(queued.event);
    if (const auto* end = std::get_if<AttemptEnded>(&queued.event)) ended(*end, now);
    if (const auto* up = std::get_if<NodeUp>(&queued.event)) down_.erase(up->node);
    const auto* node = std::get_if<NodeDown>(&queued.event);
    if (node == nullptr) continue;
    down_.insert(node->node);
    for (const auto& [id, attempt] : running_) {
      const auto& slots = attempt.next ? attempt.next->allocation.slots : attempt.allocation.slots;
      const bool hit = std::any_of(slots.begin(), slots.end(), [&](const Slot& slot) {
        return shape_.node_of(slot.gpu) == node->node;
      });
      if (hit) lost.push_back(id);
    }
    for (const AttemptId id : lost) {
      due.emplace_back(AttemptEnded{id, EndReason::node_down, "", 0.0});
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
  const Instant first_step = attempt.begin + costs_.start;
  if (now > first_step) truths_.at(attempt.job).work -= now - first_step;
  if (attempt.next) resized(event, attempt, now);
  if (event.reason == EndReason::preempted) ++outcome.preemptions;
  if (event.reason != EndReason::finished) return;
  expect(!outcome.finished, fmt::format("job {} finishes twice", attempt.job.value()));
  outcome.finished = true;
  outcome.end = now;
}

void Driver::resize(const ResizeAttempt& action, Instant now) {
  const auto found = running_.find(action.from);
  if (found == running_.end()) return;
  Attempt& attempt = found->second;
  const auto& before = attempt.allocation.slots;
  const auto& after = action.allocation.slots;
  expect(!attempt.stopping, "an attempt is resized that is being stopped");
  expect(after.size() != before.size(), "an attempt is resized to what it is");
  expect(std::equal(
             before.begin(),
             before.begin() + static_cast<std::ptrdiff_t>(std::min(before.size(), after.size())),
             after.begin()),
         "a resized gang does not begin with the members that stay");
  for (std::size_t i = before.size(); i < after.size(); ++i) {
    expect(lanes_.emplace(after[i].lane, action.to).second,
           "a gang grows onto a lane that is taken");
    shares_[after[i].gpu] += action.allocation.share;
  }
  attempt.stopping = true;
  attempt.next = action;
  post(now + costs_.stop, AttemptEnded{action.from, EndReason::resized, "", 0.0}, action.from);
}

/// The old slots are already free.
void Driver::resized(const AttemptEnded& event, const Attempt& before, Instant now) {
  const ResizeAttempt& next = *before.next;
  const auto& slots = next.allocation.slots;
  for (std::size_t i = before.allocation.slots.size(); i < slots.size(); ++i) {
    lanes_.erase(slots[i].lane);
    shares_[slots[i].gpu] -= next.allocation.share;
  }
  if (event.reason == EndReason::resized) {
    start({next.job, next.to, next.allocation, next.batch}, now);
  }
}

void Driver::hold(const StartAttempt& action) {
  const JobView& job = submitted_.at(action.job);
  const auto id = action.job.value();
  expect(elastic_ || static_cast<int>(action.allocation.slots.size()) == job.gang,
         fmt::format("job {} is not started as a whole gang", id));
  const MilliGpus share = divides_ ? MilliGpus::of_share(job.gpu_share) : kWholeGpu;
  expect(action.allocation.share == share, fmt::format("job {} gets another share", id));
  std::set<GpuId> gpus;
  for (const Slot& slot : action.allocation.slots) {
    expect(gpus.insert(slot.gpu).second, fmt::format("job {} is twice on a GPU", id));
    expect(lanes_.emplace(slot.lane, action.attempt).second,
           fmt::format("job {} is put on a lane that is taken", id));
    expect(slot.lane.value() / shape_.lanes_per_gpu == slot.gpu.value(),
           fmt::format("job {} gets a lane of another GPU", id));
    shares_[slot.gpu] += share;
    expect(!divides_ || shares_[slot.gpu] <= kWholeGpu,
           fmt::format("job {} is put on a GPU with too little left", id));
    expect(!down_.contains(shape_.node_of(slot.gpu)),
           fmt::format("job {} is put on a node that is down", id));
  }
  for (const auto& [attempt, other] : running_) {
    expect(other.job != action.job, fmt::format("job {} runs twice", id));
  }
}

/// Steps of 10 ms + 1 ms per sample and micro-batch, of which 4 ms are synchronisation.
JobSample Driver::measured(const StartAttempt& action, Instant until) const {
  std::set<NodeId> nodes;
  for (const Slot& slot : action.allocation.slots) nodes.insert(shape_.node_of(slot.gpu));
  const auto gpus = static_cast<int>(action.allocation.slots.size());
  const Duration micro = std::chrono::milliseconds{10 + action.batch.per_gpu};
  const Duration sync = std::chrono::milliseconds{gpus > 1 ? 4 : 0};
  return {.end = until,
          .steps = 100,
          .gpus = gpus,
          .nodes = static_cast<int>(nodes.size()),
          .batch = action.batch,
          .step = micro * action.batch.accumulation + sync,
          .sync = sync};
}

void Driver::plan_end(const StartAttempt& action, Instant first_step) {
  Truth& truth = truths_.at(action.job);
  AttemptEnded end{action.attempt, EndReason::finished, "", 0.0};
  Duration left = truth.work;
  if (truth.failing_attempts > 0) {
    --truth.failing_attempts;
    left /= 2;
    end.reason = truth.out_of_memory ? EndReason::out_of_memory : EndReason::failed;
    end.detail = "as planned";
  }
  post(first_step + left, end, action.attempt);
  if (report_interval_ == Duration::zero()) return;
  int report = 1;
  for (Instant t = first_step + report_interval_; t < first_step + left; t += report_interval_) {
    ProgressBelief belief{0.0, 100.0 * report++, 1.0};
    post(t, ProgressReported{action.attempt, belief, {measured(action, t)}}, action.attempt);
  }
}

void Driver::start(const StartAttempt& action, Instant now) {
  hold(action);
  running_[action.attempt] = {action.job, action.allocation, action.batch, now, false};
  const Instant first_step = now + costs_.start;
  post(first_step, AttemptStarted{action.attempt}, action.attempt);
  plan_end(action, first_step);
}

void Driver::stop(const StopAttempt& action, Instant now) {
  const auto found = running_.find(action.attempt);
  if (found == running_.end()) return;
  expect(!found->second.stopping,
         fmt::format("attempt {} is stopped twice", action.attempt.value()));
  found->second.stopping = true;
  post(now + costs_.stop, AttemptEnded{action.attempt, EndReason::preempted, "", 0.0},
       action.attempt);
}

void Driver::carry_out(const Decision& decision, Instant now) {
  for (const Action& action : decision.actions) {
    log_.push_back(fmt::format("{} {}", now.time_since_epoch().count(), text_of(action)));
    if (const auto* start_action = std::get_if<StartAttempt>(&action)) start(*start_action, now);
    if (const auto* stop_action = std::get_if<StopAttempt>(&action)) stop(*stop_action, now);
    if (const auto* resizing = std::get_if<ResizeAttempt>(&action)) resize(*resizing, now);
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
    expect(gpu.used_memory().value <= shape_.gpu_memory.value * (1.0 + 1e-9),
           fmt::format("GPU {} has too little memory for its tenants", gpu.id.value()));
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
