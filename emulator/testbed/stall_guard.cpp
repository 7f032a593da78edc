// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/stall_guard.hpp"

#include <algorithm>

namespace mimus::emulator {
namespace {

constexpr std::size_t kIntervals = 10;

std::size_t interval(std::size_t jobs) {
  constexpr std::size_t kLeast = 100;
  constexpr std::size_t kPerJob = 10;
  return std::max(kLeast, kPerJob * jobs);
}

}  // namespace

std::size_t StallGuard::patience(std::size_t jobs) {
  return kIntervals * interval(jobs);
}

bool StallGuard::ended_without_gain(AttemptId attempt, std::size_t running, std::size_t jobs) {
  if (ended_ == 0) {
    latest_before_ = latest_;
    left_from_before_ = running;
  } else if (attempt <= latest_before_) {
    --left_from_before_;
  }
  if (++ended_ < interval(jobs)) return false;
  ended_ = 0;
  intervals_ = left_from_before_ == 0 ? intervals_ + 1 : 0;
  return intervals_ >= kIntervals;
}

}  // namespace mimus::emulator
