// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/nodes/place_scores.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace mimus::scheduler {

PlaceScores::PlaceScores(std::size_t places) {
  for (std::size_t blocks = std::max(places, kFan); blocks > 1; blocks /= kFan) {
    blocks = (blocks + kFan - 1) / kFan * kFan;
    highest_.emplace_back(blocks, kNone);
    counts_.emplace_back(blocks, 0);
  }
  highest_.emplace_back(1, kNone);
  counts_.emplace_back(1, 0);
}

PlaceScores::Score PlaceScores::highest_in(std::size_t level, std::size_t block) const {
  const auto first = highest_[level].begin() + static_cast<std::ptrdiff_t>(block * kFan);
  return *std::max_element(first, first + kFan);
}

void PlaceScores::set(std::size_t place, Score score) {
  const std::int32_t change = (score != kNone ? 1 : 0) - (at(place) != kNone ? 1 : 0);
  for (std::size_t level = 0;; ++level, place /= kFan) {
    counts_[level][place] += change;
    const Score before = std::exchange(highest_[level][place], score);
    if (level + 1 == highest_.size() || (before == score && change == 0)) return;
    const std::size_t block = place / kFan;
    const Score of_block = highest_[level + 1][block];
    if (score < of_block) score = before < of_block ? of_block : highest_in(level, block);
  }
}

std::size_t PlaceScores::next(std::size_t from, Score at_least) const {
  ensure(at_least > kNone, "places without a score are asked for");
  std::size_t level = 0;
  std::size_t i = from;
  for (;; ++i) {
    for (; level + 1 < highest_.size() && i % kFan == 0; i /= kFan) ++level;
    if (i == highest_[level].size()) return kNowhere;
    if (highest_[level][i] >= at_least) break;
  }
  for (; level > 0; --level) {
    for (i *= kFan; highest_[level - 1][i] < at_least;) ++i;
  }
  return i;
}

std::size_t PlaceScores::nth(std::int64_t n) const {
  ensure(n >= 0 && n < count(), "a place is asked for beyond those with a score");
  std::size_t i = 0;
  for (std::size_t level = highest_.size() - 1; level > 0; --level) {
    for (i *= kFan; n >= counts_[level - 1][i]; ++i) n -= counts_[level - 1][i];
  }
  return i;
}

}  // namespace mimus::scheduler
