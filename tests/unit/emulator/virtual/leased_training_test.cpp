// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/replay/leased_training.hpp"

#include <gtest/gtest.h>

namespace mimus::emulator::test {
namespace {

/// 45 iterations in epochs of 10, and of 5 with twice the batch, which the code wants from epoch 1
/// on.
workloads::Job growing() {
  workloads::BatchCourse course{.modes = {{10, 1.0, 10, 10.0}, {20, 1.5, 5, 5.0 / 1.5}},
                                .iterations = 45.0,
                                .wanted = {0, 1, 1, 1, 1, 1},
                                .profiled = {0, 1, 1, 1, 1}};
  workloads::Job job;
  job.rates = {{"V100", 1.0}};
  job.run_time = std::chrono::seconds{45};
  job.course = std::make_shared<const workloads::BatchCourse>(std::move(course));
  return job;
}

/// Seen after the first lease, taken after the second: 22 of 45 iterations are in the third epoch
/// of five, which then counts as made, 15 of ⌈45 · 10/20⌉ = 23.
TEST(LeasedTraining, ABatchChangesALeaseAfterItIsWanted) {
  LeasedTraining training(growing());
  EXPECT_EQ(training.rate_at(1.0), 1.0);
  training.end_lease(12.0, 12.0);
  EXPECT_EQ(training.report().mode, 0U);
  EXPECT_EQ(training.report().epochs, 1.2);
  EXPECT_EQ(training.report().iterations_left, 33.0);
  training.end_lease(10.0, 10.0);
  const scheduler::EpochReport report = training.report();
  EXPECT_EQ(report.mode, 1U);
  EXPECT_EQ(report.epochs, 3.0);
  EXPECT_EQ(report.iterations_left, 8.0);
  EXPECT_EQ(report.samples, 100.0);  // of the last lease, with the batch that it had
  EXPECT_EQ(report.trained, 10.0);
  EXPECT_EQ(training.rate_at(2.0), 3.0);  // on a type on which it is twice as fast
  EXPECT_FALSE(training.is_complete());
  training.end_lease(8.0, 8.0 / 1.5);
  EXPECT_TRUE(training.is_complete());
  EXPECT_EQ(training.run_time_done(), 45.0);
}

/// The last epoch counts as made, 25 of 23 iterations: five leases in which nothing is made.
TEST(LeasedTraining, ATrainingOutOfIterationsTakesFiveLeasesMore) {
  LeasedTraining training(growing());
  training.end_lease(12.0, 12.0);
  training.end_lease(29.0, 29.0);
  EXPECT_EQ(training.left(), -2.0);
  for (int lease = 0; lease < 5; ++lease) {
    EXPECT_FALSE(training.is_complete()) << lease;
    training.end_lease(-2.0, 0.0);
  }
  EXPECT_TRUE(training.is_complete());
}

/// 2.5 iterations/s for 40 s.
TEST(LeasedTraining, OtherJobsMakeTheirRunTime) {
  workloads::Job job;
  job.rates = {{"V100", 2.5}, {"K80", 0.5}};
  job.run_time = std::chrono::seconds{40};
  LeasedTraining training(job);
  EXPECT_EQ(training.left(), 100.0);
  EXPECT_EQ(training.rate_at(0.5), 0.5);
  training.end_lease(60.0, 120.0);
  EXPECT_EQ(training.run_time_done(), 24.0);
  training.end_lease(40.0, 80.0);
  EXPECT_TRUE(training.is_complete());
}

}  // namespace
}  // namespace mimus::emulator::test
