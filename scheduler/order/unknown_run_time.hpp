// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace mimus::scheduler {

/// Where jobs without an estimate of their run time stand.
enum class Unknown { first, last };

/// The `Rank::major` that puts a job there.
[[nodiscard]] constexpr std::int64_t major_of(Unknown unknown) {
  return unknown == Unknown::first ? 0 : std::numeric_limits<std::int64_t>::max();
}

}  // namespace mimus::scheduler
