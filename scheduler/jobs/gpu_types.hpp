// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mimus::scheduler {

/// A set of GPU types: bit k stands for the type that the cluster gives number k.
using GpuTypes = std::uint64_t;
inline constexpr GpuTypes kAllTypes = ~GpuTypes{0};
inline constexpr int kMostTypes = 64;
inline constexpr int kAnyType = -1;
inline constexpr int kOnlyType = 0;  ///< of a cluster with one GPU type

[[nodiscard]] inline bool has_type(GpuTypes types, int type) {
  return (types >> static_cast<unsigned>(type) & 1U) != 0;
}
[[nodiscard]] inline GpuTypes only_type(int type) {
  return GpuTypes{1} << static_cast<unsigned>(type);
}

}  // namespace mimus::scheduler
