// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace mimus::kernels {

[[nodiscard]] constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// The largest power of two that is at most `value`; `most` if `value` is not below it.
[[nodiscard]] constexpr int power_below(std::int64_t value, int most) {
  if (value >= most) return most;
  return static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(value)));
}

}  // namespace mimus::kernels
