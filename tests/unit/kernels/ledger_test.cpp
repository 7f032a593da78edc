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

namespace mimus::kernels {
namespace {

using std::chrono::milliseconds;
constexpr int kGpus = 4;

struct LedgerTest : testing::Test {
  SharedMemory memory = SharedMemory::anonymous(Ledger::bytes_needed(kGpus));
  std::span<std::byte> bytes{static_cast<std::byte*>(memory.data()), memory.size()};
  Ledger ledger{bytes, kGpus, Bytes{16e9}};
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

TEST_F(LedgerTest, AGpuThatIsForgottenLeavesNothingBehind) {
  ledger.reserve_memory(1, Bytes{10e9});
  ledger.add_tenant(1);

  ledger.forget_gpu(1);

  EXPECT_EQ(ledger.others_in_use(0, 0, 2, at(0)), 0);
  EXPECT_DOUBLE_EQ(ledger.used_memory(1).value, 0.0);
}

TEST_F(LedgerTest, KnowsWhoseGpuWasInUseAtAnInstant) {
  const auto others_at = [this](int ms) { return ledger.others_in_use(0, 0, kGpus, at(ms)); };
  ledger.add_tenant(0, at(0));
  ledger.add_tenant(1, at(10));
  ledger.add_tenant(1, at(8));  // has started before, and says so later
  EXPECT_EQ(others_at(7), 0);
  EXPECT_EQ(others_at(8), 1);

  ledger.remove_tenant(1, at(30));
  ledger.remove_tenant(1, at(20));
  EXPECT_EQ(others_at(29), 1);
  EXPECT_EQ(others_at(30), 0);

  ledger.add_tenant(1, at(50));
  EXPECT_EQ(others_at(29), 1);  // what was stays
  EXPECT_EQ(others_at(49), 0);
  EXPECT_EQ(others_at(50), 1);
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

}  // namespace
}  // namespace mimus::kernels
