// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/gpu_time.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace mimus::results {
namespace {

UtilisationRow span(double begin, double end, std::int64_t up, std::int64_t held,
                    std::int64_t queued = 0) {
  UtilisationRow row;
  row.begin = begin;
  row.end = end;
  row.gpus = up;
  row.gpus_held = held;
  row.queued_jobs = queued;
  return row;
}

TEST(GpuTime, LeavesOutWhatLiesOutsideTheWindow) {
  GpuTime time;
  time.add(span(0, 10, 4, 0));   // idle: half of it before the first arrival
  time.add(span(10, 20, 4, 3));  // 30 held, 40 up
  time.add(span(20, 30, 2, 1));  // a node is down: 10 held, 20 up
  time.add(span(30, 50, 4, 0));  // idle: 5 s before the last end

  const auto sums = time.within({5, 35});

  EXPECT_DOUBLE_EQ(sums.held, 40);
  EXPECT_DOUBLE_EQ(sums.up, 5 * 4 + 40 + 20 + 5 * 4);
  EXPECT_DOUBLE_EQ(time.observed_end(), 50);
}

TEST(GpuTime, CountsIdleTimeBetweenJobs) {
  GpuTime time;
  time.add(span(0, 10, 2, 2));
  time.add(span(10, 30, 2, 0));
  time.add(span(30, 40, 2, 1));

  const auto sums = time.within({0, 40});

  EXPECT_DOUBLE_EQ(sums.held, 30);
  EXPECT_DOUBLE_EQ(sums.up, 80);
}

TEST(GpuTime, OfNothingIsZero) {
  EXPECT_EQ(GpuTime().within({0, 10}).up, 0);
}

// A cell as a testbed sees it: idle, then rows with and without jobs, then idle again. The window
// begins and ends within the idle periods.
TEST(GpuTime, EqualsTheIntegralOverAllRowsForEveryCell) {
  const bool holds = rc::check([] {
    const auto rows = *rc::gen::inRange(1, 30);
    GpuTime time;
    std::vector<UtilisationRow> all;
    double at = 0;
    const auto append = [&](std::int64_t held, std::int64_t queued) {
      const double length = *rc::gen::inRange(1, 100) * 0.5;
      all.push_back(span(at, at + length, *rc::gen::inRange(4, 7), held, queued));
      time.add(all.back());
      at += length;
    };
    append(0, 0);
    const double first = at * 0.5;
    append(*rc::gen::inRange(0, 5), 1);
    for (int i = 0; i < rows; ++i) append(*rc::gen::inRange(0, 5), *rc::gen::inRange(0, 2));
    append(1, 0);
    const double last = at + 0.25;
    append(0, 0);

    const auto sums = time.within({first, last});

    double held = 0;
    double up = 0;
    for (const auto& row : all) {
      const double length = std::max(0.0, std::min(row.end, last) - std::max(row.begin, first));
      held += length * static_cast<double>(row.gpus_held);
      up += length * static_cast<double>(row.gpus);
    }
    RC_ASSERT(std::abs(sums.held - held) <= 1e-9 * up);
    RC_ASSERT(std::abs(sums.up - up) <= 1e-9 * up);
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace mimus::results
