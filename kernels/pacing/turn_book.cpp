// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/turn_book.hpp"

#include <algorithm>
#include <mutex>

#include "base/error.hpp"

namespace mimus::kernels {
namespace {

constexpr int kNobody = -1;

std::int64_t ns_of(WallInstant instant) {
  return instant.time_since_epoch().count();
}

WallInstant instant_of(std::int64_t ns) {
  return WallInstant{Duration{ns}};
}

}  // namespace

std::size_t TurnBook::bytes_needed(int gpus, int lanes) {
  return static_cast<std::size_t>(gpus) * sizeof(Gpu) +
         static_cast<std::size_t>(lanes) * sizeof(Lane);
}

TurnBook::TurnBook(std::span<std::byte> memory, int gpus, int lanes) {
  ensure(memory.size() >= bytes_needed(gpus, lanes), "a book of turns is too small");
  void* begin = memory.data();
  gpus_ = {static_cast<Gpu*>(begin), static_cast<std::size_t>(gpus)};
  void* behind = gpus_.data() + gpus_.size();
  lanes_ = {static_cast<Lane*>(behind), static_cast<std::size_t>(lanes)};
}

void TurnBook::quiet_until(const TurnSeat& seat, WallInstant at) noexcept {
  SharedLock lock(gpu(seat.gpu).lock);
  const std::lock_guard guard(lock);
  Lane& own = lane(seat.lane);
  if (own.taken == 0) own = Lane{};
  own.taken = 1;
  own.gpu = seat.gpu;
  own.quiet = std::max(own.quiet, ns_of(at));
}

void TurnBook::leave(const TurnSeat& seat) noexcept {
  SharedLock lock(gpu(seat.gpu).lock);
  const std::lock_guard guard(lock);
  lane(seat.lane) = Lane{};
}

void TurnBook::ask(const TurnSeat& seat, const Request& request) noexcept {
  SharedLock lock(gpu(seat.gpu).lock);
  const std::lock_guard guard(lock);
  Lane& own = lane(seat.lane);
  own.taken = 1;
  own.gpu = seat.gpu;
  own.waits = 1;
  own.earliest = ns_of(request.earliest);
  own.slice = request.slice.count();
  own.first = request.first.count();
  own.switching = scale(request.slice, request.switching).count();
}

TurnBook::Turn TurnBook::look(const TurnSeat& seat) noexcept {
  SharedLock lock(gpu(seat.gpu).lock);
  const std::lock_guard guard(lock);
  settle(seat);
  const Lane& own = lane(seat.lane);
  if (own.waits == 0) return {true, instant_of(own.begin)};
  return {false, instant_of(std::max(own.earliest, gpu(seat.gpu).free_from))};
}

/// Grants each turn before which no other turn can still be requested.
void TurnBook::settle(const TurnSeat& seat) noexcept {
  while (true) {
    const int first = first_to_go(seat);
    if (first == kNobody || !may_go(seat, first)) return;
    grant(seat, first);
  }
}

int TurnBook::first_to_go(const TurnSeat& seat) const noexcept {
  int first = kNobody;
  for (int number = seat.first_lane; number < seat.first_lane + seat.lanes; ++number) {
    if (lane(number).waits == 0) continue;
    if (first == kNobody || lane(number).earliest < lane(first).earliest) first = number;
  }
  return first;
}

/// Whether all tenants that do not wait for a turn will ask only for turns later than `number`'s.
bool TurnBook::may_go(const TurnSeat& seat, int number) const noexcept {
  const std::int64_t earliest = lane(number).earliest;
  for (int other = seat.first_lane; other < seat.first_lane + seat.lanes; ++other) {
    const Lane& beside = lane(other);
    if (beside.taken == 0 || beside.waits != 0) continue;
    if (beside.quiet < earliest || (beside.quiet == earliest && other < number)) return false;
  }
  return true;
}

void TurnBook::grant(const TurnSeat& seat, int number) noexcept {
  std::int64_t& free_from = gpu(seat.gpu).free_from;
  Lane& one = lane(number);
  one.begin = one.earliest;
  if (free_from > one.earliest) one.begin = free_from + one.switching;
  free_from = one.begin + one.slice;
  one.quiet = std::max(one.quiet, one.begin + one.first);
  one.waits = 0;
}

void TurnBook::forget_gpu(int number) noexcept {
  SharedLock lock(gpu(number).lock);
  const std::lock_guard guard(lock);
  for (Lane& each : lanes_) {
    if (each.taken != 0 && each.gpu == number) each = Lane{};
  }
}

void TurnBook::reset() noexcept {
  for (Lane& each : lanes_) each = Lane{};
}

}  // namespace mimus::kernels
