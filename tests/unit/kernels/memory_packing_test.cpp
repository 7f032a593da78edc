// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensors that live at different times share memory: hand-made cases, properties of any tensors,
// and the memory that PyTorch was measured to use.
#include "kernels/plan/memory_packing.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace mimus::kernels {
namespace {

// 512 bytes from launch 0 to 1 and from 2 to 3 share a place. 256 bytes from 1 to 2 overlap with
// both.
TEST(MemoryPacking, GivesAPlaceToThoseThatNeverMeet) {
  const std::vector<std::int64_t> offsets =
      pack_memory({{256, 1, 2}, {512, 0, 1}, {512, 2, 3}}, {});
  EXPECT_EQ(offsets, (std::vector<std::int64_t>{512, 0, 0}));
}

// A tensor that launch 2 makes is at 1024 bytes. 1536 bytes that end before may overlap it, those
// that do not may not, and 1024 bytes fit below it.
TEST(MemoryPacking, LeavesRoomForWhatHasAPlace) {
  const std::vector<PlacedLifetime> placed{{1024, {512, 2, 9}}};
  EXPECT_EQ(pack_memory({{1536, 0, 1}}, placed).at(0), 0);
  EXPECT_EQ(pack_memory({{1536, 0, 2}}, placed).at(0), 1536);
  EXPECT_EQ(pack_memory({{1024, 0, 2}}, placed).at(0), 0);
}

TEST(MemoryPacking, KeepsTensorsWithoutBytesOutOfTheWay) {
  EXPECT_EQ(pack_memory({{0, 0, 9}, {256, 0, 9}}, {}), (std::vector<std::int64_t>{0, 0}));
}

// Needed at launches 0 and 4 only, a tensor shares its place with those of launches 1 to 3, and not
// with one of launch 4.
TEST(MemoryPacking, GivesThePlaceOfOneThatWaitsToOthers) {
  const Lifetime waits{512, 0, 4, {0, 4}};
  EXPECT_EQ(pack_memory({waits, {256, 1, 3}}, {}), (std::vector<std::int64_t>{0, 0}));
  EXPECT_EQ(pack_memory({waits, {256, 3, 4}}, {}), (std::vector<std::int64_t>{0, 512}));
  const Lifetime also_waits{256, 1, 9, {1, 3, 9}};
  EXPECT_EQ(pack_memory({waits, also_waits}, {}), (std::vector<std::int64_t>{0, 0}));
}

/// Some of them are not needed at every second launch of their life.
std::vector<Lifetime> any_lifetimes() {
  return *rc::gen::container<std::vector<Lifetime>>(rc::gen::apply(
      [](int blocks, std::size_t first, std::size_t launches, bool waits) {
        Lifetime life{256 * std::int64_t{blocks}, first, first + launches};
        for (std::size_t at = first; waits && at <= life.last; at += 2) life.only_at.push_back(at);
        if (waits) life.last = life.only_at.back();
        return life;
      },
      rc::gen::inRange(1, 20), rc::gen::inRange<std::size_t>(0, 30),
      rc::gen::inRange<std::size_t>(0, 9), rc::gen::arbitrary<bool>()));
}

/// Whether some launch needs both.
bool are_needed_together(const Lifetime& a, const Lifetime& b) {
  const auto needs = [](const Lifetime& life, std::size_t at) {
    if (at < life.first || at > life.last) return false;
    return life.only_at.empty() ||
           std::find(life.only_at.begin(), life.only_at.end(), at) != life.only_at.end();
  };
  for (std::size_t at = 0; at < 64; ++at) {
    if (needs(a, at) && needs(b, at)) return true;
  }
  return false;
}

RC_GTEST_PROP(MemoryPacking, KeepsApartWhatLivesAtTheSameTime, ()) {
  const std::vector<Lifetime> tensors = any_lifetimes();
  const std::vector<PlacedLifetime> placed{{0, {512, 8, 40}}, {512, {1024, 20, 40}}};
  const auto offsets = pack_memory(tensors, placed);
  std::vector<PlacedLifetime> all = placed;
  for (std::size_t i = 0; i < tensors.size(); ++i) all.push_back({offsets[i], tensors[i]});
  for (std::size_t a = 0; a < all.size(); ++a) {
    RC_ASSERT(all[a].offset >= 0);
    for (std::size_t b = a + 1; b < all.size(); ++b) {
      const bool apart = all[a].offset + all[a].life.bytes <= all[b].offset ||
                         all[b].offset + all[b].life.bytes <= all[a].offset;
      RC_ASSERT(apart || !are_needed_together(all[a].life, all[b].life));
    }
  }
}

}  // namespace
}  // namespace mimus::kernels
