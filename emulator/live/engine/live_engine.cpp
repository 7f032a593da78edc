// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/live_engine.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/log.hpp"

namespace mimus::emulator {
namespace {

constexpr Duration kFirstNap = std::chrono::microseconds{100};

}  // namespace

LiveEngine::LiveEngine(const LiveWorld& world, Mailbox& mailbox, LiveCell cell, int index,
                       DeviceSink& sink)
    : state_(world, mailbox, std::move(cell), index, sink),
      watch_(state_),
      reports_(state_, watch_),
      strikes_(state_, reports_, watch_) {
  for (const auto& [rank, what] :
       state_.mailbox.lost()) {  // lost in earlier cells or since the last one
    state_.clock.lost_before(rank);
    watch_.lose_gpu_of(rank, what);
  }
  const BeginCell begin{.cell = index,
                        .work_scale = state_.cell.work_scale,
                        .checkpoint_dir = state_.cell.checkpoint_dir};
  for (int rank = 1; rank < state_.world.mpi().size(); ++rank) state_.mailbox.send(rank, begin);
  await_workers();
}

void LiveEngine::begin_clock() {
  state_.cell.epoch = state_.clock.begin();
  const BeginClock begin{.epoch_ns = state_.cell.epoch.time_since_epoch().count()};
  for (int rank = 1; rank < state_.world.mpi().size(); ++rank) state_.mailbox.send(rank, begin);
  state_.devices.take_early();
}

void LiveEngine::await_workers() {
  const WallInstant asked = wall_now();
  for (int rank = 1; rank < state_.world.mpi().size(); ++rank) {
    if (!state_.mailbox.is_lost(rank)) state_.awaited.insert(rank);
  }
  const std::size_t all = state_.awaited.size();
  Backoff backoff(kFirstNap, kLongestNap);
  while (!state_.awaited.empty()) {
    if (const auto envelope = state_.mailbox.poll()) {
      take_early(*envelope);
    } else {
      await_more(asked, "cell set-up",
                 fmt::format("{} of {} workers are ready", all - state_.awaited.size(), all),
                 backoff);
    }
  }
  state_.devices.check_types();
}

Envelope LiveEngine::await(MessageKind kind, WallInstant asked, std::string_view stage,
                           const std::string& detail) {
  Backoff backoff(kFirstNap, kLongestNap);
  while (true) {
    if (auto envelope = state_.mailbox.poll()) {
      if (envelope->kind == kind) return std::move(*envelope);
      take_early(*envelope);
    } else {
      await_more(asked, stage, detail, backoff);
    }
  }
}

void LiveEngine::await_more(WallInstant asked, std::string_view stage, const std::string& detail,
                            Backoff& backoff) {
  state_.processes.throw_if_stopped();
  if (state_.processes.survives()) watch_.look(wall_now());
  const Duration waited = wall_now() - asked;
  if (waited > state_.cell.engine.stage_timeout) {
    throw TimeoutError(stage, waited, detail + state_.processes.stopped());
  }
  backoff.nap();
}

void LiveEngine::take_early(const Envelope& envelope) {
  watch_.heard_from(envelope);
  if (envelope.kind == MessageKind::cell_ready) {
    state_.devices.take_ready(envelope);
    state_.awaited.erase(envelope.source);
  }
  if (envelope.kind == MessageKind::device_sample) state_.devices.keep_early(envelope);
  if (envelope.kind == MessageKind::worker_failed) (void)reports_.translate(envelope);
}

void LiveEngine::start(const Attempt& attempt) {
  check_limits(attempt.limits);
  StartMessage message = start_message(attempt);
  const WallInstant at = state_.clock.begin_at();
  message.at_ns = at.time_since_epoch().count();
  message.cut_ns = strikes_.cut_of(attempt);
  const RunningAttempt& running = state_.running.add(attempt.id, RunningAttempt(attempt));
  if (state_.lost_gpus.includes_any_of(attempt.allocation)) {
    state_.abandoned.add_left(attempt.id, "one of its GPUs is lost");
    return watch_.end_abandoned();
  }
  state_.clock.hold_for(attempt.allocation.slots, at);
  for (const int rank : running.members) state_.mailbox.send(rank, message);
  state_.abandoned.joined(attempt.id, running);
}

/// Of what the scheduler has decided now, in ns of the world's clock.
std::int64_t LiveEngine::decided_ns() const {
  return state_.cell.local(state_.clock.last()).time_since_epoch().count();
}

void LiveEngine::stop(AttemptId attempt) {
  state_.running.command(
      attempt, StopMessage{.decided_ns = decided_ns(), .checkpoint = true, .at_ns = wake(attempt)});
}

void LiveEngine::limit(AttemptId attempt, const scheduler::DeviceLimits& limits) {
  check_limits(limits);
  state_.running.command(attempt, LimitMessage{.decided_ns = decided_ns(), .limits = limits});
}

void LiveEngine::read(AttemptId attempt, double samples_per_second) {
  state_.running.command(
      attempt, ReadMessage{.decided_ns = decided_ns(), .samples_per_second = samples_per_second});
}

void LiveEngine::save(AttemptId attempt) {
  state_.running.command(attempt, SaveMessage{.decided_ns = decided_ns()});
}

void LiveEngine::check_limits(const scheduler::DeviceLimits& limits) const {
  if (limits == scheduler::DeviceLimits{}) return;
  if (state_.cell.engine.on_cuda() || state_.cell.paced()) return;
  throw UsageError(fmt::format(
      "the planner limits the device {} of a job, which live runs do on paced emulated GPUs and "
      "CUDA devices only; set engine.pace to datasheet or a profile, engine.device to cuda, or let "
      "it set no such limits",
      limits.cap == 1.0 ? "memory" : "time"));
}

void LiveEngine::suspend(AttemptId attempt, scheduler::SuspendedMemory keeps) {
  state_.running.command(attempt, SuspendMessage{.decided_ns = decided_ns(), .keeps = keeps});
}

void LiveEngine::resume(AttemptId attempt) {
  state_.running.command(attempt, ResumeMessage{.at_ns = wake(attempt)});
}

/// Lets the clock wait for the members of a suspended attempt, which are about to be told what to
/// do, and says from when on; 0 of an attempt that runs, or whose members are to leave it.
std::int64_t LiveEngine::wake(AttemptId attempt) {
  if (state_.abandoned.contains(attempt) || !state_.running.wakes(attempt)) return 0;
  const WallInstant at = state_.clock.begin_at();
  state_.clock.hold_for(state_.running.at(attempt).allocation.slots, at);
  return at.time_since_epoch().count();
}

void LiveEngine::retune(AttemptId attempt, const scheduler::BatchPlan& batch) {
  state_.running.command(attempt, RetuneMessage{.decided_ns = decided_ns(), .batch = batch});
}

void LiveEngine::resize(AttemptId from, const Attempt& to) {
  const RunningAttempt* running = state_.running.find(from);
  if (running == nullptr || state_.abandoned.contains(from)) return;
  const WallInstant at = state_.clock.begin_at();
  const std::span<const scheduler::Slot> slots(to.allocation.slots);
  const bool moves = is_move(running->allocation, to.allocation);
  const std::size_t staying = moves ? 0 : std::min(running->allocation.slots.size(), slots.size());
  state_.clock.hold_for(slots.subspan(staying), at);
  state_.resizes.begin(from, to,
                       {.at = at,
                        .now = state_.clock.pace(),
                        .decided_ns = decided_ns(),
                        .cut_ns = strikes_.cut_of(to)});
}

Instant LiveEngine::next(Instant deadline, std::vector<TimedEvent>& happened) {
  Duration length = kFirstNap;
  while (true) {
    state_.processes.throw_if_stopped();
    const Instant struck = strikes_.next(deadline);
    const Instant until = std::min(deadline, struck);
    const bool passed = now() >= until && state_.cell.local(until) <= reports_.first();
    if (passed && state_.due.empty() &&
        reports_.can_nothing_come_before(state_.cell.local(until))) {
      if (until < struck) return state_.clock.reached(deadline);
      strikes_.strike(state_.clock.reached(struck));
    }
    if (reports_.receive(happened, until)) return state_.clock.last();
    watch_.look(wall_now());
    if (!state_.due.empty()) continue;
    if (until == kNever && state_.running.empty()) nothing_left_to_happen();
    const WallInstant due = until == kNever ? WallInstant::max() : state_.cell.local(until);
    state_.clock.may_decide_from(std::min(due, reports_.first()));
    state_.clock.nap(until, reports_.first(), length, state_.running.empty());
    length = std::min(kLongestNap, length * 3 / 2);
  }
}

void LiveEngine::nothing_left_to_happen() const {
  const int gpus = state_.cell.cluster.shape.gpus();
  throw Error(
      ExitCode::run_failed,
      fmt::format(
          "jobs wait, but no event is left: the policy starts none of them on the {} of {} GPUs "
          "that are left, and asks for no wake-up; \"mimus summary\" shows what they wait for",
          gpus - static_cast<int>(state_.lost_gpus.all().size()), gpus));
}

void LiveEngine::collect_samples(Duration patience) {
  ensure(state_.running.empty(),
         "devices are sampled for the last time while attempts are running");
  for (const int rank : state_.devices.sampling()) state_.mailbox.send(rank, SampleDevices{});
  std::size_t awaited = state_.devices.sampling().size();
  const WallInstant give_up = wall_now() + patience;
  Backoff backoff(kFirstNap, kLongestNap);
  while (awaited > 0 && wall_now() < give_up) {
    const auto envelope = state_.mailbox.poll();
    if (!envelope) {
      backoff.nap();
    } else if (envelope->kind == MessageKind::device_sample) {
      if (state_.devices.take_sample(*envelope)) --awaited;
    } else {
      watch_.heard_from(*envelope);
      (void)reports_.translate(*envelope);
    }
  }
}

bool LiveEngine::wind_down(Duration patience) {
  state_.winding_down = true;
  state_.clock.leave();
  for (const auto& [id, running] : state_.running) {
    state_.running.command(id, StopMessage{.checkpoint = false, .at_ns = wake(id)});
  }
  const WallInstant give_up = wall_now() + patience;
  Backoff backoff(kFirstNap, kLongestNap);
  std::vector<TimedEvent> ignored;
  try {
    while (!state_.running.empty() && wall_now() < give_up && !state_.processes.lost()) {
      state_.clock.run_errand();
      if (!reports_.receive(ignored)) backoff.nap();
    }
  } catch (const Error& failed) {  // the run had been stopped before, which is why it ends
    log::warn("while the run ends: {}", failed.what());
    return false;
  }
  return state_.running.empty();
}

void LiveEngine::end_cell() {
  ensure(state_.running.empty(), "a cell ends while attempts are running");
  for (int rank = 1; rank < state_.world.mpi().size(); ++rank) state_.mailbox.send(rank, EndCell{});
}

}  // namespace mimus::emulator
