// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"

namespace mimus::scheduler {

/// A set of GPUs, one bit each.
class GpuBitmap {
 public:
  explicit GpuBitmap(int gpus) : words_(static_cast<std::size_t>(gpus / kBits) + 1, 0) {}

  void set(GpuId gpu, bool is_in) {
    const std::uint64_t bit = std::uint64_t{1} << (gpu.value() % kBits);
    std::uint64_t& word = words_[static_cast<std::size_t>(gpu.value() / kBits)];
    word = is_in ? word | bit : word & ~bit;
  }
  [[nodiscard]] bool contains(GpuId gpu) const {
    const auto bit = static_cast<std::uint64_t>(gpu.value() % kBits);
    return ((words_[static_cast<std::size_t>(gpu.value() / kBits)] >> bit) & 1U) != 0;
  }
  /// Number of GPUs from `begin` to before `end` in the set.
  [[nodiscard]] int count(std::int64_t begin, std::int64_t end) const;
  /// The first GPU from `begin` to before `end` in the set; "none" without one.
  [[nodiscard]] GpuId first(std::int64_t begin, std::int64_t end) const;

 private:
  static constexpr std::int64_t kBits = 64;

  /// The word of these GPUs, in which only those from `begin` to before `end` are kept.
  [[nodiscard]] std::uint64_t word_within(std::int64_t word, std::int64_t begin,
                                          std::int64_t end) const;

  std::vector<std::uint64_t> words_;
};

}  // namespace mimus::scheduler
