// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/host/decision_board.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace mimus::emulator {
namespace {

using Word = std::atomic<std::int64_t>;

constexpr int kNumberBits = 20;

std::int64_t ns(WallInstant instant) {
  return instant.time_since_epoch().count();
}

void raise(Word& word, std::int64_t value) {
  std::int64_t before = word.load();
  while (before < value && !word.compare_exchange_weak(before, value)) continue;
}

}  // namespace

std::size_t DecisionBoard::bytes_needed(int ranks) {
  return sizeof(Shared) + static_cast<std::size_t>(ranks) * sizeof(Word);
}

DecisionBoard::DecisionBoard(std::span<std::byte> memory, int ranks, bool away) : away_(away) {
  ensure(memory.size() >= bytes_needed(ranks), "the memory of the decision board is too small");
  void* begin = memory.data();
  shared_ = static_cast<Shared*>(begin);
  void* behind = shared_ + 1;
  commands_ = {static_cast<Word*>(behind), static_cast<std::size_t>(ranks)};
}

void DecisionBoard::reset() noexcept {
  shared_->until_ns = 0;
  for (Word& command : commands_) command = 0;
}

void DecisionBoard::open_from(WallInstant at) noexcept {
  shared_->until_ns = ns(at);
}

void DecisionBoard::reopen_from(WallInstant at) noexcept {
  shared_->until_ns = std::min(shared_->until_ns.load(), ns(at));
}

WallInstant DecisionBoard::open_from() const {
  return WallInstant{Duration{shared_->until_ns.load()}};
}

void DecisionBoard::sent(int rank, std::int64_t attempt, std::int64_t number) noexcept {
  commands_[static_cast<std::size_t>(rank)] = (attempt << kNumberBits) + number;
}

std::int64_t DecisionBoard::last_command(int rank) const {
  return commands_[static_cast<std::size_t>(rank)];
}

void DecisionBoard::follow_command(int rank, std::int64_t last_command) noexcept {
  raise(commands_[static_cast<std::size_t>(rank)], last_command);
}

void DecisionBoard::follow(WallInstant settled) noexcept {
  raise(shared_->until_ns, ns(settled));
}

/// The order of reading matters: rank 0 reopens the board before a message that it has read stops
/// holding the least promise.
WallInstant DecisionBoard::settled(const kernels::PaceClock& clock) const {
  if (away_) return open_from();
  const WallInstant told = clock.told_until();
  return std::min(told, open_from());
}

std::int64_t DecisionBoard::commands_to(int rank, std::int64_t attempt) const {
  const std::int64_t last = last_command(rank);
  const std::int64_t number = last - (attempt << kNumberBits);
  return last >> kNumberBits == attempt ? number : 0;
}

}  // namespace mimus::emulator
