// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace mimus::scheduler {

/// A score for each of n places, and the first place with the highest one. Blocks of kFan scores,
/// and blocks of kFan blocks, know the highest score in them and how many there are. A change and a
/// question therefore cost at most kFan steps on each of log n levels.
class PlaceScores {
 public:
  using Score = std::int16_t;
  static constexpr Score kNone = -1;  ///< the place has no score; scores are at least 0
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  explicit PlaceScores(std::size_t places);

  void set(std::size_t place, Score score);
  [[nodiscard]] Score at(std::size_t place) const { return highest_.front()[place]; }
  /// Places with a score.
  [[nodiscard]] std::int64_t count() const { return counts_.back().front(); }
  /// kNone if no place has a score.
  [[nodiscard]] Score highest() const { return highest_.back().front(); }
  /// The first place from `from` on with at least this score; kNowhere without one.
  [[nodiscard]] std::size_t next(std::size_t from, Score at_least) const;
  /// The n-th place with a score, from 0 on.
  [[nodiscard]] std::size_t nth(std::int64_t n) const;

 private:
  static constexpr std::size_t kFan = 32;

  [[nodiscard]] Score highest_in(std::size_t level, std::size_t block) const;

  // By level: the places, their blocks, blocks of these, and so on up to a single one. All but the
  // last are padded to whole blocks.
  std::vector<std::vector<Score>> highest_;
  std::vector<std::vector<std::int32_t>> counts_;
};

}  // namespace mimus::scheduler
