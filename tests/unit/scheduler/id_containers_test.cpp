// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/random.hpp"
#include "scheduler/containers/id_map.hpp"
#include "scheduler/containers/id_pool.hpp"

namespace mimus::scheduler::test {
namespace {

TEST(IdMap, IsTheSameAsAMapUnderAnyHistory) {
  RandomStream random(4, "id map");
  IdMap<JobId, int> map;
  std::map<JobId, int> expected;
  for (int i = 0; i < 20'000; ++i) {
    const JobId id{random.below(300)};
    if (random.uniform() < 0.5) {
      ASSERT_EQ(map.insert(id, i), expected.emplace(id, i).second);
    } else {
      ASSERT_EQ(map.erase(id), expected.erase(id) == 1);
    }
    const JobId other{random.below(300)};
    const auto found = expected.find(other);
    ASSERT_EQ(map.find(other) != nullptr, found != expected.end());
    if (found != expected.end()) {
      ASSERT_EQ(*map.find(other), found->second);
    }
  }
  EXPECT_EQ(map.size(), expected.size());
}

TEST(IdMap, IsAsLargeAsTheMostIdsAtOneTime) {
  IdMap<JobId, int> map;
  map.insert(JobId{0}, 0);  // is never removed
  for (std::int64_t id = 1; id < 1'000'000; ++id) {
    map.insert(JobId{id}, 1);
    if (id > 10) map.erase(JobId{id - 10});
  }

  EXPECT_EQ(map.size(), 11U);
  EXPECT_LE(map.capacity(), 32U);
  EXPECT_EQ(map.find(JobId{}), nullptr);
}

TEST(IdPool, IsTheSameAsAMapAndItsValuesStay) {
  RandomStream random(4, "id pool");
  IdPool<JobId, std::unique_ptr<int>> pool;
  std::map<JobId, std::unique_ptr<int>*> expected;
  for (int i = 0; i < 20'000; ++i) {
    const JobId id{random.below(300)};
    if (expected.erase(id) == 1) {
      pool.erase(id);
    } else {
      expected[id] = &pool.emplace(id, std::make_unique<int>(static_cast<int>(id.value())));
    }
    const JobId other{random.below(300)};
    const auto found = expected.find(other);
    ASSERT_EQ(pool.find(other), found == expected.end() ? nullptr : found->second);
    if (found != expected.end()) {
      ASSERT_EQ(**pool.find(other), other.value());
    }
  }
  std::vector<JobId> ids;
  for (const auto& [id, value] : expected) ids.push_back(id);
  EXPECT_EQ(pool.ids(), ids);
}

TEST(IdPool, RefusesAnIdTwiceAndAnIdItDoesNotHave) {
  IdPool<JobId, int> pool;
  pool.emplace(JobId{3}, 7);

  EXPECT_THROW(pool.emplace(JobId{3}, 8), InternalError);
  EXPECT_THROW(pool.erase(JobId{4}), InternalError);
  EXPECT_EQ(pool.at(JobId{3}), 7);
}

TEST(IdPool, IsAsItWasWhenAValueCannotBeMade) {
  struct Reluctant {
    explicit Reluctant(bool willing) {
      if (!willing) throw std::runtime_error("no");
    }
  };
  IdPool<JobId, Reluctant> pool;

  EXPECT_THROW(pool.emplace(JobId{1}, false), std::runtime_error);
  EXPECT_TRUE(pool.empty());
  pool.emplace(JobId{1}, true);
  EXPECT_EQ(pool.size(), 1U);
}

}  // namespace
}  // namespace mimus::scheduler::test
