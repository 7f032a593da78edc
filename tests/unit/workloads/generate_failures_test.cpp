// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/generate/failure_classes.hpp"

namespace mimus::workloads {
namespace {

constexpr int kDraws = 200'000;

/// Shares of reasons among draws for one gang.
std::map<std::string, double> shares_drawn(const FailureClasses& classes, std::size_t gang = 0) {
  RandomStream random(11, "failure shares");
  std::map<std::string, double> shares;
  for (int i = 0; i < kDraws; ++i) {
    shares[classes[classes.draw_class(random, gang)].reason] += 1.0 / kDraws;
  }
  return shares;
}

double share_of_machines(const FailureClasses& classes, std::size_t gang = 0) {
  double share = 0.0;
  const auto shares = shares_drawn(classes, gang);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto found = shares.find(classes[i].reason);
    if (classes[i].of_machines && found != shares.end()) share += found->second;
  }
  return share;
}

// ATC'19 counts 39,776 trials; 147 of them are of classes with fewer than 100.
TEST(FailureClasses, AllOfPhillyAddUpToItsTrials) {
  double trials = 0.0, frequent = 0.0;
  for (const auto& one : philly_failures()) trials += all_trials(one);
  for (const auto& one : philly_failures().first(kFrequentOfPhilly)) frequent += all_trials(one);

  const FailureClasses all(FailureStudy::philly_all);

  EXPECT_EQ(trials, 39'776.0);
  EXPECT_EQ(frequent, 39'629.0);
  EXPECT_EQ(all.size(), 22U);
  EXPECT_EQ(FailureClasses(FailureStudy::philly).size(), 17U);
  EXPECT_NEAR(shares_drawn(all).at("model diverged"), 84.0 / 39'776.0, 5e-4);
}

// ATC'19, Table 7: 11,465 of the 12,076 trials without memory for the CPU were of single GPUs, and
// 47 of the 49 with an unfitting CUDA of more than four.
TEST(FailureClasses, OfPhillyDependOnTheGang) {
  const FailureClasses classes(FailureStudy::philly_all, {1, 3, 16});
  const auto alone = shares_drawn(classes, 0), some = shares_drawn(classes, 1),
             many = shares_drawn(classes, 2);

  EXPECT_NEAR(alone.at("CPU out of memory"), 11'465.0 / 26'029.0, 0.005);
  EXPECT_NEAR(some.at("CUDA failure"), 1'153.0 / 7'597.0, 0.005);
  EXPECT_NEAR(many.at("CPU out of memory"), 376.0 / 6'150.0, 0.005);
  EXPECT_NEAR(many.at("CUDA version mismatch"), 47.0 / 6'150.0, 0.001);
}

// NSDI'24: failures of infrastructure are 11 % of all and take 82 % of the failed jobs' GPU time.
TEST(FailureClasses, OfAcmeHaveThePublishedShares) {
  const FailureClasses classes(FailureStudy::acme);
  double gpu_time = 0.0, of_machines = 0.0;
  for (const auto& one : acme_failures()) {
    const auto& trials = std::get<TrialsOfMean>(one.trials);
    const double time = trials.trials * trials.gang * std::get<FailureMean>(one.minutes).mean;
    gpu_time += time;
    of_machines += one.of_machines ? time : 0.0;
  }

  EXPECT_NEAR(share_of_machines(classes), 0.11, 0.005);
  // Trials × mean GPUs × mean time knows nothing of longer jobs being larger.
  EXPECT_NEAR(of_machines / gpu_time, 0.82, 0.08);
}

TEST(FailureClasses, OfAcmeTakeTheirPublishedTimes) {
  const FailureClasses classes(FailureStudy::acme);
  RandomStream random(12, "failure times");
  std::vector<double> drawn;
  double sum = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    drawn.push_back(to_seconds(classes.draw_time(0, random)) / 60.0);
    sum += drawn.back();
  }
  std::nth_element(drawn.begin(), drawn.begin() + kDraws / 2, drawn.end());

  EXPECT_STREQ(classes[0].reason, "NVLink error");
  EXPECT_NEAR(drawn[kDraws / 2], 155.3, 3.0);
  EXPECT_NEAR(sum / kDraws, 868.1, 60.0);
}

// Large jobs fail by machines, small ones by their scripts.
TEST(FailureClasses, OfAcmeDependOnTheGang) {
  const FailureClasses classes(FailureStudy::acme, {1, 64, 1024});

  EXPECT_LT(share_of_machines(classes, 0), 0.05);
  EXPECT_GT(share_of_machines(classes, 1), share_of_machines(classes, 0));
  EXPECT_GT(share_of_machines(classes, 2), 0.4);
}

/// If sizes are as in the study, so are the classes: ∫ exp(-g / m) / m dg = 1.
TEST(FailureClasses, OfAcmeAddUpOverSizes) {
  constexpr double kStep = 4.0;
  for (const auto& one : acme_failures()) {
    if (std::get<TrialsOfMean>(one.trials).gang < 40.0) continue;  // the sum would be coarse
    double trials = 0.0;
    for (int gang = 2; gang < 20'000; gang += 4) trials += kStep * trials_of_gang(one, gang);
    EXPECT_NEAR(trials / all_trials(one), 1.0, 0.01) << one.reason;
  }
}

TEST(PhillyLike, FailuresCanBeThoseOfAcme) {
  const auto workload = test::make_workload(
      "{source: philly-like, jobs: 20000, mean_interarrival: 60 s, failing_attempts: 2, "
      "failure_classes: acme, failures_by_gang: true, failure_clock: by_class}");
  std::map<std::string, int> reasons;
  for (const Job& job : workload.jobs) {
    for (const auto& failure : job.failures.failures) ++reasons[failure.reason];
  }
  EXPECT_GT(reasons["type error"], reasons["import error"]);
  EXPECT_GT(reasons["import error"], 0);
  EXPECT_EQ(reasons.count("CPU out of memory"), 0U);
}

}  // namespace
}  // namespace mimus::workloads
