// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/engine_clock.hpp"

#include <algorithm>

#include "emulator/live/mpi/process_state.hpp"

namespace mimus::emulator {
namespace {

/// Age on the pace clock at which news of an event may only just have reached rank 0.
constexpr Duration kJustNow = std::chrono::milliseconds{40};
/// How late rank 0 may look. An event, and what follows from it, happens at the instant in its
/// message.
constexpr Duration kSlack = std::chrono::milliseconds{8};

}  // namespace

EngineClock::EngineClock(const LiveWorld& world, const LiveCell& cell, int index)
    : world_(world),
      cell_(cell),
      clock_(world.host().clock(cell.clock())),
      decisions_(world.host().decisions()) {
  clock_.reset();
  decisions_.reset();
  if (!world_.host().is_one_of_several() || !clock_.waits()) return;
  hosts_.emplace(world_.mpi(), world_.host(), clock_, index);
  clock_.set_errand([this] { return hosts_->exchange(); });
}

WallInstant EngineClock::begin() {
  wall_epoch_ = wall_now();
  const WallInstant epoch = clock_.now();
  clock_.promise(epoch);
  return epoch;
}

/// Emulated time stands still before it begins. A worker may die while others prepare for the cell.
Instant EngineClock::now() const {
  if (wall_epoch_ == WallInstant{}) return last_event_;
  return std::max(last_event_, cell_.emulated(clock_.now()));
}

/// If the clock waits, the event has its own instant, even if rank 0's host is a little behind the
/// worker's.
void EngineClock::reached(std::int64_t at_ns) {
  const WallInstant at = clock_.waits() ? WallInstant{Duration{at_ns}} : clock_.now();
  last_event_ = std::max(last_event_, cell_.emulated(at));
}

Instant EngineClock::reached(Instant deadline) {
  last_event_ = clock_.waits() ? std::max(last_event_, deadline) : now();
  return last_event_;
}

WallInstant EngineClock::begin_at() const {
  const WallInstant now = clock_.now();
  const WallInstant event = cell_.local(last_event_);
  return clock_.waits() && now - event <= kJustNow ? event : now;
}

bool EngineClock::can_nothing_come_before(WallInstant at) const {
  if (!clock_.waits()) return true;
  WallInstant least = clock_.least_of_workers();
  if (hosts_) least = std::min(least, hosts_->least_of_others());
  return kernels::PaceClock::told_before(least) >= at;
}

void EngineClock::may_decide_from(WallInstant at) {
  decisions_.open_from(at);
}

void EngineClock::hold_for(std::span<const scheduler::Slot> slots, WallInstant at) {
  for (const auto& slot : slots) {
    clock_.assign(rank_of(slot.lane), at);
    if (hosts_) hosts_->given(rank_of(slot.lane));
  }
}

void EngineClock::heard(int rank, WallInstant at) {
  if (!left_) decisions_.reopen_from(at);
  clock_.heard(rank);
  if (hosts_) hosts_->heard(rank);
}

void EngineClock::lose(int rank) {
  clock_.forget(rank);
  lost_before(rank);
}

void EngineClock::lost_before(int rank) {
  if (hosts_) hosts_->lost(rank);
}

/// A process that has died no longer updates its promise, which must be dropped.
void EngineClock::let_go_of_dead() {
  const auto slowest = clock_.slowest();
  if (clock_.stuck() == Duration{} || !slowest) return;
  const auto& status = world_.host().statuses()[static_cast<std::size_t>(*slowest)];
  if (status.pid != 0 && is_gone(status.pid)) clock_.forget(*slowest);
}

void EngineClock::leave() {
  left_ = true;
  may_decide_from(WallInstant::max());
  clock_.leave();
}

void EngineClock::nap(Instant deadline, WallInstant event, Duration length, bool idle) {
  const WallInstant now = clock_.now();
  const WallInstant due = deadline == kNever ? WallInstant::max() : cell_.local(deadline);
  // A deadline that has passed waits for events that may have happened before it.
  const WallInstant wake = due <= now ? now + length : std::min(due, now + length);
  const bool quiet = idle && deadline != kNever && due > now;
  const WallInstant acts = kernels::PaceClock::told_by(std::min(due, event));
  clock_.nap_until(wake, quiet ? due : std::min(wake + kSlack, acts));
}

}  // namespace mimus::emulator
