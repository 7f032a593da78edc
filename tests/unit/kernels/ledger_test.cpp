// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/ledger.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/shared_memory.hpp"
#include "kernels/pacing/link_pacer.hpp"

namespace mimus::kernels {
namespace {

using std::chrono::milliseconds;
constexpr int kGpus = 4;
constexpr int kNodes = 2;

struct LedgerTest : testing::Test {
  SharedMemory memory = SharedMemory::anonymous(Ledger::bytes_needed(kGpus, kNodes));
  std::span<std::byte> bytes{static_cast<std::byte*>(memory.data()), memory.size()};
  Ledger ledger{bytes, kGpus, kNodes, Bytes{16e9}};
};

WallInstant at(int ms) {
  return WallInstant{milliseconds{1'000'000 + ms}};
}

TEST_F(LedgerTest, GivesTimeFromTheEarliestMomentOnAnIdleGpu) {
  const auto slot = ledger.reserve_time(0, at(10), milliseconds{2});

  EXPECT_EQ(slot.begin, at(10));
  EXPECT_EQ(slot.end, at(12));
}

TEST_F(LedgerTest, QueuesTenantsOneAfterAnother) {
  (void)ledger.reserve_time(0, at(10), milliseconds{2});

  const auto second = ledger.reserve_time(0, at(10), milliseconds{2});
  const auto elsewhere = ledger.reserve_time(1, at(10), milliseconds{2});

  EXPECT_EQ(second.begin, at(12));
  EXPECT_EQ(elsewhere.begin, at(10));
}

TEST_F(LedgerTest, RefusesMemoryBeyondTheGpuAndKeepsTheBooks) {
  ledger.reserve_memory(2, Bytes{10e9});

  EXPECT_THROW(ledger.reserve_memory(2, Bytes{7e9}), OutOfMemoryError);
  EXPECT_DOUBLE_EQ(ledger.used_memory(2).value, 10e9);
  EXPECT_NO_THROW(ledger.reserve_memory(2, Bytes{6e9}));
}

TEST_F(LedgerTest, ARefusedTenantDoesNotDisplaceOneThatFits) {
  constexpr int kTries = 20'000;
  std::atomic<int> tries{0};
  std::thread too_large([&] {
    for (; tries < kTries; ++tries) {
      EXPECT_THROW(ledger.reserve_memory(0, Bytes{20e9}), OutOfMemoryError);
    }
  });
  int refused = 0;
  while (tries < kTries) {
    try {
      ledger.reserve_memory(0, Bytes{5e9});
      ledger.release_memory(0, Bytes{5e9});
    } catch (const OutOfMemoryError&) {
      ++refused;
    }
  }
  too_large.join();

  EXPECT_EQ(refused, 0);
  EXPECT_DOUBLE_EQ(ledger.used_memory(0).value, 0.0);
}

// The dead member of GPU 1 had a transfer on the uplink of node 0, as GPU 0's has.
TEST_F(LedgerTest, AGpuThatIsForgottenLeavesNothingBehind) {
  ledger.reserve_memory(1, Bytes{10e9});
  ledger.add_tenant(1);
  for (const int gpu : {0, 1}) {
    ++ledger.gpu_flows(gpu);
    ledger.occupy_uplink(gpu, 0, +1);
  }

  ledger.forget_gpu(1, 0);

  EXPECT_EQ(ledger.uplink_flows(0), 1);
  EXPECT_EQ(ledger.gpu_flows(0), 1);
  EXPECT_EQ(ledger.gpu_flows(1), 0);
  EXPECT_EQ(ledger.gpus_in_use(0, 2), 0);
  EXPECT_DOUBLE_EQ(ledger.used_memory(1).value, 0.0);
  ledger.occupy_uplink(0, 0, -1);
  EXPECT_EQ(ledger.uplink_flows(0), 0);
}

TEST_F(LedgerTest, ReservationsOfManyThreadsNeverOverlap) {
  constexpr int kThreads = 4;
  constexpr int kEach = 2000;
  std::vector<std::vector<Ledger::Reservation>> taken(kThreads);

  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        taken[static_cast<std::size_t>(t)].push_back(
            ledger.reserve_time(0, at(i % 7), Duration{100 + t}));
      }
    });
  }
  for (auto& thread : threads) thread.join();

  std::vector<Ledger::Reservation> all;
  for (const auto& own : taken) all.insert(all.end(), own.begin(), own.end());
  std::sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < all.size(); ++i) ASSERT_GE(all[i].begin, all[i - 1].end);
}

TEST_F(LedgerTest, SurvivesATenantThatIsKilled) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (int i = 0;; ++i) (void)ledger.reserve_time(0, at(0), Duration{1});
  }
  std::this_thread::sleep_for(milliseconds{20});
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);

  // No lock is left behind: the next tenant is served at once.
  const auto slot = ledger.reserve_time(0, at(1'000'000), milliseconds{2});
  EXPECT_EQ(slot.begin, at(1'000'000));
}

GangRoute route(int gpu, std::vector<int> nodes) {
  GangRoute out;
  out.gpus = {gpu};
  out.nodes = nodes;
  out.own_gpu = gpu;
  if (!nodes.empty()) out.own_uplink = nodes.front();
  return out;
}

TEST_F(LedgerTest, ATransferAloneTakesItsSoloTimeHoweverLateItIsLookedAt) {
  LinkPacer pacer(ledger, route(0, {0, 1}));

  pacer.begin(at(0), milliseconds{10});

  EXPECT_FALSE(pacer.advance(at(4)));
  EXPECT_EQ(pacer.predicted_end(), at(10));
  EXPECT_TRUE(pacer.advance(at(25)));
  EXPECT_EQ(pacer.end(), at(10));
}

TEST_F(LedgerTest, TwoGangsHalveANodesUplink) {
  LinkPacer first(ledger, route(0, {0}));
  LinkPacer second(ledger, route(1, {0}));

  first.begin(at(0), milliseconds{10});
  EXPECT_FALSE(first.advance(at(4)));  // alone: 6 ms of work left
  second.begin(at(4), milliseconds{10});
  EXPECT_FALSE(first.advance(at(4)));  // sees the second from here on
  EXPECT_TRUE(first.advance(at(40)));

  EXPECT_EQ(first.end(), at(16));  // 4 + 6·2
}

TEST_F(LedgerTest, TransfersOnDisjointNodesDoNotMeet) {
  LinkPacer first(ledger, route(0, {0}));
  LinkPacer second(ledger, route(2, {1}));

  first.begin(at(0), milliseconds{10});
  second.begin(at(0), milliseconds{10});

  EXPECT_TRUE(first.advance(at(10)));
  EXPECT_TRUE(second.advance(at(10)));
}

TEST_F(LedgerTest, ATransferGivesItsLinkBackWhenAbandoned) {
  {
    LinkPacer pacer(ledger, route(0, {0}));
    pacer.begin(at(0), milliseconds{10});
    EXPECT_EQ(ledger.uplink_flows(0), 1);
  }
  EXPECT_EQ(ledger.uplink_flows(0), 0);
  EXPECT_EQ(ledger.gpu_flows(0), 0);
}

}  // namespace
}  // namespace mimus::kernels
