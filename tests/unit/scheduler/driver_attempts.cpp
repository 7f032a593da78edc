// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What the driver does for actions about attempts.
#include <algorithm>

#include <fmt/format.h>

#include "driver.hpp"

namespace mimus::scheduler::test {

void Driver::resize(const ResizeAttempt& action, Instant now) {
  const auto found = running_.find(action.from);
  if (found == running_.end()) return;
  Attempt& attempt = found->second;
  const auto& before = attempt.allocation.slots;
  const auto& after = action.allocation.slots;
  expect(!attempt.stopping, "an attempt is resized that is being stopped");
  expect(!attempt.suspending && attempt.steps_from <= now,
         "an attempt is resized that makes no steps");
  expect(submitted_.at(attempt.job).replica_gpus == 1, "a split model is resized in place");
  const bool moves = is_move(attempt.allocation, action.allocation);
  const std::size_t staying = moves ? 0 : before.size();
  if (moves) {
    for (const Slot& slot : after) {
      expect(std::ranges::find(before, slot.gpu, &Slot::gpu) == before.end(),
             "a gang moves onto a GPU that it has");
    }
  } else {
    expect(after.size() != before.size(), "an attempt is resized to what it is");
    expect(std::equal(
               before.begin(),
               before.begin() + static_cast<std::ptrdiff_t>(std::min(before.size(), after.size())),
               after.begin()),
           "a resized gang does not begin with the members that stay");
  }
  for (std::size_t i = staying; i < after.size(); ++i) {
    expect(lanes_.emplace(after[i].lane, action.to).second,
           "a gang grows onto a lane that is taken");
    shares_[after[i].gpu] += action.allocation.share;
  }
  attempt.stopping = true;
  attempt.next = action;
  const EndReason reason = moves ? EndReason::moved : EndReason::resized;
  post(now + costs_.stop, AttemptEnded{action.from, reason, "", 0.0}, action.from);
}

/// The old slots are already free.
void Driver::resized(const AttemptEnded& event, const Attempt& before, Instant now) {
  const ResizeAttempt& next = *before.next;
  const auto& slots = next.allocation.slots;
  const bool moves = is_move(before.allocation, next.allocation);
  for (std::size_t i = moves ? 0 : before.allocation.slots.size(); i < slots.size(); ++i) {
    lanes_.erase(slots[i].lane);
    shares_[slots[i].gpu] -= next.allocation.share;
  }
  if (is_followed(event.reason)) {
    start({next.job, next.to, next.allocation, next.batch, {}}, now);
  }
}

void Driver::hold(const StartAttempt& action) {
  const JobView& job = submitted_.at(action.job);
  const auto id = action.job.value();
  expect(action.allocation.slots.empty() == (job.gang == 0 && action.allocation.node),
         fmt::format("job {} has neither GPUs nor a node", id));
  expect(job.gang > 0 || !down_.contains(action.allocation.node),
         fmt::format("job {} is put on a node that is down", id));
  expect(elastic_ || static_cast<int>(action.allocation.slots.size()) == job.gang,
         fmt::format("job {} is not started as a whole gang", id));
  expect(action.allocation.slots.size() % static_cast<std::size_t>(job.replica_gpus) == 0,
         fmt::format("job {} is started with a part of a replica", id));
  const auto gpus_held = static_cast<int>(action.allocation.slots.size());
  expect(gpus_held == 0 || (gpus_held >= job.gang_min && gpus_held <= job.gang_max),
         fmt::format("job {} is started outside of its range", id));
  const MilliGpus share = divides_ ? MilliGpus::of_share(job.gpu_share) : kWholeGpu;
  const MilliGpus held = action.allocation.share;
  expect(held == share || (takes_whole_gpus_ && held == kWholeGpu),
         fmt::format("job {} gets another share", id));
  std::set<GpuId> gpus;
  for (const Slot& slot : action.allocation.slots) {
    expect(gpus.insert(slot.gpu).second, fmt::format("job {} is twice on a GPU", id));
    expect(lanes_.emplace(slot.lane, action.attempt).second,
           fmt::format("job {} is put on a lane that is taken", id));
    expect(slot.lane.value() / shape_.lanes_per_gpu == slot.gpu.value(),
           fmt::format("job {} gets a lane of another GPU", id));
    shares_[slot.gpu] += held;
    expect(!divides_ || shares_[slot.gpu] <= kWholeGpu,
           fmt::format("job {} is put on a GPU with too little left", id));
    expect(!down_.contains(shape_.node_of(slot.gpu)),
           fmt::format("job {} is put on a node that is down", id));
    expect_type(slot.gpu, action.allocation.slots.front().gpu, job);
  }
  for (const auto& [attempt, other] : running_) {
    expect(other.job != action.job, fmt::format("job {} runs twice", id));
  }
}

/// Gangs stay on one type, which the user allows.
void Driver::expect_type(GpuId gpu, GpuId first, const JobView& job) {
  const int type = shape_.type_of(gpu);
  expect(type == shape_.type_of(first), fmt::format("job {} spans types", job.id.value()));
  const bool allowed =
      job.gpu_types.empty() ||
      std::ranges::find(job.gpu_types, shape_.type_name(type)) != job.gpu_types.end();
  expect(allowed, fmt::format("job {} is put on a type that it may not use", job.id.value()));
}

/// Steps of 10 ms + 1 ms per sample and micro-batch, of which 4 ms are synchronisation.
JobSample Driver::measured(const Attempt& attempt, Instant until) const {
  std::set<NodeId> nodes;
  for (const Slot& slot : attempt.allocation.slots) nodes.insert(shape_.node_of(slot.gpu));
  const auto gpus = static_cast<int>(attempt.allocation.slots.size());
  const Duration micro = std::chrono::milliseconds{10 + attempt.batch.per_gpu};
  const Duration sync = std::chrono::milliseconds{gpus > 1 ? 4 : 0};
  return {.begin = until - report_interval_,
          .end = until,
          .steps = 100,
          .gpus = gpus,
          .nodes = static_cast<int>(nodes.size()),
          .batch = attempt.batch,
          .step = micro * attempt.batch.accumulation + sync,
          .sync = sync,
          .utilisation = truths_.at(attempt.job).utilisation};
}

void Driver::plan_end(AttemptId id) {
  Attempt& attempt = running_.at(id);
  Truth& truth = truths_.at(attempt.job);
  attempt.end = {id, EndReason::finished, "", 0.0};
  attempt.left = truth.work;
  if (truth.failing_attempts == 0) return;
  --truth.failing_attempts;
  attempt.left /= 2;
  attempt.end.reason = truth.out_of_memory ? EndReason::out_of_memory : EndReason::failed;
  attempt.end.detail = "as planned";
}

/// Steps begin at `now`, the first ones or after a suspension.
void Driver::begin_stretch(AttemptId id, Instant now) {
  Attempt& attempt = running_.at(id);
  attempt.steps_from = now;
  post(now + attempt.left, attempt.end, id, attempt.stretch);
  if (report_interval_ > Duration::zero()) report(id);
}

void Driver::report(AttemptId id) {
  const Attempt& attempt = running_.at(id);
  int report = 1;
  const Instant end = attempt.steps_from + attempt.left;
  for (Instant t = attempt.steps_from + report_interval_; t < end; t += report_interval_) {
    ProgressBelief belief{0.0, 100.0 * report++, 1.0};
    post(t, ProgressReported{id, belief, {measured(attempt, t)}}, id, attempt.stretch);
  }
}

void Driver::start(const StartAttempt& action, Instant now) {
  hold(action);
  running_[action.attempt] = {
      .job = action.job, .allocation = action.allocation, .batch = action.batch, .begin = now};
  plan_end(action.attempt);
  post(now + costs_.start, AttemptStarted{action.attempt}, action.attempt);
  begin_stretch(action.attempt, now + costs_.start);
}

void Driver::suspend(AttemptId id, Instant now) {
  const auto found = running_.find(id);
  if (found == running_.end()) return;
  Attempt& attempt = found->second;
  expect(!attempt.stopping && !attempt.suspending && attempt.steps_from <= now,
         fmt::format("attempt {} is suspended, but makes no steps", id.value()));
  attempt.suspending = true;
  post(now + costs_.stop, AttemptSuspended{id}, id);
}

void Driver::suspended(AttemptId id, Instant now) {
  Attempt& attempt = running_.at(id);
  attempt.left -= now - attempt.steps_from;
  attempt.trained = attempt.trained_until(now);
  attempt.steps_from = kNever;
  attempt.suspending = false;
  ++attempt.stretch;
}

void Driver::resume(AttemptId id, Instant now) {
  const auto found = running_.find(id);
  if (found == running_.end()) return;
  expect(!found->second.stopping && found->second.steps_from == kNever,
         fmt::format("attempt {} is resumed, but is not suspended", id.value()));
  post(now + costs_.resume, AttemptResumed{id}, id);
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

}  // namespace mimus::scheduler::test
