// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "base/shared_memory.hpp"
#include "kernels/pacing/pace_clock.hpp"

namespace mimus::kernels {

using std::chrono::milliseconds;
using std::chrono::seconds;
inline constexpr int kMembers = 3;
/// Longer than any test takes; the wall clock may have begun with the machine, seconds ago.
inline constexpr Duration kAge = seconds{5};

struct PaceClockTest : testing::Test {
  SharedMemory memory = SharedMemory::anonymous(PaceClock::bytes_needed(kMembers));
  PaceClock first = clock(0);
  PaceClock second = clock(1);
  PaceClock third = clock(2);

  [[nodiscard]] PaceClock clock(int own, PaceClock::Kind kind = PaceClock::Kind::waiting) const {
    const std::span bytes(static_cast<std::byte*>(memory.data()), memory.size());
    return {kind, bytes, kMembers, own};
  }
};

}  // namespace mimus::kernels
