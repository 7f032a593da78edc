// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/event_order.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

WallInstant told_at(int ms) {
  return WallInstant{std::chrono::milliseconds{ms}};
}

Envelope from_rank(int rank, MessageKind kind = MessageKind::attempt_progress) {
  return {.source = rank, .kind = kind, .bytes = {}};
}

std::vector<int> ranks_of(EventOrder& order) {
  std::vector<int> ranks;
  while (!order.empty()) ranks.push_back(order.take_first().source);
  return ranks;
}

TEST(EventOrder, IsThatInWhichThingsHappenedHoweverTheyCome) {
  EventOrder order;
  order.add(told_at(30), from_rank(1));
  order.add(told_at(10), from_rank(3));
  order.add(told_at(20), from_rank(2));

  EXPECT_EQ(order.first(), told_at(10));
  EXPECT_EQ(ranks_of(order), (std::vector{3, 2, 1}));
  EXPECT_EQ(order.first(), WallInstant::max());
}

TEST(EventOrder, OfWhatHappenedTogetherTheLowerRankGoesFirst) {
  EventOrder order;
  order.add(told_at(10), from_rank(3));
  order.add(told_at(10), from_rank(2));

  EXPECT_EQ(ranks_of(order), (std::vector{2, 3}));
}

TEST(EventOrder, KeepsWhatOneRankSaysInItsOrder) {
  EventOrder order;
  order.add(told_at(10), from_rank(1, MessageKind::attempt_ended));
  order.add(told_at(10), from_rank(1, MessageKind::attempt_started));
  order.add(told_at(9), from_rank(1, MessageKind::attempt_progress));

  EXPECT_EQ(order.take_first().kind, MessageKind::attempt_ended);
  EXPECT_EQ(order.take_first().kind, MessageKind::attempt_started);
  EXPECT_EQ(order.take_first().kind, MessageKind::attempt_progress);
}

}  // namespace
}  // namespace mimus::emulator
