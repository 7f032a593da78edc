// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What Gavel's artifact does beside its programs: the interior of their optima, and its baselines.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/planner/gavel/artifact_queue.hpp"
#include "scheduler/planner/gavel/first_come.hpp"
#include "scheduler/planner/gavel/random_pairs.hpp"

namespace mimus::scheduler::test {
namespace {

SharedTypes::Jobs rated_job(std::vector<double> rates, int gang = 1) {
  SharedTypes::Jobs job;
  job.rates = std::move(rates);
  job.gang = gang;
  return job;
}

double sum(const std::vector<double>& fractions) {
  return std::accumulate(fractions.begin(), fractions.end(), 0.0);
}

/// Jobs with ids from 0 on.
struct Present {
  std::vector<JobView> views;
  std::vector<PlanJob> jobs;
};
Present present(const std::vector<int>& ids, const std::vector<int>& gangs) {
  Present result;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    result.views.push_back(estimated(ids[i], gangs[i], 0.0, 1'000.0));
    result.views.back().requested_gang = gangs[i];
  }
  for (const JobView& view : result.views) result.jobs.push_back({.view = &view});
  return result;
}

/// Two jobs need one of three types each; a corner would leave two types without time.
TEST(GavelInside, TimeIsSpreadOverAllTypes) {
  const SharedTypes shared{.gpus = {2, 2, 2}, .jobs = {rated_job({1, 1, 1}), rated_job({1, 1, 1})}};
  for (const std::vector<double>& fractions : most_equal(shared, Spare::interior)) {
    for (const double fraction : fractions) EXPECT_NEAR(fraction, 1.0 / 3.0, 0.05);
  }
}

/// Two of three jobs share a GPU without loss, so that all make what they would make alone.
TEST(GavelInside, TimeThatIsLeftGoesToPairsToo) {
  SharedTypes shared{.gpus = {2}, .jobs = {rated_job({1}), rated_job({1}), rated_job({1})}};
  shared.pairs.push_back({.jobs = {0, 1}, .rates = {{{1}, {1}}}});
  const TimeFractions fractions = most_equal(shared, Spare::interior);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(rate_of(shared, fractions, i), 1.0, 1e-4);
  EXPECT_GT(fractions[3][0], 0.5);
}

TEST(GavelInside, TheFairestFinishIsAsFair) {
  SharedTypes shared{.gpus = {1, 2},
                     .jobs = {rated_job({4, 1}), rated_job({4, 1}), rated_job({1, 1})}};
  for (std::size_t i = 0; i < 3; ++i) {
    shared.jobs[i].remaining = 1000.0 * static_cast<double>(i + 1);
    shared.jobs[i].alone = time_alone(shared, shared.jobs[i], 3);
  }
  const auto largest_rho = [&](Spare fill) {
    const TimeFractions fractions = fairest_finish(shared, fill);
    double largest = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& of = shared.jobs[i];
      largest = std::max(largest, of.remaining / rate_of(shared, fractions, i) / of.alone);
    }
    return largest;
  };
  EXPECT_NEAR(largest_rho(Spare::interior) / largest_rho(Spare::any), 1.0, 1e-4);
}

TEST(FirstCome, JobsHaveTheirFastestTypeAnew) {
  FirstCome queue(false);
  SharedTypes shared{.gpus = {1, 1},
                     .jobs = {rated_job({1, 2}), rated_job({1, 4}), rated_job({1, 1})}};
  Present all = present({0, 1, 2}, {1, 1, 1});
  EXPECT_EQ(queue.fractions(all.jobs, shared), (TimeFractions{{0, 1}, {1, 0}, {0, 0}}));
  shared.jobs.erase(shared.jobs.begin());
  all = present({1, 2}, {1, 1});
  EXPECT_EQ(queue.fractions(all.jobs, shared), (TimeFractions{{0, 1}, {1, 0}}));
}

TEST(FirstCome, JobsKeepTheirTypeUntilTheyEnd) {
  FirstCome queue(true);
  SharedTypes shared{.gpus = {1, 1},
                     .jobs = {rated_job({1, 1}), rated_job({1, 1}), rated_job({1, 1})}};
  Present all = present({0, 1, 2}, {1, 1, 1});
  EXPECT_EQ(queue.fractions(all.jobs, shared), (TimeFractions{{1, 0}, {0, 1}, {0, 0}}));
  shared.jobs.erase(shared.jobs.begin());
  all = present({1, 2}, {1, 1});
  EXPECT_EQ(queue.fractions(all.jobs, shared), (TimeFractions{{0, 1}, {1, 0}}));
}

/// A gang that does not fit holds up the smaller one after it.
TEST(FirstCome, NobodyOvertakes) {
  FirstCome queue(true);
  const SharedTypes shared{.gpus = {2},
                           .jobs = {rated_job({1}), rated_job({1}, 2), rated_job({1})}};
  const Present all = present({0, 1, 2}, {1, 2, 1});
  EXPECT_EQ(queue.fractions(all.jobs, shared), (TimeFractions{{1}, {0}, {0}}));
}

/// Type 1 is exhausted first; in about half of the seeds, type 0 is removed in its place.
TEST(ArtifactQueue, AnotherTypeThanTheExhaustedOneMayBeRemoved) {
  const SharedTypes shared{.gpus = {2, 1}, .jobs = {4, rated_job({1, 1})}};
  const Present all = present({0, 1, 2, 3}, {1, 1, 1, 1});
  int as_meant = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const TimeFractions given = ArtifactQueue(seed).fractions(all.jobs, shared, {0, 1});
    if (given == TimeFractions{{0, 1}, {1, 0}, {1, 0}, {0, 0}}) {
      ++as_meant;
    } else {
      // Type 1 is left, and no GPU of it.
      EXPECT_EQ(given, (TimeFractions{{0, 1}, {0, 0}, {0, 0}, {0, 0}}));
    }
  }
  EXPECT_GT(as_meant, 30);
  EXPECT_LT(as_meant, 70);
}

/// As above with one type more, which has GPUs: the jobs that follow share those of the exhausted
/// one.
TEST(ArtifactQueue, JobsShareTheExhaustedType) {
  const SharedTypes shared{.gpus = {2, 2, 1}, .jobs = {4, rated_job({1, 1, 1})}};
  const Present all = present({0, 1, 2, 3}, {1, 1, 1, 1});
  const TimeFractions shared_turns(4, {0, 0, 1});
  int in_turns = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    in_turns += ArtifactQueue(seed).fractions(all.jobs, shared, {0, 1, 2}) == shared_turns;
  }
  EXPECT_GT(in_turns, 50);
  EXPECT_LT(in_turns, 80);
}

TEST(ArtifactQueue, TheTypeOfAJobPassesToTheNextOne) {
  ArtifactQueue queue(1);
  SharedTypes shared{.gpus = {1}, .jobs = {2, rated_job({1})}};
  Present all = present({0, 1}, {1, 1});
  EXPECT_EQ(queue.fractions(all.jobs, shared, {0}), (TimeFractions{{1}, {0}}));
  all = present({1, 2}, {1, 1});
  EXPECT_EQ(queue.fractions(all.jobs, shared, {0}), (TimeFractions{{1}, {0}}));
}

SharedTypes four_jobs_in_pairs(double beside) {
  SharedTypes shared{.gpus = {1, 1}, .jobs = {}};
  for (std::size_t a = 0; a < 4; ++a) {
    shared.jobs.push_back(rated_job({2, 1}));
    for (std::size_t b = a + 1; b < 4; ++b) {
      const std::vector<double> rates{2 * beside, beside};
      shared.pairs.push_back({.jobs = {a, b}, .rates = {rates, rates}});
    }
  }
  return shared;
}

TEST(RandomPairs, JobsThatFitAreAlone) {
  RandomPairs pairs(1);
  SharedTypes shared = four_jobs_in_pairs(0.9);
  shared.gpus = {2, 2};
  const auto fractions = pairs.fractions(present({0, 1, 2, 3}, {1, 1, 1, 1}).jobs, shared);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(fractions[i], (std::vector<double>{0.5, 0.5})) << i;
  for (std::size_t i = 4; i < fractions.size(); ++i) EXPECT_EQ(sum(fractions[i]), 0.0) << i;
}

/// The sum over two types is 2 × 2 × 0.9 ≥ 1: the two pairs stay as they are.
TEST(RandomPairs, OthersAreInPairsThatStay) {
  RandomPairs pairs(1);
  const SharedTypes shared = four_jobs_in_pairs(0.9);
  const Present all = present({0, 1, 2, 3}, {1, 1, 1, 1});
  const TimeFractions first = pairs.fractions(all.jobs, shared);
  int in_pairs = 0;
  for (std::size_t i = 4; i < first.size(); ++i) {
    if (sum(first[i]) == 0.0) continue;
    EXPECT_EQ(first[i], (std::vector<double>{0.5, 0.5}));
    ++in_pairs;
  }
  EXPECT_EQ(in_pairs, 2);
  for (int again = 0; again < 20; ++again) EXPECT_EQ(pairs.fractions(all.jobs, shared), first);
}

/// 2 × 2 × 0.2 < 1: other pairs sooner or later.
TEST(RandomPairs, SlowPairsAreMadeAnew) {
  RandomPairs pairs(1);
  const SharedTypes shared = four_jobs_in_pairs(0.2);
  const Present all = present({0, 1, 2, 3}, {1, 1, 1, 1});
  const TimeFractions first = pairs.fractions(all.jobs, shared);
  bool has_changed = false;
  for (int again = 0; again < 20; ++again) {
    has_changed = has_changed || pairs.fractions(all.jobs, shared) != first;
  }
  EXPECT_TRUE(has_changed);
}

TEST(RandomPairs, GangsOfDifferentSizesStayAlone) {
  RandomPairs pairs(1);
  SharedTypes shared = four_jobs_in_pairs(0.9);
  shared.jobs.resize(2);
  shared.jobs[1].gang = 2;
  shared.pairs.clear();
  const auto fractions = pairs.fractions(present({0, 1}, {1, 2}).jobs, shared);
  EXPECT_EQ(fractions, (TimeFractions{{0.5, 0.5}, {0.25, 0.25}}));
}

}  // namespace
}  // namespace mimus::scheduler::test
