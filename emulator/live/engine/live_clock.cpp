// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Rank 0's part in the clock that a live cell goes by: it holds the clock as any other member does,
// for workers that it has given something to do, and lets it go where nothing runs.
#include <algorithm>

#include "emulator/live/engine/live_engine.hpp"
#include "emulator/live/mpi/process_state.hpp"

namespace mimus::emulator {
namespace {

/// What happened so long ago on the clock of the pace has just been heard of.
constexpr Duration kJustNow = std::chrono::milliseconds{40};
/// Workers have told what happened so long before they promise to be. Those who work alone promise
/// to be not quite as much ahead of what they do.
constexpr Duration kHaveTold = std::chrono::milliseconds{12};
/// What rank 0 hears late happened at the instant that the message says, and so does what follows.
constexpr Duration kSlack = std::chrono::milliseconds{8};

}  // namespace

/// Rank 0 has got to what a worker reports of `at_ns`, or to now where nothing waits.
void LiveEngine::reached(std::int64_t at_ns) {
  Instant at = clock_now();
  if (clock_.waits()) at = std::min(at, cell_.emulated(WallInstant{Duration{at_ns}}));
  last_event_ = std::max(last_event_, at);
}

Instant LiveEngine::reached(Instant deadline) {
  last_event_ = clock_.waits() ? std::max(last_event_, deadline) : now();
  return last_event_;
}

/// What is started now begins when the event happened that it follows from.
WallInstant LiveEngine::begin_at() const {
  const WallInstant now = clock_.now();
  const WallInstant event = cell_.local(last_event_);
  return clock_.waits() && now - event <= kJustNow ? event : now;
}

/// Whether all has been heard that has happened before `at`. A run that is about to end does not
/// care, nor one that loses workers: those tell nothing more.
bool LiveEngine::can_nothing_come_before(WallInstant at) const {
  if (!clock_.waits() || winding_down_ || !losing_.empty()) return true;
  WallInstant least = clock_.least_of_others();
  if (hosts_) least = std::min(least, hosts_->least_of_others());
  return least == WallInstant::max() || least - kHaveTold >= at;
}

/// Until the workers of `slots` take up what they are sent.
void LiveEngine::hold_clock_for(std::span<const scheduler::Slot> slots, WallInstant at) {
  for (const auto& slot : slots) {
    clock_.assign(rank_of(slot.lane), at);
    if (hosts_) hosts_->given(rank_of(slot.lane));
  }
}

void LiveEngine::reset_clock() {
  clock_.reset();
  if (!world_.host().is_one_of_several() || !clock_.waits()) return;
  hosts_.emplace(world_.mpi(), world_.host(), clock_, index_);
  clock_.set_errand([this] { return hosts_->exchange(); });
}

/// The clock does not wait any longer for this message to be read.
void LiveEngine::heard(int rank) {
  clock_.heard(rank);
  if (hosts_) hosts_->heard(rank);
}

/// A process that has died keeps what it promised.
void LiveEngine::let_clock_go_of_dead() {
  const auto slowest = clock_.slowest();
  if (clock_.stuck() == Duration{} || !slowest) return;
  const auto& status = world_.host().statuses()[static_cast<std::size_t>(*slowest)];
  if (status.pid != 0 && is_gone(status.pid)) clock_.forget(*slowest);
}

/// Until a message may have come, and not beyond `deadline`. The clock waits for rank 0 as long as
/// messages are to come.
void LiveEngine::nap(Instant deadline, Duration length) {
  const WallInstant now = clock_.now();
  const WallInstant due = deadline == kNever ? WallInstant::max() : cell_.local(deadline);
  // Past its time it waits for what may have happened before.
  const WallInstant wake = due <= now ? now + length : std::min(due, now + length);
  const bool quiet = running_.empty() && deadline != kNever && due > now;
  clock_.nap_until(wake, quiet ? due : wake + kSlack);
}

}  // namespace mimus::emulator
