// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/plan/memory_packing.hpp"

#include <algorithm>
#include <numeric>

namespace mimus::kernels {
namespace {

/// Whether it is needed at a launch from `first` to `last`.
bool is_needed(const Lifetime& tensor, std::size_t first, std::size_t last) {
  if (tensor.first > last || first > tensor.last) return false;
  if (tensor.only_at.empty()) return true;
  const auto next = std::lower_bound(tensor.only_at.begin(), tensor.only_at.end(), first);
  return next != tensor.only_at.end() && *next <= last;
}

bool is_lower(const PlacedLifetime& a, const PlacedLifetime& b) {
  return a.offset < b.offset;
}

/// The lowest gap between the tensors of `placed` (ascending) that live at the same time.
std::int64_t lowest_gap(const std::vector<PlacedLifetime>& placed, const Lifetime& tensor) {
  std::int64_t free = 0;
  for (const PlacedLifetime& other : placed) {
    if (other.offset >= free + tensor.bytes) break;
    if (other.life.meets(tensor)) free = std::max(free, other.offset + other.life.bytes);
  }
  return free;
}

}  // namespace

bool Lifetime::meets(const Lifetime& other) const {
  if (other.only_at.empty()) return is_needed(*this, other.first, other.last);
  return std::any_of(other.only_at.begin(), other.only_at.end(),
                     [&](std::size_t at) { return is_needed(*this, at, at); });
}

std::vector<std::int64_t> pack_memory(const std::vector<Lifetime>& tensors,
                                      std::vector<PlacedLifetime> placed) {
  std::sort(placed.begin(), placed.end(), is_lower);
  std::vector<std::size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return tensors[a].bytes > tensors[b].bytes;
  });
  std::vector<std::int64_t> offsets(tensors.size());
  for (const std::size_t i : order) {
    const PlacedLifetime tensor{lowest_gap(placed, tensors[i]), tensors[i]};
    offsets[i] = tensor.offset;
    placed.insert(std::upper_bound(placed.begin(), placed.end(), tensor, is_lower), tensor);
  }
  return offsets;
}

}  // namespace mimus::kernels
