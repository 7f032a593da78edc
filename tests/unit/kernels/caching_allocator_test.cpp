// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// PyTorch's rules for keeping device memory: hand-made cases, and properties of any sequence.
#include "kernels/pytorch/caching_allocator.hpp"

#include <array>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace mimus::kernels {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

// Requests up to 1 MiB come from segments of 2 MiB, and requests up to 10 MiB from segments of 20
// MiB. Larger requests have their own segment in multiples of 2 MiB.
TEST(CachingAllocator, AsksForSegmentsBySize) {
  const auto reserved = [](std::int64_t bytes) {
    CachingAllocator allocator;
    (void)allocator.allocate(bytes);
    return allocator.reserved();
  };
  EXPECT_EQ(reserved(1), 2 * kMiB);
  EXPECT_EQ(reserved(kMiB), 2 * kMiB);
  EXPECT_EQ(reserved(kMiB + 1), 20 * kMiB);
  EXPECT_EQ(reserved(10 * kMiB - 512), 20 * kMiB);
  EXPECT_EQ(reserved(10 * kMiB), 10 * kMiB);
  EXPECT_EQ(reserved(11 * kMiB), 12 * kMiB);
}

// 4096 blocks of 512 bytes are 2 MiB. Four blocks of 5 MiB fit into 20 MiB.
TEST(CachingAllocator, SplitsSegmentsUntilTheyAreFull) {
  CachingAllocator small;
  for (int i = 0; i < 4096; ++i) (void)small.allocate(500);
  EXPECT_EQ(small.reserved(), 2 * kMiB);
  (void)small.allocate(500);
  EXPECT_EQ(small.reserved(), 4 * kMiB);
  CachingAllocator large;
  for (int i = 0; i < 4; ++i) (void)large.allocate(5 * kMiB);
  EXPECT_EQ(large.reserved(), 20 * kMiB);
  (void)large.allocate(5 * kMiB);
  EXPECT_EQ(large.reserved(), 40 * kMiB);
}

// 1 MiB of 12 MiB is left after 11 MiB. It stays with the block, because it is not more than 1 MiB.
TEST(CachingAllocator, SplitsNoSmallRestOffALargeBlock) {
  CachingAllocator allocator;
  const auto first = allocator.allocate(12 * kMiB);
  allocator.free(first);
  (void)allocator.allocate(11 * kMiB);
  (void)allocator.allocate(2 * kMiB);
  EXPECT_EQ(allocator.reserved(), (12 + 20) * kMiB);
}

// 30 and 16 MiB are free. 14 MiB are taken from the 16, so 30 MiB still fit.
TEST(CachingAllocator, TakesTheSmallestThatFits) {
  CachingAllocator allocator;
  const auto wide = allocator.allocate(30 * kMiB);
  const auto narrow = allocator.allocate(16 * kMiB);
  allocator.free(wide);
  allocator.free(narrow);
  (void)allocator.allocate(14 * kMiB);
  (void)allocator.allocate(30 * kMiB);
  EXPECT_EQ(allocator.reserved(), 46 * kMiB);
}

// Three neighbours of 6 MiB, freed in any order, make room for 18 MiB.
TEST(CachingAllocator, JoinsFreeNeighbours) {
  for (const auto& order : {std::array{0, 1, 2}, std::array{0, 2, 1}, std::array{2, 1, 0}}) {
    CachingAllocator allocator;
    std::array<CachingAllocator::Block, 3> blocks{};
    for (auto& block : blocks) block = allocator.allocate(6 * kMiB);
    for (const int i : order) allocator.free(blocks.at(static_cast<std::size_t>(i)));
    (void)allocator.allocate(18 * kMiB);
    EXPECT_EQ(allocator.reserved(), 20 * kMiB);
  }
}

TEST(CachingAllocator, GivesBackOnlySegmentsInWhichNothingIsLeft) {
  CachingAllocator allocator;
  const auto whole = allocator.allocate(30 * kMiB);
  const auto part = allocator.allocate(6 * kMiB);
  (void)allocator.allocate(6 * kMiB);
  allocator.free(whole);
  allocator.free(part);
  EXPECT_EQ(allocator.most_reserved(), 50 * kMiB);
  allocator.empty_cache();
  EXPECT_EQ(allocator.reserved(), 20 * kMiB);
  EXPECT_EQ(allocator.most_reserved(), 20 * kMiB);
}

// New segments are below older ones.
TEST(CachingAllocator, TakesTheLowestOfTheSameSize) {
  CachingAllocator allocator;
  const auto first = allocator.allocate(16 * kMiB);
  const auto second = allocator.allocate(16 * kMiB);
  allocator.free(first);
  allocator.free(second);
  EXPECT_EQ(allocator.allocate(16 * kMiB), second);
  EXPECT_EQ(allocator.most_allocated(), 32 * kMiB);
}

RC_GTEST_PROP(CachingAllocator, ReservesWhatIsAllocatedAndGivesAllOfItBack, ()) {
  CachingAllocator allocator;
  std::map<CachingAllocator::Block, std::int64_t> blocks;
  std::int64_t allocated = 0;
  const auto sizes =
      *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(1, 40 * kMiB));
  for (const std::int64_t bytes : sizes) {
    const auto block = allocator.allocate(bytes);
    RC_ASSERT(blocks.emplace(block, bytes).second);
    allocated += bytes;
    if (bytes % 3 == 0) {
      const auto freed = blocks.begin();
      allocated -= freed->second;
      allocator.free(freed->first);
      blocks.erase(freed);
    }
    RC_ASSERT(allocator.reserved() >= allocated);
  }
  for (const auto& [block, bytes] : blocks) allocator.free(block);
  allocator.empty_cache();
  RC_ASSERT(allocator.reserved() == 0);
}

}  // namespace
}  // namespace mimus::kernels
