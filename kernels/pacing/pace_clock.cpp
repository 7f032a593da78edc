// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/pace_clock.hpp"

#include <algorithm>
#include <thread>

#include "base/error.hpp"

namespace mimus::kernels {
namespace {

constexpr std::int64_t kNoPromise = PaceClock::kWallEnd;
/// A clock that is held goes on when a member does. Frequent looks would take that member's core.
constexpr Duration kHeldNap = std::chrono::microseconds{100};
/// The same for a clock that is usually held, and for parts of the time to a wake-up.
constexpr Duration kUnboundNap = std::chrono::microseconds{50};
constexpr int kLooksOfUnbound = 16;
/// A rank that polls for messages sleeps no longer than this, whatever the clock does.
constexpr Duration kLongestWaitForPace = std::chrono::milliseconds{2};
/// A process that was stopped itself did not see whether the clock stood still meanwhile.
constexpr Duration kLongestLook = std::chrono::milliseconds{100};

std::int64_t ns(WallInstant instant) {
  return instant.time_since_epoch().count();
}

}  // namespace

std::size_t PaceClock::bytes_needed(int members) {
  return sizeof(Shared) + static_cast<std::size_t>(members) * sizeof(Member);
}

PaceClock::PaceClock(Kind kind, std::span<std::byte> memory, int members, int own, bool away)
    : kind_(kind), own_(own), away_(away) {
  ensure(memory.size() >= bytes_needed(members), "a clock's memory is too small");
  void* begin = memory.data();
  shared_ = static_cast<Shared*>(begin);
  void* behind = shared_ + 1;
  members_ = {static_cast<Member*>(behind), static_cast<std::size_t>(members)};
}

void PaceClock::reset(Duration offset) noexcept {
  if (!waits()) return;
  std::int64_t now = ns(wall_now() + offset);
  // A member that is about to leave may still promise an instant ahead of the wall clock.
  if (kind_ == Kind::unbound) now = std::max(now, shared_->state_ns.load());
  shared_->state_ns = kind_ == Kind::unbound ? now : -offset.count();
  shared_->ceiling_ns = away_ ? now : 0;
  for (Member& member : members_) {
    member.promised = 0;
    member.assigned = 0;
    member.taken_up = 0;
    member.takes = 0;
    member.told = 0;
    member.heard = 0;
    member.dead = 0;
  }
}

WallInstant PaceClock::now() {
  if (!waits()) return wall_now();
  watch(WallInstant{Duration{kind_ == Kind::unbound ? unbound_now() : waiting_now()}});
  return last_;
}

std::int64_t PaceClock::promise_of(const Member& member) const {
  std::int64_t least = kNoPromise;
  const std::int64_t promised = member.promised.load(std::memory_order_acquire);
  if (promised != 0) least = promised;
  const std::int64_t assigned = member.assigned.load(std::memory_order_acquire);
  if (assigned > member.taken_up.load(std::memory_order_acquire)) least = std::min(least, assigned);
  // On other hosts than member 0's it is not noted here that member 0 has read a message. Member
  // 0 counts those messages itself.
  const std::int64_t told = away_ ? 0 : member.told.load(std::memory_order_acquire);
  if (told > member.heard.load(std::memory_order_acquire)) {
    least = std::min(least, member.told_at.load(std::memory_order_acquire));
  }
  return least;
}

std::int64_t PaceClock::least_promise() const {
  std::int64_t least = kNoPromise;
  for (const Member& member : members_) least = std::min(least, promise_of(member));
  return least;
}

std::int64_t PaceClock::limit() const {
  const std::int64_t least = least_promise();
  const std::int64_t members = least == kNoPromise ? least : least + kWindow.count();
  const std::int64_t hosts = shared_->ceiling_ns.load(std::memory_order_acquire);
  return hosts == 0 ? members : std::min(members, hosts);
}

/// The wall clock minus the time for which the clock was held. Holds it more if it would pass the
/// limit.
std::int64_t PaceClock::waiting_now() {
  while (true) {
    std::int64_t behind = shared_->state_ns.load(std::memory_order_acquire);
    const std::int64_t wall = ns(wall_now());
    const std::int64_t most = limit();
    held_ = wall - behind > most;
    if (held_) {
      if (shared_->state_ns.compare_exchange_weak(behind, wall - most)) return most;
    } else if (shared_->state_ns.load(std::memory_order_acquire) == behind) {
      return wall - behind;
    }
  }
}

/// As far as the members' promises allow. Unchanged while no member works.
std::int64_t PaceClock::unbound_now() {
  held_ = true;
  std::int64_t now = shared_->state_ns.load(std::memory_order_acquire);
  const std::int64_t most = limit();
  if (most == kNoPromise) return now;
  while (now < most && !shared_->state_ns.compare_exchange_weak(now, most)) continue;
  return std::max(now, most);
}

void PaceClock::watch(WallInstant value) {
  const WallInstant wall = wall_now();
  const bool moves = value > last_ || looked_ == WallInstant{};
  stuck_ = moves ? Duration{} : stuck_ + std::min(wall - looked_, kLongestLook);
  looked_ = wall;
  last_ = std::max(last_, value);
}

void PaceClock::nap_until(WallInstant wake, WallInstant promised) {
  if (kind_ == Kind::wall) {
    std::this_thread::sleep_until(wake);
    return;
  }
  // A member with work to do at once is behind. What it promised before stays, unless that was even
  // earlier. The clock may be ahead of both.
  const std::int64_t before = members_[static_cast<std::size_t>(own_)].promised.load();
  if (promised > last_ || (before != 0 && ns(promised) > before)) promise(promised);
  run_errand();
  if (wake <= last_ || (kind_ == Kind::unbound && limit() >= ns(wake))) return;
  sleep(nap_for(wake - last_));
}

void PaceClock::nap_for_message(WallInstant wake) {
  if (kind_ != Kind::unbound) {
    nap_until(wake);
    return;
  }
  const WallInstant until = std::min(wake, last_ + kLongestWaitForPace);
  if (until <= last_) return;
  // Otherwise the window would let the clock go further than the wall clock meanwhile.
  const std::int64_t before = members_[static_cast<std::size_t>(own_)].promised.load();
  if (ns(until - kWindow) > before) promise(until - kWindow);
  run_errand();
  sleep(until - last_);
}

void PaceClock::run_errand() {
  longest_nap_ = errand_ ? errand_() : kLongestWaitForPace;
}

/// Sleeps for `length` after the last look at the clock.
void PaceClock::sleep(Duration length) const {
  std::this_thread::sleep_until(looked_ + std::min(length, longest_nap_));
}

/// The nap of a rank that wakes when the clock has advanced by `ahead`.
Duration PaceClock::nap_for(Duration ahead) const {
  // The speed of an unbound clock is not known, so several looks approach the wake-up.
  if (kind_ == Kind::unbound)
    ahead = std::max(ahead / kLooksOfUnbound, kUnboundNap);
  else if (held_)
    ahead = std::max(ahead, kHeldNap);
  if (held_) ahead = std::max(ahead, stuck_ / 4);
  return std::min(ahead, kLongestWaitForPace);
}

void PaceClock::promise(WallInstant instant) noexcept {
  if (waits()) members_[static_cast<std::size_t>(own_)].promised.store(ns(instant));
}

void PaceClock::leave() noexcept {
  promise(WallInstant{});
}

void PaceClock::assign(int member, WallInstant at) noexcept {
  if (waits()) members_[static_cast<std::size_t>(member)].assigned.store(ns(at));
}

void PaceClock::take_up(WallInstant at) noexcept {
  if (!waits()) return;
  promise(at);
  Member& own = members_[static_cast<std::size_t>(own_)];
  own.taken_up.store(ns(at));
  ++own.takes;
}

void PaceClock::tell(WallInstant at) noexcept {
  if (!waits()) return;
  Member& own = members_[static_cast<std::size_t>(own_)];
  if (own.told <= own.heard) own.told_at.store(ns(at));
  ++own.told;
}

void PaceClock::heard(int member) noexcept {
  if (waits()) ++members_[static_cast<std::size_t>(member)].heard;
}

/// The order of reading matters. A member that takes up work holds the clock before it counts the
/// work as taken up, and it counts a message before its own promise moves on.
PaceClock::Report PaceClock::report() const {
  Report report;
  for (const Member& member : members_) {
    if (member.dead == 0) report.taken_up += member.takes.load();
  }
  report.least_ns = least_promise();
  for (const Member& member : members_) {
    if (member.dead == 0) report.told += member.told.load();
  }
  return report;
}

WallInstant PaceClock::least_of_workers() const {
  std::int64_t least = kNoPromise;
  for (const Member& member : members_.subspan(1)) least = std::min(least, promise_of(member));
  return least == kNoPromise ? WallInstant::max() : WallInstant{Duration{least}};
}

void PaceClock::follow(WallInstant ceiling, WallInstant now) noexcept {
  if (!waits()) return;
  // Answers to several members may be read in another order than they were sent.
  std::int64_t most = shared_->ceiling_ns.load();
  while (most < ns(ceiling) && !shared_->ceiling_ns.compare_exchange_weak(most, ns(ceiling))) {
    continue;
  }
  if (kind_ != Kind::waiting) return;
  // If this host was held more than member 0's host, it is set to that host's time. Members still
  // hold it.
  std::int64_t behind = shared_->state_ns.load();
  const std::int64_t least = ns(wall_now()) - std::min(ns(now), limit());
  while (behind > least && !shared_->state_ns.compare_exchange_weak(behind, least)) continue;
}

void PaceClock::set_ceiling(WallInstant ceiling) noexcept {
  if (waits()) shared_->ceiling_ns.store(ns(ceiling), std::memory_order_release);
}

void PaceClock::settle(int member) noexcept {
  if (!waits()) return;
  Member& other = members_[static_cast<std::size_t>(member)];
  other.taken_up.store(other.assigned.load());
}

bool PaceClock::claim_report(Duration interval) noexcept {
  if (!waits()) return false;
  const std::int64_t wall = ns(wall_now());
  std::int64_t last = shared_->reported_ns.load();
  return wall - last >= interval.count() &&
         shared_->reported_ns.compare_exchange_strong(last, wall);
}

void PaceClock::forget(int member) noexcept {
  if (!waits()) return;
  Member& one = members_[static_cast<std::size_t>(member)];
  one.dead.store(1);
  one.taken_up.store(one.assigned.load());
  one.heard.store(one.told.load());
  one.promised.store(0);
}

Duration PaceClock::held() const {
  if (kind_ != Kind::waiting) return {};
  return Duration{shared_->state_ns.load(std::memory_order_acquire)};
}

std::optional<int> PaceClock::slowest() const {
  const auto found = std::min_element(members_.begin(), members_.end(), [this](auto& a, auto& b) {
    return promise_of(a) < promise_of(b);
  });
  if (found == members_.end() || promise_of(*found) == kNoPromise) return std::nullopt;
  return static_cast<int>(found - members_.begin());
}

}  // namespace mimus::kernels
