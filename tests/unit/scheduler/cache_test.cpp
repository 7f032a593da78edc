// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/cache/lru.hpp"
#include "scheduler/cache/robus.hpp"

namespace mimus::scheduler::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kGB = 1e9;

JobView reads(const char* tenant, const char* set, double gigabytes, double rate, int gang = 1) {
  JobView view = job_of(tenant, 0, gang);
  view.data = {set, Bytes{gigabytes * kGB}, BytesPerSecond{rate}};
  return view;
}

std::map<std::string, double> kept(Cache& cache, const std::vector<JobView>& jobs, double gigabytes,
                                   Instant now) {
  std::vector<const JobView*> readers;
  for (const JobView& one : jobs) readers.push_back(&one);
  std::map<std::string, double> amounts;
  for (const KeptData& data : cache.decide({readers, Bytes{gigabytes * kGB}, now}).kept) {
    amounts[data.set] = data.amount.value / kGB;
  }
  return amounts;
}

TEST(LruCache, KeepsAllThatFitsAndForgetsWhatWasReadLongestAgo) {
  LruCache cache;
  (void)kept(cache, {reads("a", "old", 4, 1)}, 10, at(0));
  (void)kept(cache, {reads("a", "recent", 4, 1)}, 10, at(10));

  const auto amounts = kept(cache, {reads("a", "new", 5, 1)}, 10, at(20));

  EXPECT_NEAR(amounts.at("new"), 5, 1e-9);
  EXPECT_NEAR(amounts.at("recent"), 4, 1e-9);
  EXPECT_NEAR(amounts.at("old"), 1, 1e-9);
}

// Equal sets read by 3 replicas and by 1 in a cache of one of them: with u = exp(−T/S) the shares
// are 1 − u³ and 1 − u, together 1: u³ + u = 1, u = 0.6823278.
TEST(LruCache, GivesMoreToThoseWhoReadMore) {
  LruCache cache;

  const auto amounts =
      kept(cache, {reads("a", "busy", 10, 1, 3), reads("b", "quiet", 10, 1)}, 10, at(0));

  EXPECT_NEAR(amounts.at("quiet"), 10 * (1 - 0.6823278), 1e-5);
  EXPECT_NEAR(amounts.at("busy"), 10 * 0.6823278, 1e-5);
}

TEST(Robus, DrawsAnewInEveryEpochAsOftenAsIsFair) {
  Robus cache({}, 7);
  const std::vector<JobView> jobs{reads("a", "x", 10, 1e6), reads("a", "x", 10, 1e6),
                                  reads("b", "y", 10, 9e6), reads("c", "x", 10, 1e6)};
  int x = 0;
  constexpr int kEpochs = 3000;

  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    const auto amounts = kept(cache, jobs, 10, at(40.0 * epoch));
    ASSERT_EQ(amounts.size(), 1U);
    x += static_cast<int>(amounts.contains("x"));
  }

  // Two thirds; the standard deviation of 3,000 draws is 26.
  EXPECT_NEAR(x, 2000, 104);
}

TEST(Robus, KeepsItsSetUntilTheEpochEnds) {
  Robus cache({}, 7);
  const auto first = kept(cache, {reads("a", "x", 10, 1)}, 10, at(15));
  const JobView both[] = {reads("b", "y", 10, 1)};
  const JobView* readers[] = {&both[0]};

  const CacheDecision same = cache.decide({readers, Bytes{10 * kGB}, at(39)});
  const CacheDecision next = cache.decide({readers, Bytes{10 * kGB}, at(40)});

  EXPECT_EQ(first.count("x"), 1U);
  EXPECT_THAT(same.kept, ElementsAre(KeptData{"x", Bytes{10 * kGB}}));
  EXPECT_EQ(same.next, at(40));
  EXPECT_THAT(next.kept, ElementsAre(KeptData{"y", Bytes{10 * kGB}}));
  EXPECT_EQ(next.next, at(80));
}

TEST(Robus, WhatWasResidentStaysWhereThereIsRoom) {
  Robus cache({}, 7);
  (void)kept(cache, {reads("a", "x", 8, 1)}, 10, at(0));

  const auto amounts = kept(cache, {reads("b", "y", 7, 1)}, 10, at(40));

  EXPECT_NEAR(amounts.at("y"), 7, 1e-9);
  EXPECT_NEAR(amounts.at("x"), 3, 1e-9);
}

TEST(Robus, AsksForNoWakeUpWhileNobodyReads) {
  Robus cache({}, 7);

  const CacheDecision decision = cache.decide({{}, Bytes{10 * kGB}, at(3)});

  EXPECT_THAT(decision.kept, IsEmpty());
  EXPECT_EQ(decision.next, kNever);
}

TEST(Robus, UtilitarianAlwaysServesTheLargestReader) {
  Robus::Settings all;
  all.objective = Robus::Objective::utilitarian;
  Robus cache(all, 7);
  const std::vector<JobView> jobs{reads("a", "x", 10, 1e6), reads("b", "y", 10, 9e6)};

  for (int epoch = 0; epoch < 20; ++epoch) {
    EXPECT_EQ(kept(cache, jobs, 10, at(40.0 * epoch)).count("y"), 1U);
  }
}

TEST(Robus, ADataSetThatDoesNotFitIsKeptInPart) {
  Robus cache({}, 7);

  EXPECT_NEAR(kept(cache, {reads("a", "x", 30, 1)}, 10, at(0)).at("x"), 10, 1e-9);
}

}  // namespace
}  // namespace mimus::scheduler::test
