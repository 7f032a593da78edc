// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/ledger.hpp"

#include <atomic>
#include <thread>

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

  EXPECT_EQ(ledger.use_of_others(0, 0, 2, at(0)).gpus, 0);
  EXPECT_DOUBLE_EQ(ledger.used_memory(1).value, 0.0);
}

TEST_F(LedgerTest, KnowsWhoseGpuWasInUseAtAnInstant) {
  const auto others_at = [this](int ms) { return ledger.use_of_others(0, 0, kGpus, at(ms)).gpus; };
  ledger.add_tenant(0, at(0));
  ledger.add_tenant(1, at(10));
  ledger.add_tenant(1, at(8));  // began before, but reports it later
  EXPECT_EQ(others_at(7), 0);
  EXPECT_EQ(others_at(8), 1);

  ledger.remove_tenant(1, at(30));
  ledger.remove_tenant(1, at(20));
  EXPECT_EQ(others_at(29), 1);
  EXPECT_EQ(others_at(30), 0);

  ledger.add_tenant(1, at(50));
  EXPECT_EQ(others_at(29), 1);  // past values do not change
  EXPECT_EQ(others_at(49), 0);
  EXPECT_EQ(others_at(50), 1);
}

TEST_F(LedgerTest, CountsTheCoresThatTenantsAskFor) {
  const auto others_at = [this](int ms) {
    return ledger.use_of_others(0, 0, kGpus, at(ms)).milli_cores;
  };
  ledger.add_tenant(0, at(0), 500);
  ledger.add_tenant(1, at(0), 2000);
  ledger.add_tenant(1, at(0), 1500);
  EXPECT_EQ(others_at(1), 3500);
  EXPECT_EQ(ledger.milli_cores(0), 500);

  ledger.remove_tenant(1, at(10), 2000);
  EXPECT_EQ(others_at(11), 1500);
  ledger.remove_tenant(1, at(20), 1500);
  EXPECT_EQ(others_at(19), 1500);
  EXPECT_EQ(others_at(20), 0);
  ledger.add_tenant(1, at(30), 100);
  EXPECT_EQ(others_at(30), 100);
}

}  // namespace
}  // namespace mimus::kernels
