// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/loss_beliefs.hpp"

#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/estimate/fitted_estimate.hpp"

namespace mimus::scheduler::test {
namespace {

/// A job whose loss is 1 ÷ (x/1000 + 1) + 0.1 after x samples and whose owner ends it at 0.2: after
/// 9,000 samples, of which each epoch has 500.
JobView trained(double samples) {
  JobView view = job(0);
  view.model.target_loss = 0.2;
  view.epoch_samples = 500.0;
  view.progress.samples_done = samples;
  return view;
}

JobSample report(double samples) {
  JobSample sample;
  sample.samples_done = samples;
  sample.loss = 1.0 / (samples / 1000.0 + 1.0) + 0.1;
  sample.end = at(samples / 10.0);
  sample.steps = 10;
  sample.batch = {32, 1};
  sample.step = seconds(0.5);
  return sample;
}

template <class Estimate>
void observe_until(Estimate& beliefs, double samples) {
  for (double x = 500.0; x <= samples; x += 500.0) beliefs.observe(trained(x), report(x));
}

TEST(LossBeliefs, FindTheEndOfAJobByItsTargetLoss) {
  LossBeliefs beliefs(LossRule::optimus, seconds(1));
  observe_until(beliefs, 3000.0);

  EXPECT_NEAR(*beliefs.samples_left(trained(3000.0)), 6000.0, 60.0);
}

// Twenty epochs of 500 samples; no loss is believed before the third report.
TEST(LossBeliefs, TakeTwentyEpochsUntilTheyKnowBetter) {
  LossBeliefs beliefs(LossRule::optimus, seconds(1));
  observe_until(beliefs, 1000.0);

  EXPECT_EQ(beliefs.find(JobId{0}), nullptr);
  EXPECT_DOUBLE_EQ(*beliefs.samples_left(trained(1000.0)), 10000.0);
}

// The fit falls to 0.1 at the most, so it never comes to 0.05. 100 epochs of 10 samples are 1,000.
TEST(LossBeliefs, EndTrainingsAfterAHundredEpochs) {
  LossBeliefs beliefs(LossRule::optimus, seconds(1));
  observe_until(beliefs, 3000.0);
  JobView job = trained(3000.0);

  job.model.target_loss = 0.05;
  EXPECT_NEAR(*beliefs.samples_left(job), 20 * 500.0, 1e-9);
  job.model.target_loss = 0.2;
  job.epoch_samples = 50.0;
  EXPECT_NEAR(*beliefs.samples_left(job), 100 * 50.0 - 3000.0, 1e-9);
  job.progress.samples_done = 1e6;
  EXPECT_EQ(*beliefs.samples_left(job), 50.0);
}

TEST(LossBeliefs, SayNothingOfAJobWithoutEpochsAndLosses) {
  LossBeliefs beliefs(LossRule::optimus, seconds(1));
  JobView job = trained(0.0);
  job.epoch_samples = 0.0;

  EXPECT_EQ(beliefs.samples_left(job), std::nullopt);
}

// From 500 to 1,500 samples the loss falls from 1/1.5 to 1/2.5: 2.667e-4 per sample. Later, slower.
TEST(LossBeliefs, RememberTheSteepestDecline) {
  LossBeliefs beliefs(LossRule::slaq, seconds(1));
  observe_until(beliefs, 1500.0);
  const double first = beliefs.find(JobId{0})->steepest;
  observe_until(beliefs, 8000.0);

  EXPECT_NEAR(first, 2.667e-4, 1e-5);
  EXPECT_GE(beliefs.find(JobId{0})->steepest, first);
}

// Reports of 3 s in place of 9 s: after eight there are two, after nine a third one to be fitted.
TEST(LossBeliefs, JoinShortReports) {
  LossBeliefs beliefs(LossRule::slaq, seconds(10));
  for (int i = 1; i <= 9; ++i) {
    EXPECT_EQ(beliefs.find(JobId{0}), nullptr) << i;
    JobSample sample = report(100.0 * i);
    sample.begin = at(3.0 * (i - 1));
    sample.end = at(3.0 * i);
    beliefs.observe(trained(100.0 * i), sample);
  }
  EXPECT_NE(beliefs.find(JobId{0}), nullptr);
}

TEST(LossBeliefs, AreForgottenWithTheirJob) {
  LossBeliefs beliefs(LossRule::slaq, seconds(1));
  observe_until(beliefs, 3000.0);
  beliefs.forget(JobId{0});

  EXPECT_EQ(beliefs.find(JobId{0}), nullptr);
}

TEST(FittedEstimateWithLosses, TellsWhatIsLeft) {
  const auto estimate = policy("estimate: {name: fitted, loss: optimus}").estimate;
  observe_until(*estimate, 3000.0);
  EXPECT_NEAR(*estimate->samples_left(trained(3000.0)), 6000.0, 60.0);
  EXPECT_NE(estimate->loss(trained(3000.0)), nullptr);

  const auto without = policy("estimate: fitted").estimate;
  observe_until(*without, 3000.0);
  EXPECT_EQ(without->samples_left(trained(3000.0)), std::nullopt);
  EXPECT_EQ(without->loss(trained(3000.0)), nullptr);
}

}  // namespace
}  // namespace mimus::scheduler::test
