// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/fitted_estimate.hpp"

#include <gtest/gtest.h>

#include "samples.hpp"
#include "scheduler/fit/throughput_model.hpp"

namespace mimus::scheduler::test {
namespace {

/// The given numbers of GPUs on nodes of four.
Allocation on_nodes(const std::vector<int>& gpus_by_node) {
  Allocation allocation;
  for (std::size_t node = 0; node < gpus_by_node.size(); ++node) {
    for (int i = 0; i < gpus_by_node[node]; ++i) {
      const auto gpu = static_cast<std::int64_t>(4 * node) + i;
      allocation.slots.push_back({GpuId{gpu}, LaneId{gpu}});
    }
  }
  return allocation;
}

struct FittedThroughput : ::testing::Test {
  FittedThroughput() { estimate.begin(shape(4, 4)); }

  [[nodiscard]] double throughput(const std::vector<int>& gpus_by_node, BatchPlan batch) const {
    return estimate.throughput(view, on_nodes(gpus_by_node), batch).value_or(0.0);
  }

  FittedEstimate estimate{{}};
  JobView view = job(0);
};

TEST_F(FittedThroughput, IsNotBelievedBeforeTheFirstSample) {
  EXPECT_EQ(estimate.throughput(view, on_nodes({1}), {32, 1}), std::nullopt);
  EXPECT_EQ(estimate.noise_scale(view), std::nullopt);
}

// With one batch size, half of the time counts as constant: 0.25 s + 0.25 s ÷ 32 per sample.
// Scaling to a second GPU looks perfect as long as none has been tried.
TEST_F(FittedThroughput, FollowsPolluxPriorsAfterOneSample) {
  estimate.observe(view, sample_at(10));

  EXPECT_NEAR(throughput({1}, {32, 1}), 32 / 0.5, 1e-4);
  EXPECT_NEAR(throughput({1}, {64, 1}), 64 / 0.75, 1e-4);
  EXPECT_NEAR(throughput({1}, {64, 2}), 128 / 1.5, 1e-4);
  EXPECT_NEAR(throughput({2}, {32, 1}), 64 / 0.5, 1e-4);
  EXPECT_NEAR(throughput({1, 1}, {32, 1}), 64 / 0.5, 1e-4);
}

TEST_F(FittedThroughput, IsBelievedOfTwiceTheGpusThatTheJobHasHad) {
  estimate.observe(view, sample_at(10));
  EXPECT_GT(throughput({2}, {32, 1}), 0.0);
  EXPECT_EQ(throughput({3}, {32, 1}), 0.0);

  JobSample two = sample_at(20);
  two.gpus = 2;
  estimate.observe(view, two);

  EXPECT_GT(throughput({4}, {32, 1}), 0.0);
  EXPECT_EQ(throughput({4, 1}, {32, 1}), 0.0);
}

// Seven placements and batches of a job, then placements and batches that it has not had.
TEST_F(FittedThroughput, FindsTheTrueOneToOneInAThousandFromSevenConfigurations) {
  const ThroughputModel truth{0.05, 0.004, 0.12, 0.01, 0.03, 0.004, 1.6};
  const auto measure = [&](int nodes, int gpus, BatchPlan batch, double end) {
    JobSample sample = sample_at(end);
    sample.nodes = nodes;
    sample.gpus = gpus;
    sample.batch = batch;
    const double step = truth.step_time(nodes, gpus, batch);
    sample.step = seconds(step);
    sample.sync =
        seconds(step - batch.accumulation * truth.compute_time(static_cast<double>(batch.per_gpu)));
    estimate.observe(view, sample);
  };
  measure(1, 1, {16, 1}, 100);
  measure(1, 1, {32, 2}, 200);
  measure(1, 2, {32, 1}, 300);
  measure(1, 4, {48, 1}, 400);
  measure(2, 4, {24, 1}, 500);
  measure(2, 8, {64, 1}, 600);
  measure(3, 6, {16, 3}, 700);

  const auto expect_close = [&](const std::vector<int>& gpus_by_node, int gpus, BatchPlan batch) {
    const auto nodes = static_cast<int>(gpus_by_node.size());
    const double expected = static_cast<double>(batch.total(static_cast<std::size_t>(gpus))) /
                            truth.step_time(nodes, gpus, batch);
    EXPECT_NEAR(throughput(gpus_by_node, batch) / expected, 1.0, 0.001) << nodes << " " << gpus;
  };
  expect_close({3}, 3, {20, 1});
  expect_close({3, 3}, 6, {40, 1});
  expect_close({4, 4, 4, 4}, 16, {32, 1});
  expect_close({4, 4, 4, 4}, 16, {64, 2});
  expect_close({1}, 1, {64, 4});
}

// Two micro-batches of 0.2 s, and 0.1 s of waiting for gradients.
TEST(JobSample, TellsAStepOfOneMicroBatch) {
  JobSample sample;
  sample.batch = {32, 2};
  sample.step = seconds(0.5);
  sample.sync = seconds(0.1);

  EXPECT_EQ(sample.compute(), seconds(0.2));
  EXPECT_EQ(sample.short_step(), seconds(0.3));
}

// Two batch sizes: 0.4 s + 0.1 s ÷ 32 per sample, once the second fit is due.
TEST_F(FittedThroughput, IsFittedAnewWhenTheIntervalHasPassed) {
  JobSample large = sample_at(39);
  large.batch = {64, 1};
  large.step = seconds(0.6);
  estimate.observe(view, sample_at(10));
  estimate.observe(view, large);
  EXPECT_NEAR(throughput({1}, {64, 1}), 64 / 0.75, 1e-4);

  large.end = at(40);
  estimate.observe(view, large);

  EXPECT_NEAR(throughput({1}, {64, 1}), 64 / 0.6, 0.1);
  EXPECT_NEAR(throughput({1}, {32, 1}), 32 / 0.5, 0.1);
}

TEST_F(FittedThroughput, LeavesOutWhatWasMeasuredBesideCoTenants) {
  JobSample beside = sample_at(10);
  beside.co_tenants = 1;
  estimate.observe(view, beside);

  EXPECT_EQ(throughput({1}, {32, 1}), 0.0);
}

TEST_F(FittedThroughput, IsForgottenWithItsJob) {
  estimate.observe(view, sample_at(10));
  estimate.left(view);

  EXPECT_EQ(throughput({1}, {32, 1}), 0.0);
}

TEST_F(FittedThroughput, OfAJobSaysNothingOfAnother) {
  estimate.observe(view, sample_at(10));
  view.id = JobId{1};

  EXPECT_EQ(throughput({1}, {32, 1}), 0.0);
}

TEST(FittedThroughputOfModels, IsKnownToJobsThatComeLater) {
  const auto estimate = policy("estimate: {name: fitted, per: model}").estimate;
  EXPECT_EQ(estimate->name(), "fitted(model)");
  estimate->observe(job(0), sample_at(10));
  estimate->left(job(0));
  JobView other = job(2);
  other.model.name = "resnet50";

  EXPECT_NEAR(*estimate->throughput(job(1), on_nodes({1}), {32, 1}), 32 / 0.5, 1e-4);
  EXPECT_EQ(estimate->throughput(other, on_nodes({1}), {32, 1}), std::nullopt);
}

/// A job on two GPUs that has reported φ = 10^6, with or without measurements.
Decision after_report(std::vector<JobSample> samples) {
  Scheduler scheduler(shape(1, 2), policy("{batch: goodput, estimate: fitted}"));
  EXPECT_TRUE(scheduler.wants_samples());
  (void)scheduler.on_event(JobArrived{job(0, 2)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(1));
  return scheduler.on_event(
      ProgressReported{AttemptId{0}, {.noise_scale = 1e6}, std::move(samples)}, at(31));
}

TEST(SchedulerWithFits, ChoosesBatchesByWhatTheJobMeasured) {
  JobSample sample = sample_at(10);
  sample.gpus = 2;

  const auto retunes = actions_of<RetuneBatch>(after_report({sample}));

  ASSERT_EQ(retunes.size(), 1U);
  EXPECT_GT(retunes[0].batch.per_gpu, 55);
  EXPECT_TRUE(actions_of<RetuneBatch>(after_report({})).empty());
}

TEST(SchedulerWithFits, AsksForSamplesOnlyWhereAChoiceIsToLearnFromThem) {
  EXPECT_TRUE(policy("{batch: goodput, estimate: fitted}").wants_samples());
  EXPECT_FALSE(policy("{batch: goodput}").wants_samples());
  EXPECT_FALSE(policy("estimate: fitted").wants_samples()) << "no choice asks for it";
}

}  // namespace
}  // namespace mimus::scheduler::test
