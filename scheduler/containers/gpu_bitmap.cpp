// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/containers/gpu_bitmap.hpp"

#include <bit>

namespace mimus::scheduler {

std::uint64_t GpuBitmap::word_within(std::int64_t word, std::int64_t begin,
                                     std::int64_t end) const {
  std::uint64_t bits = words_[static_cast<std::size_t>(word)];
  const std::int64_t first = word * kBits;
  if (begin > first) bits &= ~std::uint64_t{0} << (begin - first);
  if (end < first + kBits) bits &= ~(~std::uint64_t{0} << (end - first));
  return bits;
}

int GpuBitmap::count(std::int64_t begin, std::int64_t end) const {
  int sum = 0;
  for (std::int64_t word = begin / kBits; word * kBits < end; ++word) {
    sum += std::popcount(word_within(word, begin, end));
  }
  return sum;
}

GpuId GpuBitmap::first(std::int64_t begin, std::int64_t end) const {
  for (std::int64_t word = begin / kBits; word * kBits < end; ++word) {
    const std::uint64_t bits = word_within(word, begin, end);
    if (bits != 0) return GpuId{word * kBits + std::countr_zero(bits)};
  }
  return GpuId{};
}

}  // namespace mimus::scheduler
