// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cuda_runtime.h>

namespace mimus::kernels::cuda {

/// The random numbers of a kernel: those of `seed` from counter `offset` on.
struct PhiloxPosition {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
};

/// Philox-4x32 with ten rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
/// SC 2011): 128 random bits for every value of a counter, without state.
__host__ __device__ inline uint4 philox(std::uint64_t seed, std::uint64_t low, std::uint64_t high) {
  constexpr std::uint32_t kMultiplier0 = 0xD2511F53U;
  constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57U;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9U;
  constexpr std::uint32_t kWeyl1 = 0xBB67AE85U;
  auto key0 = static_cast<std::uint32_t>(seed);
  auto key1 = static_cast<std::uint32_t>(seed >> 32U);
  auto c0 = static_cast<std::uint32_t>(low);
  auto c1 = static_cast<std::uint32_t>(low >> 32U);
  auto c2 = static_cast<std::uint32_t>(high);
  auto c3 = static_cast<std::uint32_t>(high >> 32U);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{kMultiplier0} * c0;
    const std::uint64_t product1 = std::uint64_t{kMultiplier1} * c2;
    c0 = static_cast<std::uint32_t>(product1 >> 32U) ^ c1 ^ key0;
    c1 = static_cast<std::uint32_t>(product1);
    c2 = static_cast<std::uint32_t>(product0 >> 32U) ^ c3 ^ key1;
    c3 = static_cast<std::uint32_t>(product0);
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return make_uint4(c0, c1, c2, c3);
}

/// The 128 bits at `position` + `index`.
__host__ __device__ inline uint4 philox_at(const PhiloxPosition& position, std::uint64_t index) {
  return philox(position.seed, position.offset + index, 0);
}

/// Uniform in [0, 1): the upper 24 bits, as many as a float distinguishes.
__host__ __device__ inline float unit_float(std::uint32_t bits) {
  return static_cast<float>(bits >> 8U) * 0x1p-24F;
}

__host__ __device__ inline std::uint32_t word(const uint4& bits, int index) {
  const std::uint32_t low = index == 0 ? bits.x : bits.y;
  const std::uint32_t high = index == 2 ? bits.z : bits.w;
  return index < 2 ? low : high;
}

}  // namespace mimus::kernels::cuda
