// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/neighbours.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "emulator/virtual/steps/gang_shape.hpp"

namespace mimus::emulator {

Neighbours::Neighbours(const results::Reader& file) {
  std::vector<Stay> across_racks;
  for (const auto& row : file.rows<results::AttemptRow>()) {
    const auto shape = parse_shape(row.shape);
    if (shape && shape->racks > 1) across_racks.push_back({row.attempt, {row.begin, row.end}});
  }
  std::map<std::int64_t, std::vector<Stay>> on_node;
  std::set<std::pair<std::int64_t, std::int64_t>> seen;  // several replicas are one stay
  for (const auto& row : file.rows<results::PlacementRow>()) {
    if (!seen.emplace(row.attempt, row.node).second) continue;
    on_node[row.node].push_back({row.attempt, {row.begin, row.end}});
  }
  for (auto& [node, stays] : on_node) add_overlaps(std::move(stays));
  add_overlaps(std::move(across_racks));
}

void Neighbours::add_overlaps(std::vector<Stay> stays) {
  std::sort(stays.begin(), stays.end(),
            [](const Stay& a, const Stay& b) { return a.span.begin < b.span.begin; });
  std::vector<Stay> present;
  for (const Stay& stay : stays) {
    std::erase_if(present, [&](const Stay& other) { return other.span.end <= stay.span.begin; });
    for (const Stay& other : present) {
      const Span together{stay.span.begin, std::min(stay.span.end, other.span.end)};
      beside_[stay.attempt].push_back(together);
      beside_[other.attempt].push_back(together);
    }
    present.push_back(stay);
  }
}

bool Neighbours::absent(std::int64_t attempt, double begin, double end) const {
  const auto found = beside_.find(attempt);
  if (found == beside_.end()) return true;
  return std::none_of(found->second.begin(), found->second.end(), [&](const Span& together) {
    return together.begin < end && begin < together.end;
  });
}

}  // namespace mimus::emulator
