// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/epochs_estimate.hpp"

#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

// 1 GPU: mean of the last five of 90, 100 … 100; 4 GPUs: 250. 2 is a third of the way, 8 as far
// again as from 1 to 4 and a third more.
TEST(SizeTable, IsLinearBetweenWhatWasMeasured) {
  SizeTable table;
  table.add(1, 90.0);
  EXPECT_DOUBLE_EQ(table.at(1), 90.0);
  EXPECT_DOUBLE_EQ(table.at(3), 270.0);  // in proportion, from 0 GPUs
  for (int i = 0; i < 5; ++i) table.add(1, 100.0);
  table.add(4, 250.0);

  EXPECT_DOUBLE_EQ(table.at(1), 100.0);
  EXPECT_DOUBLE_EQ(table.at(2), 150.0);
  EXPECT_DOUBLE_EQ(table.at(8), 450.0);
}

TEST(SizeTable, IsNeverNegative) {
  SizeTable table;
  table.add(1, 100.0);
  table.add(2, 50.0);

  EXPECT_DOUBLE_EQ(table.at(4), 0.0);
}

JobView training(int id, double epoch_samples, double epochs) {
  JobView view = job(id);
  view.epoch_samples = epoch_samples;
  view.progress.samples_done = epoch_samples * epochs;
  return view;
}

/// Reports ten times an epoch; its loss falls from 1 to 0 over `all` epochs.
void train(EpochsEstimate& estimate, int id, double epoch_samples, double from, double to,
           double all) {
  for (double epochs = from; epochs <= to + 1e-9; epochs += 0.1) {
    JobSample sample;
    sample.samples_done = epoch_samples * epochs;
    sample.loss = 1.01 - epochs / all;
    sample.steps = 10;
    sample.gpus = 2;
    sample.batch = {32, 1};
    sample.step = seconds(0.5);
    estimate.observe(training(id, epoch_samples, epochs), sample);
  }
}

double epochs_left(const EpochsEstimate& estimate, int id, double epoch_samples) {
  const auto left = estimate.samples_left(training(id, epoch_samples, 0.0));
  return left ? *left / epoch_samples : -1.0;
}

TEST(EpochsEstimate, KnowsNothingBeforeAJobHasFinished) {
  EpochsEstimate estimate({});
  train(estimate, 0, 1000.0, 0.1, 3.0, 10.0);

  EXPECT_EQ(epochs_left(estimate, 0, 1000.0), -1.0);
}

// Two jobs of ten epochs of 1,000 samples and two of forty of 100,000 have finished. The five
// trainings that are nearest to one of 1,000 samples after three epochs are those after two, three
// and four epochs of the first two: 7 epochs left in the mean of 7, 7, 8 or 6 …
TEST(EpochsEstimate, TakesTheMeanOfWhatWasLeftOfJobsThatWereAlike) {
  EpochsEstimate estimate({});
  for (const int id : {0, 1}) train(estimate, id, 1000.0, 0.1, 10.0, 10.0);
  for (const int id : {2, 3}) train(estimate, id, 100000.0, 0.1, 40.0, 40.0);
  for (const int id : {0, 1}) estimate.learn(training(id, 1000.0, 10.0), at(0));
  for (const int id : {2, 3}) estimate.learn(training(id, 100000.0, 40.0), at(0));

  train(estimate, 4, 1000.0, 0.1, 3.0, 10.0);
  train(estimate, 5, 100000.0, 0.1, 3.0, 40.0);

  EXPECT_NEAR(epochs_left(estimate, 4, 1000.0), 7.0, 0.61);
  EXPECT_NEAR(epochs_left(estimate, 5, 100000.0), 37.0, 0.61);
  estimate.left(training(4, 1000.0, 3.0));
  EXPECT_EQ(epochs_left(estimate, 4, 1000.0), -1.0);
}

TEST(EpochsEstimate, TellsThroughputByTheNumberOfGpus) {
  const auto estimate = policy("ones").estimate;
  EXPECT_EQ(estimate->name(), "epochs");
  const JobView view = training(0, 1000.0, 1.0);
  EXPECT_FALSE(estimate->rate_on(view, {1, 2}));
  train(dynamic_cast<EpochsEstimate&>(*estimate), 0, 1000.0, 0.1, 1.0, 10.0);

  EXPECT_DOUBLE_EQ(*estimate->rate_on(view, {1, 2})({32, 1}), 128.0);  // 64 samples in 0.5 s
  EXPECT_DOUBLE_EQ(*estimate->rate_on(view, {1, 4})({32, 1}), 256.0);
}

}  // namespace
}  // namespace mimus::scheduler::test
