// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/time_fractions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace mimus::scheduler {
namespace {

constexpr double kExact = 1e-6;

SharedTypes::Jobs job(std::vector<double> rates, int gang = 1) {
  SharedTypes::Jobs job;
  job.rates = std::move(rates);
  job.gang = gang;
  return job;
}

/// A and B are four times as fast on the V100, D makes no difference.
SharedTypes three_jobs() {
  return {.gpus = {1, 1}, .jobs = {job({4, 1}), job({4, 1}), job({1, 1})}};
}

double sum(const std::vector<double>& fractions) {
  double sum = 0.0;
  for (const double fraction : fractions) sum += fraction;
  return sum;
}

TEST(TimeFractions, FastTypesGoToThoseWhoGainMostByThem) {
  const SharedTypes shared = three_jobs();
  const TimeFractions fractions = most_equal(shared, Spare::any);
  // A and B would make 2.5 on their part, D 1: all have 0.8333 of that.
  EXPECT_NEAR(rate_of(shared, fractions, 0) / 2.5, 5.0 / 6.0, kExact);
  EXPECT_NEAR(rate_of(shared, fractions, 1) / 2.5, 5.0 / 6.0, kExact);
  EXPECT_NEAR(rate_of(shared, fractions, 2), 5.0 / 6.0, kExact);
  EXPECT_NEAR(fractions[2][0], 0.0, kExact);
  EXPECT_NEAR(fractions[2][1], 5.0 / 6.0, kExact);
}

TEST(TimeFractions, WhatIsLeftFillsTheNextSmallest) {
  SharedTypes shared{.gpus = {2, 2}, .jobs = {job({4, 1}), job({4, 1}), job({4, 1}), job({1, 1})}};
  const TimeFractions fractions = most_equal(shared, Spare::least);
  EXPECT_NEAR(rate_of(shared, fractions, 3), 1.0, kExact);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(rate_of(shared, fractions, i) / 2.5, 1.2, kExact);
  }
}

/// Jobs of `kinds` kinds, any two of which may share GPUs.
SharedTypes kinds_in_pairs(std::uint64_t seed, int kinds) {
  RandomStream random(seed, "kinds");
  SharedTypes shared{.gpus = {36, 36, 36}, .jobs = {}};
  for (int i = 0; i < kinds; ++i) {
    shared.jobs.push_back(
        job({random.uniform(2, 100), random.uniform(1, 50), random.uniform(0.5, 10)}));
    shared.jobs.back().count = static_cast<int>(1 + random.below(6));
  }
  for (std::size_t a = 0; a < shared.jobs.size(); ++a) {
    for (std::size_t b = a; b < shared.jobs.size(); ++b) {
      if (a == b && shared.jobs[a].count < 2) continue;
      SharedTypes::Pair& pair = shared.pairs.emplace_back();
      pair.jobs = {a, b};
      for (const std::size_t member : {0U, 1U}) {
        for (const double rate : shared.jobs[pair.jobs[member]].rates) {
          pair.rates[member].push_back(rate * random.uniform(0.5, 0.95));
        }
      }
    }
  }
  return shared;
}

/// Gang × rate over what the job would make on all types in equal parts.
std::vector<double> normalised_rates(const SharedTypes& shared, const TimeFractions& fractions) {
  std::vector<double> rates;
  for (std::size_t i = 0; i < shared.jobs.size(); ++i) {
    rates.push_back(rate_of(shared, fractions, i) / sum(shared.jobs[i].rates));
  }
  return rates;
}

/// GLPK's presolver takes some of these programs for infeasible (seed 6).
TEST(TimeFractions, WhatPairsLeaveFillsTheNextSmallest) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const SharedTypes shared = kinds_in_pairs(seed, 20);
    auto any = normalised_rates(shared, most_equal(shared, Spare::any));
    auto least = normalised_rates(shared, most_equal(shared, Spare::least));
    std::ranges::sort(any);
    std::ranges::sort(least);
    EXPECT_NEAR(least.front(), any.front(), kExact) << seed;
    const auto differ = std::ranges::mismatch(
        least, any, [](double a, double b) { return std::abs(a - b) < kExact; });
    EXPECT_TRUE(differ.in1 == least.end() || *differ.in1 > *differ.in2) << seed;
  }
}

TEST(TimeFractions, LargeGangsHaveAsMuchOfTheGpusAsSmallOnes) {
  const SharedTypes shared{.gpus = {2}, .jobs = {job({1}, 1), job({1}, 2)}};
  const TimeFractions fractions = most_equal(shared, Spare::any);
  EXPECT_NEAR(fractions[0][0], 1.0, kExact);
  EXPECT_NEAR(fractions[1][0], 0.5, kExact);
}

/// One type, equal jobs: each has min(1, GPUs ÷ jobs).
TEST(TimeFractions, EqualJobsHaveEqualShares) {
  for (const int jobs : {1, 3, 4, 10}) {
    SharedTypes shared{.gpus = {4}, .jobs = {}};
    for (int i = 0; i < jobs; ++i) shared.jobs.push_back(job({2}));
    for (const auto& row : most_equal(shared, Spare::any)) {
      EXPECT_NEAR(row[0], std::min(1.0, 4.0 / jobs), kExact) << jobs;
    }
  }
}

TEST(TimeFractions, AlikeJobsTogetherHaveWhatTheyHaveOneByOne) {
  SharedTypes shared = three_jobs();
  shared.jobs.erase(shared.jobs.begin());
  shared.jobs[0].count = 2;
  const TimeFractions fractions = most_equal(shared, Spare::any);
  EXPECT_NEAR(rate_of(shared, fractions, 0) / 2.5, 5.0 / 6.0, kExact);
  EXPECT_NEAR(fractions[1][1], 5.0 / 6.0, kExact);
}

/// Equal GPU time is 1 of 4 GPUs each, 3 in all. Half of the last one goes to each of the gangs, of
/// which the large one had a quarter of its time and the other one a half.
TEST(TimeFractions, WhatIsLeftGoesToAllInEqualPartsOfGpus) {
  const SharedTypes shared{.gpus = {4}, .jobs = {job({1}, 1), job({3}, 2), job({1}, 4)}};
  const TimeFractions fractions = most_equal(shared, Spare::equal);
  EXPECT_NEAR(fractions[0][0], 1.0, kExact);
  EXPECT_NEAR(fractions[1][0], 0.75, kExact);
  EXPECT_NEAR(fractions[2][0], 0.375, kExact);
}

TEST(TimeFractions, AllHaveTheSameTime) {
  const SharedTypes shared{
      .gpus = {1, 2},
      .jobs = {job({4, 1}), job({1, 1}, 2), job({1, 1}), job({1, 1}), job({1, 1}), job({1, 1})}};
  for (const auto& row : same_time(shared)) {
    EXPECT_NEAR(row[0], 0.5 / 3.0, kExact);
    EXPECT_NEAR(row[1], 1.0 / 3.0, kExact);
  }
}

/// The bisection of 100 to 10⁶ s ends with bounds 5 % apart. GPUs that are left then are shared.
TEST(TimeFractions, AMakespanMayBeFoundByBisection) {
  SharedTypes shared{.gpus = {2}, .jobs = {job({1}), job({1}), job({1})}};
  for (auto& job : shared.jobs) job.remaining = 1200;
  const double exact =
      shared.jobs[0].remaining / rate_of(shared, shortest_makespan(shared, Spare::any, 0.0), 0);
  EXPECT_NEAR(exact, 1800.0, 1800.0 * kExact);
  const double near =
      shared.jobs[0].remaining / rate_of(shared, shortest_makespan(shared, Spare::any, 0.05), 0);
  EXPECT_GT(near, 1800.0);
  EXPECT_LT(near, 1800.0 * 1.05);
  const double shares = sum(shortest_makespan(shared, Spare::equal, 0.05)[0]);
  EXPECT_NEAR(shares, 2.0 / 3.0, kExact);
}

/// An equal split would take 2,400 s.
TEST(TimeFractions, TheMakespanIsShortest) {
  SharedTypes shared = three_jobs();
  shared.jobs[0].remaining = shared.jobs[1].remaining = 4000;
  shared.jobs[2].remaining = 1000;
  const TimeFractions fractions = shortest_makespan(shared, Spare::any, 0.0);
  double makespan = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    makespan = std::max(makespan, shared.jobs[i].remaining / rate_of(shared, fractions, i));
  }
  EXPECT_NEAR(makespan, 1800.0, 1800.0 * kExact);
  EXPECT_NEAR(fractions[2][0], 0.0, kExact);
  EXPECT_NEAR(fractions[2][1], 1000.0 / 1800.0, kExact);
}

TEST(TimeFractions, FinishTimesAreFairest) {
  SharedTypes shared = three_jobs();
  shared.jobs[0].remaining = shared.jobs[1].remaining = 4000;
  shared.jobs[2].remaining = 1000;
  shared.jobs[1].age = 600;
  EXPECT_NEAR(time_alone(shared, shared.jobs[0], 3), 2400.0, 2400.0 * kExact);
  EXPECT_NEAR(time_alone(shared, shared.jobs[2], 3), 1500.0, 1500.0 * kExact);
  for (auto& job : shared.jobs) job.alone = time_alone(shared, job, 3);
  const TimeFractions fractions = fairest_finish(shared, Spare::any);
  // ρ solves Σ over jobs of remaining ÷ (4 or 1 iterations/s) …: 0.92370 to five digits.
  const double rho = (1000.0 / rate_of(shared, fractions, 2)) / 1500.0;
  EXPECT_NEAR(rho, 0.92370, 5e-6);
  EXPECT_NEAR(fractions[2][1], 1000.0 / (1500.0 * rho), kExact);
  EXPECT_NEAR(fractions[2][0], 0.0, kExact);
  EXPECT_NEAR(rate_of(shared, fractions, 0), 1.8043, 5e-5);
  EXPECT_NEAR(rate_of(shared, fractions, 1), 2.4739, 5e-5);
}

SharedTypes three_speeds() {
  return {.gpus = {1, 1}, .jobs = {job({4, 1}), job({3, 2}), job({1, 1})}};
}

TEST(TimeFractions, MostWorkIsDoneByThoseWhoAreFast) {
  const SharedTypes shared = three_speeds();
  const TimeFractions fractions = most_work(shared, {1, 1});
  EXPECT_NEAR(fractions[0][0], 1.0, kExact);
  EXPECT_NEAR(fractions[1][1], 1.0, kExact);
  EXPECT_NEAR(sum(fractions[2]), 0.0, kExact);
}

TEST(TimeFractions, DeadlinesAreKeptWhereTheyCanBe) {
  SharedTypes shared = three_speeds();
  shared.jobs[2].least_rate = 0.5;
  TimeFractions fractions = most_work(shared, {1, 1});
  EXPECT_NEAR(fractions[0][0], 1.0, kExact);
  EXPECT_NEAR(fractions[1][1], 0.5, kExact);
  EXPECT_NEAR(fractions[2][1], 0.5, kExact);
  shared.jobs[2].least_rate = 1.2;  // cannot be: no deadline is kept then
  fractions = most_work(shared, {1, 1});
  EXPECT_NEAR(fractions[1][1], 1.0, kExact);
  EXPECT_NEAR(sum(fractions[2]), 0.0, kExact);
}

/// Work per price: J0 makes 4 ÷ 4 on the first type, 1 on the second.
TEST(TimeFractions, ExpensiveTypesAreForThoseWhoAreWorthIt) {
  SharedTypes shared{.gpus = {1, 1}, .jobs = {job({4, 1}), job({3, 2})}};
  const TimeFractions fractions = most_work(shared, {0.5, 0.1});
  // 4/0.5 + 2/0.1 = 28 against 3/0.5 + 1/0.1 = 16.
  EXPECT_NEAR(fractions[0][0], 1.0, kExact);
  EXPECT_NEAR(fractions[1][1], 1.0, kExact);
}

/// A and B alone 10, together 7 and 6 on one GPU: 0.9091 of the time together, else B alone.
TEST(TimeFractions, PairsShareGpus) {
  SharedTypes shared{.gpus = {1}, .jobs = {job({10}), job({10})}};
  EXPECT_NEAR(rate_of(shared, most_equal(shared, Spare::any), 0), 5.0, kExact);
  shared.pairs.push_back({.jobs = {0, 1}, .rates = {{{7}, {6}}}});
  const TimeFractions fractions = most_equal(shared, Spare::any);
  EXPECT_NEAR(rate_of(shared, fractions, 0) / 10.0, 7.0 / 11.0, kExact);
  EXPECT_NEAR(rate_of(shared, fractions, 1) / 10.0, 7.0 / 11.0, kExact);
  EXPECT_NEAR(fractions[2][0], 10.0 / 11.0, kExact);
  EXPECT_NEAR(fractions[1][0], 1.0 / 11.0, kExact);
  EXPECT_NEAR(fractions[0][0], 0.0, kExact);
}

/// Three alike jobs on one GPU: each is in two of the three pairs, which have all of the time.
TEST(TimeFractions, AlikeJobsInPairsHaveWhatTheyHaveOneByOne) {
  SharedTypes each{.gpus = {1}, .jobs = {job({10}), job({10}), job({10})}};
  const std::vector<std::array<std::size_t, 2>> pairs{{0, 1}, {0, 2}, {1, 2}};
  for (const auto& jobs : pairs) {
    each.pairs.push_back({.jobs = jobs, .rates = {{{7}, {7}}}});
  }
  SharedTypes together{.gpus = {1}, .jobs = {job({10})}};
  together.jobs[0].count = 3;
  together.pairs.push_back({.jobs = {0, 0}, .rates = {{{7}, {7}}}});
  for (const SharedTypes& shared : {each, together}) {
    EXPECT_NEAR(rate_of(shared, most_equal(shared, Spare::any), 0), 14.0 / 3.0, kExact);
  }
  EXPECT_NEAR(most_equal(together, Spare::any)[1][0], 1.0, kExact);
}

/// A of a kind of two, B alone of its kind: a pair's time is that of both pairs of A and B.
TEST(TimeFractions, PairsOfDifferentKindsAreCountedTogether) {
  SharedTypes shared{.gpus = {2}, .jobs = {job({10}), job({4})}};
  shared.jobs[0].count = 2;
  shared.pairs.push_back({.jobs = {0, 1}, .rates = {{{8}, {4}}}});
  const TimeFractions fractions = most_work(shared, {1});
  // B beside an A costs 2 iterations of it and gains 4: all of its time, half of that beside each.
  EXPECT_NEAR(fractions[2][0], 1.0, kExact);
  EXPECT_NEAR(rate_of(shared, fractions, 0), (10.0 + 8.0) / 2.0, kExact);
  EXPECT_NEAR(rate_of(shared, fractions, 1), 4.0, kExact);
}

TEST(TimeFractions, PairsShortenTheMakespan) {
  SharedTypes shared{.gpus = {1}, .jobs = {job({10}), job({10})}};
  for (auto& each : shared.jobs) each.remaining = 1000;
  const auto alone = shortest_makespan(shared, Spare::any, 0.0);
  EXPECT_NEAR(rate_of(shared, alone, 0), 5.0, kExact);
  shared.pairs.push_back({.jobs = {0, 1}, .rates = {{{7}, {6}}}});
  EXPECT_NEAR(rate_of(shared, shortest_makespan(shared, Spare::any, 0.0), 1), 70.0 / 11.0, kExact);
}

TEST(TimeFractions, JobsKeepOffTypesOnWhichTheyCannotRun) {
  const SharedTypes shared{.gpus = {1, 4}, .jobs = {job({2, 0}), job({2, 1})}};
  const TimeFractions fractions = most_equal(shared, Spare::least);
  EXPECT_EQ(fractions[0][1], 0.0);
  EXPECT_GT(fractions[0][0], 0.0);
}

TEST(TimeFractions, EqualProgramsHaveEqualAnswers) {
  EXPECT_EQ(most_equal(three_jobs(), Spare::least), most_equal(three_jobs(), Spare::least));
}

}  // namespace
}  // namespace mimus::scheduler
