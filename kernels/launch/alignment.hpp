// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mimus::kernels {

/// Tensors begin at multiples of this many bytes.
inline constexpr std::int64_t kTensorAlignment = 256;

[[nodiscard]] constexpr std::int64_t align_up(std::int64_t value,
                                              std::int64_t unit = kTensorAlignment) {
  return (value + unit - 1) / unit * unit;
}

[[nodiscard]] constexpr std::int64_t align_down(std::int64_t value,
                                                std::int64_t unit = kTensorAlignment) {
  return value / unit * unit;
}

}  // namespace mimus::kernels
