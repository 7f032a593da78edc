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
      clock_(world.host().clock(cell_.clock())),
      index_(index),
      sink_(sink),
      survives_(survives_losses(cell_.engine)),
      ledger_(world.host().ledger_memory(), world.shape().gpus, cell_.cluster.shape.gpu_memory),
      links_(world.host().links()),
      turns_(world.host().turns()) {
  reset_clock();
  links_.reset();
  turns_.reset();
  remember_losses();
  const BeginCell begin{
      .cell = index, .work_scale = cell_.work_scale, .checkpoint_dir = cell_.checkpoint_dir};
  for (int rank = 1; rank < world_.mpi().size(); ++rank) mailbox_.send(rank, begin);
  devices_.resize(static_cast<std::size_t>(world_.mpi().size()));
  await_workers();
}

void LiveEngine::begin_clock() {
  wall_epoch_ = wall_now();
  cell_.epoch = clock_.now();
  clock_.promise(cell_.epoch);
  const BeginClock begin{.epoch_ns = cell_.epoch.time_since_epoch().count()};
  for (int rank = 1; rank < world_.mpi().size(); ++rank) mailbox_.send(rank, begin);
  for (const auto& [rank, sample] : std::exchange(early_samples_, {})) take_sample(sample);
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
  heed_stop_signal();
  if (survives_) watch(wall_now());
  const Duration waited = wall_now() - asked;
  if (waited > cell_.engine.stage_timeout) {
    throw TimeoutError(stage, waited, detail + stopped_workers());
  }
  backoff.nap();
}

void LiveEngine::take_early(const Envelope& envelope) {
  heard_from(envelope);
  if (envelope.kind == MessageKind::cell_ready) {
    take_ready(envelope);
    awaited_.erase(envelope.source);
  }
  if (envelope.kind == MessageKind::device_sample) early_samples_[envelope.source] = envelope;
  if (envelope.kind == MessageKind::worker_failed) (void)translate(envelope);
}

void LiveEngine::take_ready(const Envelope& envelope) {
  const auto message = decode<CellReady>(envelope.bytes);
  devices_[static_cast<std::size_t>(envelope.source)] = message.device;
  gpus_per_device_ = std::max(gpus_per_device_, static_cast<int>(message.gpus_per_device));
  if (mps_.empty() || mps_ == "active") mps_ = message.mps.empty() ? mps_ : message.mps;
  if (message.samples) sampling_.push_back(envelope.source);
  if (!message.samples_missing.empty()) samples_missing_.insert(message.samples_missing);
}

bool LiveEngine::take_sample(const Envelope& envelope) {
  const auto message = decode<DeviceSampleMessage>(envelope.bytes);
  if (message.cell != index_) return false;  // the last one of the cell before
  sink_.take(message, cell_.emulated(WallInstant{Duration{message.time_ns}}));
  return message.was_asked_for;
}

Instant LiveEngine::now() const {
  return std::max(last_event_, clock_now());
}

void LiveEngine::start(const Attempt& attempt) {
  StartMessage message = start_message(attempt);
  const WallInstant at = begin_at();
  message.at_ns = at.time_since_epoch().count();
  Running& running = running_[attempt.id] = running_of(attempt);
  if (is_lost(attempt.allocation)) {
    losing_[attempt.id].detail = "one of its GPUs is lost";
    return end_abandoned();
  }
  hold_clock_for(attempt.allocation.slots, at);
  for (const int rank : running.members) mailbox_.send(rank, message);
  remember_members(attempt.id, running);
}

void LiveEngine::stop(AttemptId attempt) {
  command(attempt, StopMessage{.checkpoint = true});
}

void LiveEngine::retune(AttemptId attempt, const scheduler::BatchPlan& batch) {
  command(attempt, RetuneMessage{.batch = batch});
}

Instant LiveEngine::next(Instant deadline, std::vector<TimedEvent>& happened) {
  Duration length = kFirstNap;
  while (true) {
    heed_stop_signal();
    const bool passed = now() >= deadline && cell_.local(deadline) <= heard_.first();
    if (passed && due_.empty() && can_nothing_come_before(cell_.local(deadline))) {
      return reached(deadline);
    }
    if (receive(happened)) return last_event_;
    watch(wall_now());
    if (!due_.empty()) continue;
    if (deadline == kNever && running_.empty()) nothing_left_to_happen();
    nap(deadline, length);
    length = std::min(kLongestNap, length * 3 / 2);
  }
}

void LiveEngine::watch(WallInstant wall) {
  if (wall - last_watch_ < kWatchInterval) return;
  last_watch_ = wall;
  let_clock_go_of_dead();
  look_for_losses();
  watch_joiners();
  // The workers give up first and say why; rank 0 only has to notice when none of them can.
  const Duration patience = 2 * cell_.engine.stage_timeout;
  for (const auto& [id, running] : running_) {
    const Duration silent = wall - running.last_heard;
    if (silent <= patience || losing_.contains(id)) continue;
    const int lead = rank_of(running.allocation.slots.front().lane);
    throw TimeoutError("training", silent,
                       fmt::format("attempt {} is silent; its lead is {}{}", id.value(),
                                   world_.where_is(lead), stopped_workers()));
  }
}

void LiveEngine::collect_samples(Duration patience) {
  ensure(running_.empty(), "devices are sampled for the last time while attempts are running");
  for (const int rank : sampling_) mailbox_.send(rank, SampleDevices{});
  std::size_t awaited = sampling_.size();
  const WallInstant give_up = wall_now() + patience;
  Backoff backoff(kFirstNap, kLongestNap);
  while (awaited > 0 && wall_now() < give_up) {
    const auto envelope = mailbox_.poll();
    if (!envelope) {
      backoff.nap();
    } else if (envelope->kind == MessageKind::device_sample) {
      if (take_sample(*envelope)) --awaited;
    } else {
      heard_from(*envelope);
      (void)translate(*envelope);
    }
  }
}

bool LiveEngine::wind_down(Duration patience) {
  winding_down_ = true;
  clock_.leave();
  for (auto& [id, running] : running_) command(id, StopMessage{.checkpoint = false});
  const WallInstant give_up = wall_now() + patience;
  Backoff backoff(kFirstNap, kLongestNap);
  std::vector<TimedEvent> ignored;
  try {
    while (!running_.empty() && wall_now() < give_up && !lost_worker()) {
      clock_.run_errand();
      if (!receive(ignored)) backoff.nap();
    }
  } catch (const Error& failed) {  // the run was stopped before: that is why it ends
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
