// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/trace/activity_log.hpp"

#include <gtest/gtest.h>

namespace mimus::kernels::cuda {
namespace {

WallInstant host(std::int64_t nanoseconds) {
  return WallInstant{Duration{nanoseconds}};
}

/// Both clocks have the same rate; the device's is 1000 ns ahead.
const ClockPair kFrom{2000, host(1000)};
const ClockPair kTo{12'000, host(11'000)};

TEST(ActivityLog, ShortensAndClassifiesEachNameOnce) {
  ActivityLog log{10};
  log.add_kernel("_ZN5mimus7kernels4cuda15elementwise_mapIfEEvPT_", 7, 3000, 4000);
  log.add_kernel("ampere_sgemm_128x64_tn", 7, 4000, 5000);
  log.add_kernel("_ZN5mimus7kernels4cuda15elementwise_mapIfEEvPT_", 8, 5000, 6000);

  const auto trace = log.take(kFrom, kTo);

  ASSERT_EQ(trace.names.size(), 2U);
  EXPECT_EQ(trace.names[0].text, "elementwise_map");
  EXPECT_EQ(trace.names[0].kind, KernelClass::elementwise);
  EXPECT_EQ(trace.names[1].kind, KernelClass::gemm);
  ASSERT_EQ(trace.activities.size(), 3U);
  EXPECT_EQ(trace.activities[2].name, 0U);
  EXPECT_EQ(trace.activities[2].stream, 8U);
  EXPECT_EQ(trace.activities[2].bytes, 0U);
}

TEST(ActivityLog, PutsActivitiesOnTheHostsClockInOrder) {
  ActivityLog log{10};
  log.add_kernel("late", 0, 9000, 9500);
  log.add_memory("memcpy HtoD", KernelClass::copy, 1, 1500, 3000, 4096);

  const auto trace = log.take(kFrom, kTo);

  ASSERT_EQ(trace.activities.size(), 2U);
  EXPECT_EQ(trace.activities[0].begin, host(500)) << "before the first reading of the clocks";
  EXPECT_EQ(trace.activities[0].end, host(2000));
  EXPECT_EQ(trace.activities[0].bytes, 4096U);
  EXPECT_EQ(trace.names[trace.activities[0].name].kind, KernelClass::copy);
  EXPECT_EQ(trace.activities[1].begin, host(8000));
}

TEST(ActivityLog, TakesOutTheDriftBetweenBothClocks) {
  ActivityLog log{10};
  log.add_kernel("k", 0, 1000, 2000);

  // 10 ns of the device's clock last 11 ns on the host.
  const auto trace = log.take({0, host(0)}, {10'000, host(11'000)});

  EXPECT_EQ(trace.activities[0].begin, host(1100));
  EXPECT_EQ(trace.activities[0].end, host(2200));
}

TEST(ActivityLog, CountsWhatItDoesNotKeep) {
  ActivityLog log{2};
  log.add_kernel("a", 0, 1, 2);
  log.add_kernel("unfinished", 0, 5, 0);
  log.add_kernel("b", 0, 2, 3);
  log.add_kernel("over the bound", 0, 3, 4);
  log.add_dropped(5);

  const auto trace = log.take(kFrom, kTo);

  EXPECT_EQ(trace.activities.size(), 2U);
  EXPECT_EQ(trace.dropped, 7U);
}

TEST(ActivityLog, IsEmptyAfterATrace) {
  ActivityLog log{1};
  log.add_kernel("a", 0, 1, 2);
  (void)log.take(kFrom, kTo);
  log.add_kernel("b", 0, 1, 2);

  const auto trace = log.take(kFrom, kTo);

  ASSERT_EQ(trace.names.size(), 1U);
  EXPECT_EQ(trace.names[0].text, "b");
  EXPECT_EQ(trace.activities.size(), 1U);
  EXPECT_EQ(trace.dropped, 0U);
}

TEST(ActivityLog, SurvivesAKernelWithoutAName) {
  ActivityLog log{1};
  log.add_kernel(nullptr, 0, 1, 2);

  const auto trace = log.take(kFrom, kTo);

  EXPECT_EQ(trace.names[0].text, "");
  EXPECT_EQ(trace.names[0].kind, KernelClass::other);
}

}  // namespace
}  // namespace mimus::kernels::cuda
