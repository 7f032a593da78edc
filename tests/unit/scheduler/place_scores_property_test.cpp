// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// An index of scores answers as a scan of them does.
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "scheduler/placement/nodes/place_scores.hpp"

namespace mimus::scheduler::test {
namespace {

using Score = PlaceScores::Score;

std::size_t scan(const std::vector<Score>& scores, std::size_t from, Score at_least) {
  for (; from < scores.size(); ++from) {
    if (scores[from] >= at_least) return from;
  }
  return PlaceScores::kNowhere;
}

void check_equal(const PlaceScores& index, const std::vector<Score>& scores) {
  const auto places = static_cast<std::int64_t>(scores.size());
  RC_ASSERT(index.highest() == *std::max_element(scores.begin(), scores.end()));
  RC_ASSERT(index.count() == places - std::count(scores.begin(), scores.end(), PlaceScores::kNone));
  const auto from = static_cast<std::size_t>(*rc::gen::inRange<std::int64_t>(0, places + 1));
  const auto at_least = *rc::gen::inRange<Score>(0, 5);
  RC_ASSERT(index.next(from, at_least) == scan(scores, from, at_least));
  if (index.count() == 0) return;
  const auto n = *rc::gen::inRange<std::int64_t>(0, index.count());
  std::size_t nth = scan(scores, 0, 0);
  for (std::int64_t i = 0; i < n; ++i) nth = scan(scores, nth + 1, 0);
  RC_ASSERT(index.nth(n) == nth);
}

// One, two, three and four levels; few different scores, so that there are ties.
TEST(PlaceScoresProperties, AnswersAsAScan) {
  rc::check([] {
    const auto size = *rc::gen::element<std::size_t>(1, 31, 32, 33, 1000, 1025, 40'000);
    PlaceScores index(size);
    std::vector<Score> scores(size, PlaceScores::kNone);
    const auto changes = *rc::gen::inRange(0, 200);
    for (int i = 0; i < changes; ++i) {
      const auto place = *rc::gen::inRange<std::size_t>(0, size);
      scores[place] = *rc::gen::inRange<Score>(PlaceScores::kNone, 5);
      index.set(place, scores[place]);
    }
    check_equal(index, scores);
  });
}

// A place for each score, so that every change of one touches the maxima above it.
TEST(PlaceScoresProperties, FollowsChangesInFullBlocks) {
  rc::check([] {
    PlaceScores index(70);
    std::vector<Score> scores(70);
    for (std::size_t place = 0; place < scores.size(); ++place) {
      scores[place] = *rc::gen::inRange<Score>(0, 5);
      index.set(place, scores[place]);
    }
    for (int i = 0; i < 20; ++i) {
      const auto place = *rc::gen::inRange<std::size_t>(0, scores.size());
      scores[place] = *rc::gen::inRange<Score>(PlaceScores::kNone, 5);
      index.set(place, scores[place]);
      check_equal(index, scores);
    }
  });
}

}  // namespace
}  // namespace mimus::scheduler::test
