// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/throughput_fit.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace mimus::scheduler {
namespace {

StepSample sample_of(const ThroughputModel& truth, int nodes, int replicas, std::int64_t batch) {
  return {nodes, replicas, batch, truth.compute_time(static_cast<double>(batch)),
          truth.step_time(nodes, replicas, {batch, 1})};
}

// γ = 1: compute and synchronisation are added: 0.1 + 0.01·10 + 0.05 + 0.02·(4 − 2).
TEST(ThroughputModel, WithoutOverlapAStepIsTheSumOfItsParts) {
  const ThroughputModel model{0.1, 0.01, 0.05, 0.02, 0.03, 0.004, 1.0};

  EXPECT_NEAR(model.step_time(2, 4, {10, 1}), 0.29, 1e-12);
  EXPECT_NEAR(model.step_time(1, 4, {10, 1}), 0.2 + 0.038, 1e-12);
  EXPECT_NEAR(model.step_time(2, 4, {10, 3}), 0.29 + 2 * 0.2, 1e-12);
}

// γ = 2: the root of the sum of squares of 0.3 and 0.4.
TEST(ThroughputModel, OverlapIsAPowerMean) {
  const ThroughputModel model{0.3, 0.0, 0.4, 0.0, 0.1, 0.0, 2.0};

  EXPECT_NEAR(model.step_time(2, 2, {1, 1}), 0.5, 1e-8);
}

TEST(FitThroughput, FindsAModelThatExplainsAllSamples) {
  const ThroughputModel truth{0.2, 0.01, 0.3, 0.02, 0.1, 0.005, 1.0};
  std::vector<StepSample> samples;
  for (const std::int64_t batch : {16, 32, 64}) {
    for (const auto& [nodes, replicas] :
         {std::pair{1, 1}, {1, 2}, {1, 4}, {2, 2}, {2, 8}, {4, 16}}) {
      samples.push_back(sample_of(truth, nodes, replicas, batch));
    }
  }

  const auto fit = fit_throughput(samples);

  // L-BFGS-B stops when a step gains less than 2.2e-9, which is a thousandth of the error's 1e-5
  // here.
  EXPECT_LE(fit_error(fit, samples), fit_error(truth, samples) * (1.0 + 1e-3));
  for (const StepSample& s : samples) {
    EXPECT_NEAR(fit.step_time(s.nodes, s.replicas, {s.per_gpu_batch, 1}) / s.step, 1.0, 0.01);
  }
}

// Half of the mean compute time: 0.5 s is explained by 0.25 + 0.25/16 per sample.
TEST(FitThroughput, WithOneBatchSizeHalfTheComputeTimeCountsAsConstant) {
  const std::vector<StepSample> samples{{1, 1, 16, 0.5, 0.5}};

  const auto fit = fit_throughput(samples);

  EXPECT_EQ(fit.alpha_c, 0.25);
  EXPECT_NEAR(fit.beta_c, 0.25 / 16, 1e-9);
}

TEST(FitThroughput, MoreGpusLookPerfectUntilTheyHaveBeenTried) {
  const std::vector<StepSample> samples{{1, 1, 16, 0.5, 0.5}, {1, 1, 32, 0.8, 0.8}};

  const auto fit = fit_throughput(samples);

  EXPECT_EQ(fit.alpha_r, 1e-8);
  EXPECT_EQ(fit.beta_r, 1e-8);
  EXPECT_NEAR(fit.alpha_n, 1.1e-8, 1e-15);
  EXPECT_NEAR(fit.step_time(4, 16, {16, 1}), fit.step_time(1, 1, {16, 1}), 1e-6);
}

TEST(FitThroughput, NodesCountAsWorseThanReplicasUntilTheyHaveBeenTried) {
  const ThroughputModel truth{0.2, 0.01, 0.3, 0.02, 0.1, 0.005, 1.2};
  const std::vector<StepSample> samples{sample_of(truth, 1, 1, 16), sample_of(truth, 1, 2, 16),
                                        sample_of(truth, 1, 4, 32)};

  const auto fit = fit_throughput(samples);

  EXPECT_NEAR(fit.alpha_n, 1.1 * fit.alpha_r, 1e-12);
  EXPECT_NEAR(fit.beta_n, 1.1 * fit.beta_r, 1e-12);
  EXPECT_GT(fit.alpha_r, 0.01);
}

// In this fit the search direction of L-BFGS-B goes uphill, which it would print.
TEST(FitThroughput, PrintsNothing) {
  ::testing::internal::CaptureStdout();
  (void)fit_throughput(std::vector<StepSample>{{1, 1, 8, 0.018, 0.018}, {1, 4, 8, 0.018, 0.022}});
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

TEST(FitThroughput, WantsASample) {
  EXPECT_THROW((void)fit_throughput({}), InternalError);
}

}  // namespace
}  // namespace mimus::scheduler
