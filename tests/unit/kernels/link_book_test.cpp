// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/link_book.hpp"

#include <atomic>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/unit/kernels/link_book_fixture.hpp"

namespace mimus::kernels {
namespace {

using std::chrono::milliseconds;

TEST_F(LinkBookTest, ATransferAloneTakesItsSoloTimeHoweverLateItIsLookedAt) {
  LinkPacer pacer(book, route(0, {0, 1}));

  pacer.begin(from_ms(0), {milliseconds{10}});

  EXPECT_FALSE(pacer.advance(from_ms(4)));
  EXPECT_EQ(pacer.predicted_end(), from_ms(10));
  EXPECT_TRUE(pacer.advance(from_ms(25)));
  EXPECT_EQ(pacer.end(), from_ms(10));
}

// The first gang does 4 of its 10 ms alone and 6 beside the second, which has then done 6 and has 4
// left.
TEST_F(LinkBookTest, TwoGangsHalveANodesUplinkWhoeverLooksFirst) {
  for (const bool first_looks_first : {true, false}) {
    LinkPacer first(book, route(0, {0}));
    LinkPacer second(book, route(1, {0, 1}));
    first.begin(from_ms(0), {milliseconds{10}});
    second.begin(from_ms(4), {milliseconds{10}});

    if (!first_looks_first) {
      EXPECT_FALSE(second.advance(from_ms(40)));
    }
    EXPECT_TRUE(first.advance(from_ms(40)));
    EXPECT_EQ(first.end(), from_ms(16));
    EXPECT_FALSE(second.advance(from_ms(40)));  // the first gang may begin another transfer at once
    EXPECT_EQ(second.predicted_end(), from_ms(20));
    first.quiet_until(from_ms(20));
    EXPECT_TRUE(second.advance(from_ms(40)));
    EXPECT_EQ(second.end(), from_ms(20));
  }
}

// The second is alone for 4 ms, and has done 10 ms at 16 ms. The first has then done 6 ms. Its next
// transfer has its own latency, although it has been ready for long.
TEST_F(LinkBookTest, ATransferLeavesItsLinksToOthersForItsLatency) {
  LinkPacer first(book, route(0, {0}));
  LinkPacer second(book, route(1, {0}));
  first.begin(from_ms(0), {.on_links = milliseconds{10}, .latency = milliseconds{4}});
  second.begin(from_ms(0), {milliseconds{10}});

  EXPECT_TRUE(second.advance(from_ms(40)));
  EXPECT_EQ(second.end(), from_ms(16));
  second.quiet_until(from_ms(100));
  EXPECT_TRUE(first.advance(from_ms(40)));
  EXPECT_EQ(first.end(), from_ms(20));

  first.begin(from_ms(10), {.on_links = milliseconds{3}, .latency = milliseconds{4}});
  EXPECT_TRUE(first.advance(from_ms(40)));
  EXPECT_EQ(first.end(), from_ms(27));
}

// The first gang can use a fifth of the link, and the second all of it: it has 0.8.
TEST_F(LinkBookTest, ASlowTransferLeavesTheRestOfALinkToAFastOne) {
  GangRoute slow = route(0, {0});
  slow.channel.links.back().load = 0.2;
  LinkPacer first(book, slow);
  LinkPacer second(book, route(1, {0}));
  first.begin(from_ms(0), {milliseconds{10}});
  second.begin(from_ms(0), {milliseconds{4}});

  EXPECT_FALSE(second.advance(from_ms(4)));
  EXPECT_EQ(second.predicted_end(), from_ms(5));
  EXPECT_FALSE(first.advance(from_ms(4)));
  EXPECT_EQ(first.predicted_end(), from_ms(10));
}

TEST_F(LinkBookTest, AGangThatIsBehindTakesItsPartOfTheUplinkAllTheSame) {
  LinkPacer first(book, route(0, {0}));
  LinkPacer behind(book, route(1, {0}));
  behind.quiet_until(from_ms(3));
  first.begin(from_ms(0), {milliseconds{10}});

  EXPECT_FALSE(first.advance(from_ms(15)));  // already late, as far as it knows
  EXPECT_EQ(first.predicted_end(), from_ms(10));
  behind.begin(from_ms(4), {milliseconds{10}});

  EXPECT_TRUE(first.advance(from_ms(30)));
  EXPECT_EQ(first.end(), from_ms(16));
}

TEST_F(LinkBookTest, NobodyWaitsForAGangThatHasSaidToBeQuiet) {
  LinkPacer first(book, route(0, {0}));
  LinkPacer quiet(book, route(1, {0}, 2));
  LinkPacer other_member(book, route(1, {0}, 2));
  first.begin(from_ms(0), {milliseconds{10}});

  quiet.quiet_until(from_ms(5));
  EXPECT_FALSE(first.advance(from_ms(10)));
  other_member.quiet_until(from_ms(10));  // otherwise the other one could not begin

  EXPECT_TRUE(first.advance(from_ms(10)));
}

TEST_F(LinkBookTest, BeginsWithTheLastMemberAndTheEndOfTheOneBefore) {
  LinkPacer one(book, route(0, {}, 2));
  LinkPacer other(book, route(0, {}, 2));

  one.begin(from_ms(3), {milliseconds{2}});
  EXPECT_FALSE(one.advance(from_ms(9)));
  EXPECT_FALSE(one.under_way());
  other.begin(from_ms(5), {milliseconds{2}});
  EXPECT_TRUE(one.advance(from_ms(9)));
  EXPECT_TRUE(other.advance(from_ms(9)));
  EXPECT_EQ(one.end(), from_ms(7));
  EXPECT_EQ(other.end(), from_ms(7));

  one.begin(from_ms(4), {milliseconds{2}});
  other.begin(from_ms(6), {milliseconds{2}});
  EXPECT_TRUE(one.advance(from_ms(20)));
  EXPECT_EQ(one.end(), from_ms(9));
}

TEST_F(LinkBookTest, TransfersThatEndTogetherDoNotWaitForEachOther) {
  LinkPacer first(book, route(0, {0}));
  LinkPacer second(book, route(1, {0}));

  first.begin(from_ms(0), {milliseconds{10}});
  second.begin(from_ms(0), {milliseconds{10}});

  EXPECT_TRUE(first.advance(from_ms(20)));
  EXPECT_TRUE(second.advance(from_ms(20)));
  EXPECT_EQ(first.end(), from_ms(20));
  EXPECT_EQ(second.end(), from_ms(20));
}

TEST_F(LinkBookTest, TransfersOnDisjointLinksDoNotMeet) {
  LinkPacer first(book, route(0, {0}));
  LinkPacer second(book, route(2, {1}));

  first.begin(from_ms(0), {milliseconds{10}});

  EXPECT_TRUE(first.advance(from_ms(10)));
  EXPECT_FALSE(first.is_shared());
  EXPECT_FALSE(second.is_shared());
}

TEST_F(LinkBookTest, AGangOfSeveralHostsHoldsNobodyUp) {
  GangRoute far = route(1, {0});
  far.one_host = false;
  LinkPacer first(book, route(0, {0}));
  LinkPacer remote(book, far);

  first.begin(from_ms(0), {milliseconds{10}});

  EXPECT_TRUE(first.is_shared());
  EXPECT_TRUE(first.advance(from_ms(10)));
}

TEST_F(LinkBookTest, ATransferGivesItsLinkBackWhenAbandoned) {
  LinkPacer stays(book, route(1, {0}));
  {
    LinkPacer pacer(book, route(0, {0}));
    pacer.begin(from_ms(0), {milliseconds{10}});
    EXPECT_TRUE(stays.is_shared());
  }
  EXPECT_FALSE(stays.is_shared());
}

TEST_F(LinkBookTest, TheGangsOfAGpuThatIsForgottenAreGone) {
  LinkPacer stays(book, route(1, {0}));
  LinkPacer lost(book, route(0, {0}));
  lost.begin(from_ms(0), {milliseconds{10}});
  stays.begin(from_ms(2), {milliseconds{10}});

  book.forget_gpu(0);

  EXPECT_TRUE(stays.advance(from_ms(12)));
  EXPECT_EQ(stays.end(), from_ms(12));
  EXPECT_FALSE(lost.advance(from_ms(50)));  // a member that has not heard of the loss
}

TEST_F(LinkBookTest, SurvivesAMemberThatIsKilled) {
  LinkPacer stays(book, route(1, {0}));
  SharedMemory counted = SharedMemory::anonymous(sizeof(std::atomic<int>));
  auto& calls = *static_cast<std::atomic<int>*>(counted.data());
  for (int round = 0; round < 20; ++round) {
    calls = 0;
    const pid_t child = ::fork();
    if (child == 0) {
      const auto handle = book.open(route(0, {0}).channel);
      for (;; ++calls) book.quiet_until(handle, from_ms(calls));
    }
    while (calls < 100 + round) std::this_thread::yield();
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);

    EXPECT_TRUE(stays.is_shared());  // the lock is free
  }
  book.forget_gpu(0);
  EXPECT_FALSE(stays.is_shared());
}

}  // namespace
}  // namespace mimus::kernels
