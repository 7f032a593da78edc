// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "builders.hpp"
#include "scheduler/books/job_table.hpp"
#include "scheduler/containers/gpu_bitmap.hpp"
#include "scheduler/containers/sorted_blocks.hpp"
#include "scheduler/queue/running_index.hpp"

namespace mimus::scheduler::test {
namespace {

/// Small blocks, so that few values already split and join many of them.
using SmallBlocks = SortedBlocks<std::int64_t, 8>;

std::vector<std::int64_t> values_of(const SmallBlocks& blocks) {
  std::vector<std::int64_t> values;
  blocks.for_each([&](std::int64_t value) { values.push_back(value); });
  return values;
}

template <class Set>
void expect_same_neighbours(const SmallBlocks& blocks, const Set& set, std::int64_t value) {
  const auto after = set.upper_bound(value);
  const auto from = set.lower_bound(value);
  const std::int64_t* next = blocks.after(value);
  const std::int64_t* last = blocks.before(value);
  ASSERT_EQ(next != nullptr, after != set.end());
  ASSERT_EQ(last != nullptr, from != set.begin());
  if (next != nullptr) {
    ASSERT_EQ(*next, *after);
  }
  if (last != nullptr) {
    ASSERT_EQ(*last, *std::prev(from));
  }
}

// Phases of filling, draining and mixing, so that blocks split, join and become empty.
TEST(SortedBlocks, IsTheSameAsASetUnderAnyHistory) {
  RandomStream random(3, "sorted blocks");
  SmallBlocks blocks;
  std::set<std::int64_t> set;
  for (int i = 0; i < 20'000; ++i) {
    const bool filling = (i / 1000) % 3 != 2;
    const std::int64_t value = random.below(600);
    if (random.uniform() < (filling ? 0.6 : 0.1)) {
      ASSERT_EQ(blocks.insert(value), set.insert(value).second);
    } else {
      ASSERT_EQ(blocks.erase(value), set.erase(value) == 1);
    }
    ASSERT_EQ(blocks.size(), set.size());
    if (!set.empty()) {
      ASSERT_EQ(blocks.front(), *set.begin());
      ASSERT_EQ(blocks.back(), *set.rbegin());
    }
    expect_same_neighbours(blocks, set, random.below(600));
  }
  EXPECT_EQ(values_of(blocks), std::vector<std::int64_t>(set.begin(), set.end()));
}

TEST(SortedBlocks, IsAQueueForValuesThatComeInOrder) {
  SmallBlocks blocks;
  for (std::int64_t value = 0; value < 10'000; ++value) {
    blocks.insert(value);
    if (value >= 20) {
      ASSERT_EQ(blocks.front(), value - 20);
      ASSERT_TRUE(blocks.erase(value - 20));
    }
  }
  EXPECT_EQ(blocks.size(), 20U);
}

TEST(SortedBlocks, VisitsWhileItIsTold) {
  SmallBlocks blocks;
  for (std::int64_t value = 0; value < 100; ++value) blocks.insert(value);
  std::int64_t visited = 0;

  blocks.for_each_while([&](std::int64_t value) {
    ++visited;
    return value < 41;
  });

  EXPECT_EQ(visited, 42);
}

TEST(JobTable, UsesTheMemoryOfJobsThatHaveLeftAgain) {
  JobTable table;
  JobRecord& first = table.add(job(0));
  first.held_until = at(5);
  table.leave(first);
  EXPECT_EQ(table.at(JobId{0}).view.name, "job0") << "known until it is forgotten";
  table.forget_left();

  JobRecord& second = table.add(job(1));

  EXPECT_EQ(&second, &first);
  EXPECT_EQ(second.view.name, "job1");
  EXPECT_EQ(second.held_until, Instant{});
  EXPECT_EQ(table.find(JobId{0}), nullptr);
}

TEST(PendingQueue, ForgetsRequestsThatNobodyMakesAnyMore) {
  PendingQueue queue;
  JobTable table;
  JobRecord& record = table.add(job(0));
  for (int gang = 1; gang <= 10'000; ++gang) {
    const Rank rank{.job = JobId{0}};
    queue.remove(queue.add({.gang = gang}, rank, record), rank);
  }

  EXPECT_TRUE(queue.empty());
  EXPECT_LE(queue.classes(), 200U);
}

TEST(GpuBitmap, CountsAndFindsInAnyRange) {
  GpuBitmap bits(200);
  for (const int gpu : {0, 5, 63, 64, 130, 199}) bits.set(GpuId{gpu}, true);
  bits.set(GpuId{5}, false);

  EXPECT_EQ(bits.count(0, 200), 5);
  EXPECT_EQ(bits.count(1, 64), 1);
  EXPECT_EQ(bits.count(64, 64), 0);
  EXPECT_EQ(bits.first(1, 200), GpuId{63});
  EXPECT_EQ(bits.first(65, 131), GpuId{130});
  EXPECT_FALSE(bits.first(131, 199));
  EXPECT_EQ(bits.first(131, 200), GpuId{199});
}

TEST(NodeIndex, PassesOverCountsThatNoNodeHas) {
  ClusterShape s = shape(3, 200);
  NodeIndex index(s);
  index.set(NodeId{0}, 130);
  index.set(NodeId{1}, 63);
  index.set(NodeId{2}, 64);

  EXPECT_EQ(index.highest(200), 130);
  EXPECT_EQ(index.highest(129), 64);
  EXPECT_EQ(index.highest(63), 63);
  EXPECT_EQ(index.highest(62), 0);
  EXPECT_EQ(index.lowest(1), 63);
  EXPECT_EQ(index.lowest(65), 130);
  EXPECT_EQ(index.lowest(131), 201);
  index.set(NodeId{2}, 0);
  EXPECT_EQ(index.highest(129), 63);
}

// Two jobs that drift by 4 per nanosecond and one that drifts by 1, ranked 10, 20 and 19 at time 0.
// The last one is behind the second only until the drifts have moved it to the front again.
TEST(RunningIndex, GoesFromTheWorstRankOfThatInstantOn) {
  JobTable table;
  RunningIndex index;
  const std::int64_t majors[] = {10, 20, 19};
  const std::int64_t drifts[] = {4000, 4000, 1000};
  for (int id = 0; id < 3; ++id) {
    JobRecord& record = table.add(job(id));
    record.running.drift = drifts[id];
    record.running.rank =
        SteadyRank::of({.major = majors[id], .job = JobId{id}}, drifts[id], Instant{});
    index.add(record);
  }
  const auto walk = [&](std::int64_t time, std::int64_t after) {
    std::vector<std::int64_t> ids;
    RunningIndex::WorstFirst worst(index, Instant{Duration{time}});
    while (JobRecord* record = worst.next_after({.major = after, .job = JobId{}})) {
      ids.push_back(record->view.id.value());
    }
    return ids;
  };

  EXPECT_EQ(walk(0, 0), (std::vector<std::int64_t>{1, 2, 0}));
  EXPECT_EQ(walk(0, 10), (std::vector<std::int64_t>{1, 2, 0})) << "ties go by the job";
  EXPECT_EQ(walk(0, 11), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(walk(10, 30), (std::vector<std::int64_t>{1, 0}));
  EXPECT_TRUE(index.any_after({.major = 59, .job = JobId{}}, Instant{Duration{10}}));
  EXPECT_FALSE(index.any_after({.major = 61, .job = JobId{}}, Instant{Duration{10}}));
}

TEST(RunningIndex, LooksWithinReachOnly) {
  JobTable table;
  RunningIndex index;
  for (int id = 0; id < 3; ++id) {
    JobRecord& record = table.add(job(id));
    record.group = id % 2;
    record.running.rank = SteadyRank::of({.major = 10 * id, .job = JobId{id}}, 0, Instant{});
    index.add(record);
  }
  const auto worst = [&](Reach reach) {
    return RunningIndex::WorstFirst(index, Instant{}, reach).next_after({})->view.id;
  };

  EXPECT_EQ(worst({}), JobId{2});
  EXPECT_EQ(worst({1}), JobId{1});
  EXPECT_TRUE(index.any_after({.major = 15, .job = JobId{}}, Instant{}));
  EXPECT_FALSE(index.any_after({.major = 15, .job = JobId{}}, Instant{}, {1}));
}

// Extrapolated to time zero, 4,096 GPUs over ten years would exceed 64 bits.
TEST(SteadyRank, HoldsForLongTimesAndLargeGangs) {
  const Instant late = at(3.2e8);
  const Rank rank{.major = 5, .minor = 7, .arrival = at(1), .job = JobId{3}};

  const SteadyRank steady = SteadyRank::of(rank, 4'096'000, late);

  EXPECT_EQ(steady.at(4'096'000, late), rank);
  EXPECT_EQ(steady.at(4'096'000, late + Duration{2}).major, 5 + 2 * 4096);
}

// 5.7 and three times 0.25 are 6.45.
TEST(SteadyRank, MovesThousandthsWhereTheDriftHasSome) {
  const Rank rank{.major = 5, .minor = 700, .arrival = at(1), .job = JobId{3}};

  const SteadyRank steady = SteadyRank::of(rank, 250, at(2));

  EXPECT_EQ(steady.at(250, at(2)), rank);
  EXPECT_EQ(steady.at(250, at(2) + Duration{3}), (Rank{6, 450, 0, at(1), JobId{3}}));
}

}  // namespace
}  // namespace mimus::scheduler::test
