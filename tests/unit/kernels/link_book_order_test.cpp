// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What a book of links says does not depend on which rank looks first, or when gangs form.
#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "tests/unit/kernels/link_book_fixture.hpp"

namespace mimus::kernels {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// It may meet another one that is yet to form.
TEST_F(LinkBookTest, AnEndToComeIsNotFinal) {
  LinkPacer first(book, route(0, {0}));
  LinkPacer quiet(book, route(1, {0}));
  quiet.quiet_until(WallInstant::max());
  first.begin(from_ms(0), {milliseconds{10}});

  EXPECT_FALSE(first.advance(from_ms(4)));
  LinkPacer later(book, route(2, {0}));
  later.begin(from_ms(5), {milliseconds{10}});

  EXPECT_TRUE(first.advance(from_ms(30)));
  EXPECT_EQ(first.end(), from_ms(15));
}

// A gang grows onto a link at a boundary that only its present members know.
TEST_F(LinkBookTest, AGangToComeBeginsNothingBeforeItsPresentMembersCould) {
  LinkPacer other(book, route(0, {0}));
  LinkPacer before(book, route(1, {1}));
  LinkPacer to_come(book, route(2, {0, 1}));
  to_come.follow({1, 0});
  to_come.quiet_until(WallInstant::max());
  other.begin(from_ms(0), {milliseconds{10}});

  before.quiet_until(from_ms(9));
  EXPECT_FALSE(other.advance(from_ms(20)));
  before.quiet_until(from_ms(10));
  EXPECT_TRUE(other.advance(from_ms(20)));
}

TEST_F(LinkBookTest, AGangToComeWaitsForTheTransferOfItsPresentMembers) {
  LinkPacer other(book, route(0, {0}));
  LinkPacer before(book, route(1, {1}));
  LinkPacer to_come(book, route(2, {0}));
  to_come.follow({1, 0});
  other.begin(from_ms(0), {milliseconds{10}});

  before.begin(from_ms(0), {milliseconds{12}});
  EXPECT_TRUE(other.advance(from_ms(20)));
}

/// The members of one gang are to form another, on a link on which a third has a transfer of 10 ms.
struct GangThatLeavesTest : LinkBookTest {
  LinkPacer other{book, route(0, {0})};
  std::unique_ptr<LinkPacer> before = std::make_unique<LinkPacer>(book, route(1, {1}));
  LinkPacer to_come{book, route(2, {0})};

  GangThatLeavesTest() {
    to_come.follow({1, 0});
    to_come.quiet_until(WallInstant::max());
    other.begin(from_ms(0), {milliseconds{10}});
  }
};

TEST_F(GangThatLeavesTest, AGangThatHasBeenHandedOverSpeaksForItself) {
  book.busy_from({2, 0}, from_ms(5));
  before.reset();

  EXPECT_FALSE(other.advance(from_ms(20)));
  to_come.begin(from_ms(5), {milliseconds{10}});
  EXPECT_TRUE(other.advance(from_ms(30)));
  EXPECT_EQ(other.end(), from_ms(15));
}

// Its members hear of this only later, and the clock must go on until then.
TEST_F(GangThatLeavesTest, OthersDoNotWaitForAGangThatIsNotHandedOver) {
  before.reset();

  EXPECT_TRUE(other.advance(from_ms(10)));
}

/// A gang that computes and communicates alternately and is polled at random times.
class LoopingGang {
 public:
  LoopingGang(LinkBook& book, GangRoute route, Duration compute, Duration transfer)
      : pacer_(book, std::move(route)), compute_(compute), transfer_(transfer) {
    next_ = from_ms(0) + compute_;
    pacer_.quiet_until(next_);
  }

  void look(WallInstant now) {
    if (!transfers_) {
      if (now < next_) return;
      pacer_.begin(next_, {transfer_});
      transfers_ = true;
    }
    if (pacer_.advance(now)) {
      ends_.push_back(pacer_.end());
      next_ = pacer_.end() + compute_;
      pacer_.quiet_until(next_);
      transfers_ = false;
    } else if (pacer_.under_way()) {
      next_ = pacer_.predicted_end();
    }
  }
  /// The instant before which it has nothing to do.
  [[nodiscard]] WallInstant promise() const { return next_; }
  [[nodiscard]] const std::vector<WallInstant>& ends() const { return ends_; }

 private:
  LinkPacer pacer_;
  Duration compute_;
  Duration transfer_;
  WallInstant next_;
  bool transfers_ = false;
  std::vector<WallInstant> ends_;
};

/// Ends of the transfers of gangs that share an uplink. They are polled in random order on a clock
/// that waits for them.
std::vector<std::vector<WallInstant>> ends_of_gangs(LinkBook& book, std::uint64_t seed,
                                                    std::size_t transfers) {
  std::vector<std::unique_ptr<LoopingGang>> gangs;
  const auto add = [&](int gpu, const std::vector<int>& nodes, int compute_us, int transfer_us) {
    gangs.push_back(std::make_unique<LoopingGang>(book, LinkBookTest::route(gpu, nodes, 1),
                                                  microseconds{compute_us},
                                                  microseconds{transfer_us}));
  };
  add(0, {0, 1}, 3'000, 2'000);
  add(1, {0, 1}, 3'100, 2'000);
  add(2, {0}, 700, 1'300);
  RandomStream random(seed, "order");
  WallInstant now = from_ms(0);
  const auto done = [&](const auto& gang) { return gang->ends().size() >= transfers; };
  while (!std::all_of(gangs.begin(), gangs.end(), done)) {
    WallInstant least = WallInstant::max();
    for (const auto& gang : gangs) least = std::min(least, gang->promise());
    const double part = random.uniform();
    now = std::max(now, least + Duration{static_cast<std::int64_t>(part * 5e5)});
    gangs[static_cast<std::size_t>(random.uniform() * 3)]->look(now);
  }
  std::vector<std::vector<WallInstant>> out;
  for (const auto& gang : gangs) {
    out.emplace_back(gang->ends().begin(), gang->ends().begin() + static_cast<long>(transfers));
  }
  return out;
}

TEST_F(LinkBookTest, EndsAreTheSameInWhateverOrderGangsAreLookedAt) {
  const auto ends = ends_of_gangs(book, 1, 200);
  for (std::uint64_t seed = 2; seed < 20; ++seed) EXPECT_EQ(ends_of_gangs(book, seed, 200), ends);
}

}  // namespace
}  // namespace mimus::kernels
