// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/attempt_watch.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

constexpr Duration kPollInterval = std::chrono::milliseconds{1};

}  // namespace

void AttemptWatch::wait_until(WallInstant until, Stage stage) {
  due_ = until;
  for (WallInstant now = context_.clock.now(); now < until; now = context_.clock.now()) {
    poll(now, stage);
    context_.clock.nap_until(std::min(until, now + kLongestNap), until);
  }
}

void AttemptWatch::wait_for_command() {
  Backoff backoff(std::chrono::microseconds{50}, kLongestNap);
  for (; commands_.peek() == nullptr; backoff.nap()) {
    context_.clock.run_errand();
    look(context_.clock.now(), Stage::suspended);
  }
}

bool AttemptWatch::look(WallInstant now, Stage stage) {
  context_.set_stage(stage);
  const WallInstant wall = wall_now();
  // By both clocks, because an unbound pace clock may run faster than the wall clock.
  if (wall - last_poll_ < kPollInterval && now - polled_at_ < kPollInterval) return false;
  last_poll_ = wall;
  polled_at_ = now;
  context_.look_around();
  take_messages();
  if (is_to_leave()) throw AbandonedError();
  if (leads_ && wall - last_alive_ > context_.cell.engine.stage_timeout / 2) {
    context_.mailbox.send(0, AttemptAlive{message_.attempt});
    last_alive_ = wall;
  }
  return true;
}

bool AttemptWatch::is_to_leave() const {
  const WorkerLosses& losses = context_.losses;
  if (!losses.is_abandoned(message_.attempt)) return false;
  return !together_ || !losses.is_cut_off(message_.attempt);
}

void AttemptWatch::poll(WallInstant now, Stage stage) {
  if (now <= due_) in_time_ = wall_now();
  if (!look(now, stage)) return;
  const WallInstant wall = wall_now();
  const Duration limit = context_.cell.engine.stage_timeout;
  const Duration waited = std::max(std::min(now - due_, wall - in_time_), context_.clock.stuck());
  if (waited <= limit) return;
  throw TimeoutError(
      name(stage), waited,
      fmt::format(
          "attempt {} of job {} ({}) makes no progress{}; a member of its gang may be gone, or the "
          "host may be too busy: raise engine.stage_timeout or lower engine.host_load",
          message_.attempt, message_.job, message_.model, clock_text()));
}

/// Names the rank that the clock waits for if it stands still.
std::string AttemptWatch::clock_text() const {
  const auto slowest = context_.clock.slowest();
  if (context_.clock.stuck() == Duration{} || !slowest) return "";
  return fmt::format("; the emulated clock waits for rank {}", *slowest);
}

/// The end of the run is also left to the worker. Rank 0 sends it when every attempt has ended, and
/// a member that is late only has to leave its own attempt.
void AttemptWatch::take_messages() {
  while (auto envelope = context_.mailbox.poll()) {
    if (context_.take(*envelope)) continue;
    if (!GangCommands::is_one(envelope->kind)) {
      context_.inbox.push_back(*envelope);
    } else if (!commands_.take(*envelope)) {
      context_.early.push_back(*envelope);
    }
  }
}

}  // namespace mimus::emulator
