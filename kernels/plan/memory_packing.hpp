// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mimus::kernels {

/// A tensor that is needed from one launch of a step to another, both included.
struct Lifetime {
  std::int64_t bytes = 0;  ///< a multiple of kTensorAlignment
  std::size_t first = 0;
  std::size_t last = 0;
  /// Unless empty: the only launches at which it is needed, ascending from `first` to `last`.
  /// Between them others may have its place.
  std::vector<std::size_t> only_at{};

  [[nodiscard]] bool meets(const Lifetime& other) const;
};

/// A tensor whose place is given.
struct PlacedLifetime {
  std::int64_t offset = 0;
  Lifetime life;
};

/// Places for tensors such that no two that live at the same time overlap: the largest first, each
/// as low as it fits (greedy by size for offsets: Pisarchyk and Lee, arXiv:2001.03288). `placed`
/// are given. Offsets are in the order of `tensors`. A tensor without bytes is ignored.
[[nodiscard]] std::vector<std::int64_t> pack_memory(const std::vector<Lifetime>& tensors,
                                                    std::vector<PlacedLifetime> placed);

}  // namespace mimus::kernels
