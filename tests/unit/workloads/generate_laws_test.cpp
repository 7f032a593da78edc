// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/generate/alias_table.hpp"
#include "workloads/generate/failure_classes.hpp"
#include "workloads/generate/run_time_law.hpp"
#include "workloads/generate/shares.hpp"
#include "workloads/statistics/distribution.hpp"

namespace mimus::workloads {
namespace {

constexpr Duration kEver = std::chrono::hours(24 * 36'500);

std::vector<double> drawn_shares(const std::vector<double>& weights, int draws) {
  const AliasTable table(weights);
  RandomStream random(1, "alias");
  std::vector<double> shares(weights.size(), 0.0);
  for (int i = 0; i < draws; ++i) shares[table.draw(random)] += 1.0 / draws;
  return shares;
}

// The standard error of a share p over n draws is sqrt(p (1 - p) / n) < 0.0012 at n = 200,000.
TEST(AliasTable, DrawsInProportionToTheWeights) {
  const auto shares = drawn_shares({1.0, 0.0, 5.0, 2.0, 2.0}, 200'000);
  EXPECT_NEAR(shares[0], 0.1, 0.004);
  EXPECT_EQ(shares[1], 0.0);
  EXPECT_NEAR(shares[2], 0.5, 0.005);
  EXPECT_NEAR(shares[3], 0.2, 0.005);
  EXPECT_NEAR(shares[4], 0.2, 0.005);
}

TEST(AliasTable, OneEntryAlwaysComesUp) {
  EXPECT_DOUBLE_EQ(drawn_shares({0.3}, 4)[0], 1.0);
}

TEST(AliasTable, RefusesWeightsThatAreAllZero) {
  const std::vector<double> none{0.0, 0.0};
  EXPECT_THROW(AliasTable{none}, InternalError);
}

// Without a longest run time, mean = median e^(sigma²/2): sigma = sqrt(2 ln(29001 / 1196))
// = 2.5251.
TEST(RunTimeLaw, SigmaFollowsFromMedianAndMean) {
  const auto law =
      RunTimeLaw::fitted(std::chrono::seconds(1196), std::chrono::seconds(29'001), kEver);
  EXPECT_NEAR(law.sigma(), 2.5251, 0.02);
  EXPECT_NEAR(law.mean(), 29'001.0, 1.0);
}

TEST(RunTimeLaw, CutTailIsMadeUpForBySpread) {
  const auto law = RunTimeLaw::fitted(std::chrono::seconds(1196), std::chrono::seconds(29'001),
                                      std::chrono::hours(60 * 24));
  EXPECT_GT(law.sigma(), 2.6);
  EXPECT_NEAR(law.mean(), 29'001.0, 1.0);
}

TEST(RunTimeLaw, MeanEqualToTheMedianHasNoSpread) {
  const auto law = RunTimeLaw::fitted(std::chrono::seconds(50), std::chrono::seconds(50), kEver);
  RandomStream random(1, "law");
  EXPECT_NEAR(law.draw(random).seconds, 50.0, 1e-3);
}

// sigma 1: sample median within 1.25 sigma / sqrt(n) = 0.4 % at n = 100,000; the mean of a law with
// variance (e - 1) e within 0.5 %.
TEST(RunTimeLaw, DrawsHaveTheStatedMedianAndMean) {
  const auto law =
      RunTimeLaw::fitted(std::chrono::seconds(1000), std::chrono::milliseconds(1'648'721), kEver);
  RandomStream random(3, "law");
  std::vector<double> values;
  for (int i = 0; i < 100'000; ++i) values.push_back(law.draw(random).seconds);
  const Distribution drawn(std::move(values));
  EXPECT_NEAR(drawn.quantile(0.5), 1000.0, 15.0);
  EXPECT_NEAR(drawn.mean(), 1648.7, 30.0);
}

// The mean deviate over 200,000 draws, weighted by their seconds, is accurate to about 0.5 %.
TEST(RunTimeLaw, TimeWeighsTheLongOnes) {
  const RunTimeLaw law(100.0, 2.0, 20'000.0);
  RandomStream random(7, "law");
  double total = 0.0, weighted = 0.0;
  for (int i = 0; i < 200'000; ++i) {
    const auto draw = law.draw(random);
    total += draw.seconds;
    weighted += draw.seconds * draw.normal;
  }
  EXPECT_NEAR(weighted / total, law.time_weighted_normal(), 0.02);
}

TEST(RunTimeLaw, NothingExceedsTheLongest) {
  const auto law = RunTimeLaw::fitted(std::chrono::seconds(100), std::chrono::seconds(150),
                                      std::chrono::seconds(1000));
  RandomStream random(5, "law");
  for (int i = 0; i < 20'000; ++i) EXPECT_LE(law.draw(random).seconds, 1000.0);
}

// Draws below 1 s are raised to 1 s. With a median below 1 s this would affect most of them, and
// the workload would offer more than the requested load.
TEST(RunTimeLaw, MediansBelowTheShortestRunTimeAreRefused) {
  for (const std::string source : {"philly-like", "pai-like"}) {
    const std::string yaml = "{source: " + source + ", jobs: 9, load: 0.5, median_run_time: ";

    const std::string refused =
        test::message_of([&] { (void)test::make_workload(yaml + "900 ms, mean_run_time: 5 s}"); });
    EXPECT_THAT(refused,
                testing::HasSubstr("workload.median_run_time: expected a duration with a "
                                   "unit (ns, us, ms, s, min, h, d) >= 1, got \"900 ms\""));
    EXPECT_EQ(test::make_workload(yaml + "1 s, mean_run_time: 5 s}").jobs.size(), 9U);
  }
}

TEST(RunTimeLaw, RefusesWhatNoLawFulfils) {
  using std::chrono::seconds;
  EXPECT_THAT(
      test::message_of([] { (void)RunTimeLaw::fitted(seconds(10), seconds(5), seconds(100)); }),
      testing::HasSubstr("their mean is never below their median"));
  EXPECT_THAT(
      test::message_of([] { (void)RunTimeLaw::fitted(seconds(10), seconds(200), seconds(100)); }),
      testing::HasSubstr("the longest must lie above the mean"));
  EXPECT_THAT(
      test::message_of([] { (void)RunTimeLaw::fitted(seconds(1), seconds(90), seconds(100)); }),
      testing::HasSubstr("raise the longest or the median"));
}

// Weights 1, 1/2, 1/3, 1/4 sum to 25/12.
TEST(Shares, ZipfFallsWithTheRank) {
  EXPECT_THAT(zipf_shares(4, 1.0),
              testing::ElementsAre(testing::DoubleEq(0.48), testing::DoubleEq(0.24),
                                   testing::DoubleEq(0.16), testing::DoubleEq(0.12)));
}

// Claims 3.5, 2.1 and 1.4: the largest remainder gets the seventh. In the second case the tiny ones
// get one each, and 8 are left.
TEST(Shares, WholePartsSumToWhatIsDivided) {
  using testing::ElementsAre;
  EXPECT_THAT(apportioned(7, std::vector{0.5, 0.3, 0.2}), ElementsAre(4, 2, 1));
  EXPECT_THAT(apportioned(10, std::vector{0.9, 0.05, 0.05}), ElementsAre(8, 1, 1));
  EXPECT_THAT(apportioned(3, std::vector{0.9, 0.05, 0.05}), ElementsAre(1, 1, 1));
  EXPECT_THAT(apportioned(5, std::vector{0.2}), ElementsAre(5));
}

TEST(Shares, TopOfSkewedSharesHasWhatWasAsked) {
  const auto shares = skewed_shares(1300, 65, 0.77);
  double top = 0.0, all = 0.0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    all += shares[i];
    if (i < 65) top += shares[i];
  }
  EXPECT_NEAR(top, 0.77, 1e-9);
  EXPECT_NEAR(all, 1.0, 1e-9);
}

TEST(Shares, LessThanEqualSharesAreEqual) {
  for (const double share : skewed_shares(10, 5, 0.1)) EXPECT_DOUBLE_EQ(share, 0.1);
}

// Half of the trials of class 0 end within its median of 13.45 min.
TEST(FailureClasses, TimesFollowTheQuantilesOfTheClass) {
  const FailureClasses classes(FailureStudy::philly);
  RandomStream random(1, "failures");
  int below = 0;
  for (int i = 0; i < 20'000; ++i) {
    below += to_seconds(classes.draw_time(0, random)) < 13.45 * 60.0 ? 1 : 0;
  }
  EXPECT_NEAR(below / 20'000.0, 0.5, 0.015);
}

TEST(FailureClasses, MostFrequentIsTheCpusMemory) {
  const FailureClasses classes(FailureStudy::philly);
  RandomStream random(2, "failures");
  int of_memory = 0;
  for (int i = 0; i < 20'000; ++i) {
    of_memory +=
        classes[classes.draw_class(random)].reason == std::string_view("CPU out of memory") ? 1 : 0;
  }
  EXPECT_NEAR(of_memory / 20'000.0, 12'076.0 / 39'628.0, 0.015);
}

}  // namespace
}  // namespace mimus::workloads
