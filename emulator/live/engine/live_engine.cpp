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
constexpr Duration kWatchInterval = std::chrono::milliseconds{200};

}  // namespace

LiveEngine::LiveEngine(const LiveWorld& world, Mailbox& mailbox, LiveCell cell, int index,
                       DeviceSink& sink)
    : world_(world),
      mailbox_(mailbox),
      cell_(std::move(cell)),
      clock_(world, cell_, index),
      devices_(cell_, index, world.mpi().size(), sink),
      processes_(world, mailbox, cell_.engine),
      running_(mailbox),
      resizes_(world, mailbox, cell_, running_),
      abandoned_(world, mailbox, cell_.engine.stage_timeout / 2),
      lost_gpus_(world, mailbox, cell_),
      outages_(cell_.cluster, cell_.seed) {
  for (const auto& [rank, what] : mailbox_.lost()) {  // lost in earlier cells or since the last one
    clock_.lost_before(rank);
    lose_gpu_of(rank, what);
  }
  const BeginCell begin{
      .cell = index, .work_scale = cell_.work_scale, .checkpoint_dir = cell_.checkpoint_dir};
  for (int rank = 1; rank < world_.mpi().size(); ++rank) mailbox_.send(rank, begin);
  await_workers();
}

void LiveEngine::begin_clock() {
  cell_.epoch = clock_.begin();
  const BeginClock begin{.epoch_ns = cell_.epoch.time_since_epoch().count()};
  for (int rank = 1; rank < world_.mpi().size(); ++rank) mailbox_.send(rank, begin);
  devices_.take_early();
}

void LiveEngine::await_workers() {
  const WallInstant asked = wall_now();
  for (int rank = 1; rank < world_.mpi().size(); ++rank) {
    if (!mailbox_.is_lost(rank)) awaited_.insert(rank);
  }
  const std::size_t all = awaited_.size();
  Backoff backoff(kFirstNap, kLongestNap);
  while (!awaited_.empty()) {
    if (const auto envelope = mailbox_.poll()) {
      take_early(*envelope);
    } else {
      await_more(asked, "cell set-up",
                 fmt::format("{} of {} workers are ready", all - awaited_.size(), all), backoff);
    }
  }
}

Envelope LiveEngine::await(MessageKind kind, WallInstant asked, std::string_view stage,
                           const std::string& detail) {
  Backoff backoff(kFirstNap, kLongestNap);
  while (true) {
    if (auto envelope = mailbox_.poll()) {
      if (envelope->kind == kind) return std::move(*envelope);
      take_early(*envelope);
    } else {
      await_more(asked, stage, detail, backoff);
    }
  }
}

void LiveEngine::await_more(WallInstant asked, std::string_view stage, const std::string& detail,
                            Backoff& backoff) {
  processes_.throw_if_stopped();
  if (processes_.survives()) watch(wall_now());
  const Duration waited = wall_now() - asked;
  if (waited > cell_.engine.stage_timeout) {
    throw TimeoutError(stage, waited, detail + processes_.stopped());
  }
  backoff.nap();
}

void LiveEngine::take_early(const Envelope& envelope) {
  heard_from(envelope);
  if (envelope.kind == MessageKind::cell_ready) {
    devices_.take_ready(envelope);
    awaited_.erase(envelope.source);
  }
  if (envelope.kind == MessageKind::device_sample) devices_.keep_early(envelope);
  if (envelope.kind == MessageKind::worker_failed) (void)translate(envelope);
}

void LiveEngine::start(const Attempt& attempt) {
  check_limits(attempt.limits);
  StartMessage message = start_message(attempt);
  const WallInstant at = clock_.begin_at();
  message.at_ns = at.time_since_epoch().count();
  message.cut_ns = cut_of(attempt);
  const RunningAttempt& running = running_.add(attempt.id, RunningAttempt(attempt));
  if (lost_gpus_.includes_any_of(attempt.allocation)) {
    abandoned_.add_left(attempt.id, "one of its GPUs is lost");
    return end_abandoned();
  }
  clock_.hold_for(attempt.allocation.slots, at);
  for (const int rank : running.members) mailbox_.send(rank, message);
  abandoned_.joined(attempt.id, running);
}

void LiveEngine::stop(AttemptId attempt) {
  running_.command(attempt, StopMessage{.checkpoint = true, .at_ns = wake(attempt)});
}

void LiveEngine::limit(AttemptId attempt, const scheduler::DeviceLimits& limits) {
  check_limits(limits);
  running_.command(attempt, LimitMessage{.limits = limits});
}

void LiveEngine::read(AttemptId attempt, double samples_per_second) {
  running_.command(attempt, ReadMessage{.samples_per_second = samples_per_second});
}

void LiveEngine::check_limits(const scheduler::DeviceLimits& limits) const {
  const bool is_paced = cell_.paced() && !cell_.engine.on_cuda();
  if (is_paced || limits == scheduler::DeviceLimits{}) return;
  throw UsageError(fmt::format(
      "the planner limits the device {} of a job, which live runs do on paced emulated GPUs only; "
      "set engine.device to cpu and engine.pace to datasheet or a profile, or let it set no limits",
      limits.cap < 1.0 ? "time" : "memory"));
}

void LiveEngine::suspend(AttemptId attempt, scheduler::SuspendedMemory keeps) {
  if (keeps != scheduler::SuspendedMemory::all && cell_.engine.on_cuda()) {
    throw UsageError(fmt::format(
        "the planner suspends a job that is to keep {} of its device memory, which live runs do on "
        "emulated GPUs only; set engine.device to cpu or engine.kind to virtual, or let suspended "
        "jobs keep all",
        keeps == scheduler::SuspendedMemory::state ? "only the state" : "nothing"));
  }
  running_.command(attempt, SuspendMessage{.keeps = keeps});
}

void LiveEngine::resume(AttemptId attempt) {
  running_.command(attempt, ResumeMessage{.at_ns = wake(attempt)});
}

/// Lets the clock wait for the members of a suspended attempt, which are about to be told what to
/// do, and says from when on; 0 of an attempt that runs, or whose members are to leave it.
std::int64_t LiveEngine::wake(AttemptId attempt) {
  if (abandoned_.contains(attempt) || !running_.wakes(attempt)) return 0;
  const WallInstant at = clock_.begin_at();
  clock_.hold_for(running_.at(attempt).allocation.slots, at);
  return at.time_since_epoch().count();
}

void LiveEngine::retune(AttemptId attempt, const scheduler::BatchPlan& batch) {
  running_.command(attempt, RetuneMessage{.batch = batch});
}

void LiveEngine::resize(AttemptId from, const Attempt& to) {
  const RunningAttempt* running = running_.find(from);
  if (running == nullptr || abandoned_.contains(from)) return;
  const WallInstant at = clock_.begin_at();
  const std::span<const scheduler::Slot> slots(to.allocation.slots);
  const bool moves = is_move(running->allocation, to.allocation);
  const std::size_t staying = moves ? 0 : std::min(running->allocation.slots.size(), slots.size());
  clock_.hold_for(slots.subspan(staying), at);
  resizes_.begin(from, to, {.at = at, .now = clock_.pace(), .cut_ns = cut_of(to)});
}

Instant LiveEngine::next(Instant deadline, std::vector<TimedEvent>& happened) {
  Duration length = kFirstNap;
  while (true) {
    processes_.throw_if_stopped();
    const Instant struck = next_strike(deadline);
    const Instant until = std::min(deadline, struck);
    const bool passed = now() >= until && cell_.local(until) <= heard_.first();
    if (passed && due_.empty() && can_nothing_come_before(cell_.local(until))) {
      if (until < struck) return clock_.reached(deadline);
      strike(clock_.reached(struck));
    }
    if (receive(happened, until)) return clock_.last();
    watch(wall_now());
    if (!due_.empty()) continue;
    if (until == kNever && running_.empty()) nothing_left_to_happen();
    clock_.nap(until, length, running_.empty());
    length = std::min(kLongestNap, length * 3 / 2);
  }
}

void LiveEngine::watch(WallInstant wall) {
  if (wall - last_watch_ < kWatchInterval) return;
  last_watch_ = wall;
  clock_.let_go_of_dead();
  look_for_losses();
  resizes_.watch(clock_.pace(), clock_.stuck());
  watch_silent(wall);
}

/// Workers give up first and say why. Rank 0 only has to notice if none of them can.
void LiveEngine::watch_silent(WallInstant wall) const {
  const Duration patience = 2 * cell_.engine.stage_timeout;
  for (const auto& [id, running] : running_) {
    const Duration silent = wall - running.last_heard;
    if (silent <= patience || abandoned_.contains(id)) continue;
    const int lead = rank_of(running.allocation.slots.front().lane);
    throw TimeoutError("training", silent,
                       fmt::format("attempt {} does not report; its lead is {}{}", id.value(),
                                   world_.where_is(lead), processes_.stopped()));
  }
}

void LiveEngine::nothing_left_to_happen() const {
  const int gpus = cell_.cluster.shape.gpus();
  throw Error(
      ExitCode::run_failed,
      fmt::format(
          "jobs wait, but no event is left: the policy starts none of them on the {} of {} GPUs "
          "that are left, and asks for no wake-up; \"mimus summary\" shows what they wait for",
          gpus - static_cast<int>(lost_gpus_.all().size()), gpus));
}

void LiveEngine::collect_samples(Duration patience) {
  ensure(running_.empty(), "devices are sampled for the last time while attempts are running");
  for (const int rank : devices_.sampling()) mailbox_.send(rank, SampleDevices{});
  std::size_t awaited = devices_.sampling().size();
  const WallInstant give_up = wall_now() + patience;
  Backoff backoff(kFirstNap, kLongestNap);
  while (awaited > 0 && wall_now() < give_up) {
    const auto envelope = mailbox_.poll();
    if (!envelope) {
      backoff.nap();
    } else if (envelope->kind == MessageKind::device_sample) {
      if (devices_.take_sample(*envelope)) --awaited;
    } else {
      heard_from(*envelope);
      (void)translate(*envelope);
    }
  }
}

bool LiveEngine::wind_down(Duration patience) {
  winding_down_ = true;
  clock_.leave();
  for (const auto& [id, running] : running_) {
    running_.command(id, StopMessage{.checkpoint = false, .at_ns = wake(id)});
  }
  const WallInstant give_up = wall_now() + patience;
  Backoff backoff(kFirstNap, kLongestNap);
  std::vector<TimedEvent> ignored;
  try {
    while (!running_.empty() && wall_now() < give_up && !processes_.lost()) {
      clock_.run_errand();
      if (!receive(ignored)) backoff.nap();
    }
  } catch (const Error& failed) {  // the run had been stopped before, which is why it ends
    log::warn("while the run ends: {}", failed.what());
    return false;
  }
  return running_.empty();
}

void LiveEngine::end_cell() {
  ensure(running_.empty(), "a cell ends while attempts are running");
  for (int rank = 1; rank < world_.mpi().size(); ++rank) mailbox_.send(rank, EndCell{});
}

}  // namespace mimus::emulator
