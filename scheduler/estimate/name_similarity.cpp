// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/name_similarity.hpp"

#include <vector>

namespace mimus::scheduler {
namespace {

struct Block {
  std::size_t a = 0, b = 0, size = 0;
};

/// The longest common substring. Of equally long ones the first in `a`, then the first in `b`.
Block longest_common(std::string_view a, std::string_view b) {
  Block best;
  std::vector<std::size_t> before(b.size() + 1), here(b.size() + 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      here[k + 1] = a[i] == b[k] ? before[k] + 1 : 0;
      const std::size_t size = here[k + 1];
      if (size > best.size) best = {i + 1 - size, k + 1 - size, size};
    }
    before.swap(here);
  }
  return best;
}

std::size_t in_common(std::string_view a, std::string_view b) {
  const Block block = longest_common(a, b);
  if (block.size == 0) return 0;
  return block.size + in_common(a.substr(0, block.a), b.substr(0, block.b)) +
         in_common(a.substr(block.a + block.size), b.substr(block.b + block.size));
}

}  // namespace

double name_similarity(std::string_view a, std::string_view b) {
  if (a.empty() && b.empty()) return 1.0;
  return 2.0 * static_cast<double>(in_common(a, b)) / static_cast<double>(a.size() + b.size());
}

}  // namespace mimus::scheduler
