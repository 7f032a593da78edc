// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/batch/adabatch.hpp"
#include "scheduler/batch/cabs.hpp"
#include "scheduler/batch/noise_scale_batch.hpp"
#include "scheduler/batch/planned.hpp"
#include "scheduler/estimate/no_estimate.hpp"

namespace mimus::scheduler::test {
namespace {

constexpr BatchLimits kAgentLimits{.per_gpu_min = 8, .per_gpu_max = 64, .total_max = 1024};

class BatchAgents : public ::testing::Test {
 protected:
  BatchAgents() {
    view_ = job(0, 2);
    view_.requested_batch = 64;
    view_.batch = {32, 1};
    view_.model.epoch_samples = 1000;
    view_.model.total_batch_max = 1024;
    for (const int gpu : {0, 1}) allocation_.slots.push_back({GpuId{gpu}, LaneId{gpu}});
    view_.state = JobState::running;
  }
  [[nodiscard]] std::int64_t total(const Batching& agent) const {
    return agent.plan(query()).total(2);
  }
  [[nodiscard]] BatchQuery query() const { return {view_, &allocation_, kAgentLimits, estimate_}; }
  /// Gradients of the job's batch where the noise scale is `phi` and squared norms are `norm`.
  [[nodiscard]] JobSample sample(double phi, std::int64_t steps = 100, double norm = 1.0) const {
    JobSample made;
    made.steps = steps;
    made.gpus = 2;
    made.batch = view_.batch;
    const auto small = static_cast<double>(view_.batch.per_gpu);
    const auto large = static_cast<double>(view_.batch.total(2));
    made.gradients = {small, large, norm * (1.0 + phi / small), norm * (1.0 + phi / large),
                      0.5,   0.1};
    return made;
  }

  JobView view_;
  Allocation allocation_;
  NoEstimate estimate_;
};

// 2 and 4 gradients: G = (4·1.5 − 2·2)/(4 − 2) = 1, S = (2 − 1.5)/(1/2 − 1/4) = 2.
TEST(GradientSample, EstimatesNormAndVarianceFromTwoBatches) {
  const GradientSample sample{2, 4, 2.0, 1.5, 0, 0};

  EXPECT_DOUBLE_EQ(sample.squared_norm(), 1.0);
  EXPECT_DOUBLE_EQ(sample.variance(), 2.0);
}

// 0.6² of the first value is left after two steps, and nothing of nothing.
TEST(MovingAverageOfSteps, ForgetsStepByStep) {
  MovingAverage plain(0.6);
  plain.add(10.0, 3);
  EXPECT_DOUBLE_EQ(plain.value(), 10.0);
  plain.add(20.0, 2);
  EXPECT_DOUBLE_EQ(plain.value(), 0.36 * 10.0 + 0.64 * 20.0);

  MovingAverage begun(0.95, 1.0);
  begun.add(0.0, 1);
  EXPECT_DOUBLE_EQ(begun.value(), 0.95);
}

TEST_F(BatchAgents, BeginWithTheUsersBatch) {
  EXPECT_EQ(total(AdaBatch({})), 64);
  EXPECT_EQ(total(Cabs({})), 64);
  EXPECT_EQ(total(NoiseScaleBatch({})), 64);
}

TEST_F(BatchAgents, LeaveRigidJobsTheirBatch) {
  NoiseScaleBatch agent({});
  agent.observe(view_, sample(300.0));
  view_.rigid = true;

  EXPECT_EQ(total(agent), 64);
  EXPECT_FALSE(agent.retune(query()));
}

// c·lr·variance/loss = 1·0.1·3000/0.5.
TEST(CabsRule, IsThatOfItsAuthors) {
  EXPECT_DOUBLE_EQ(Cabs({}).batch(0.1, 3000.0, 0.5), 600.0);
}

// After 400 steps with a variance of 3,000 and a loss of 0.5 the beginnings 0 and 1 are forgotten;
// after 13 they are not: 0.95^13 = 0.5133 are left.
TEST_F(BatchAgents, CabsAveragesVarianceAndLoss) {
  Cabs agent({});
  agent.observe(view_, sample(3000.0, 13));
  const double left = std::pow(0.95, 13);
  EXPECT_NEAR(static_cast<double>(total(agent)),
              0.1 * 3000.0 * (1 - left) / (left + 0.5 * (1 - left)), 4.0);  // as it divides
  agent.observe(view_, sample(3000.0, 400));
  EXPECT_EQ(total(agent), 600);
  EXPECT_EQ(agent.retune(query())->total(2), 600);
  EXPECT_EQ(agent.learning_rate().rule, LearningRate::Rule::unchanged);
}

TEST_F(BatchAgents, CabsClipsItsBatch) {
  Cabs agent({.least = 100, .most = 200});
  agent.observe(view_, sample(3000.0, 400));
  EXPECT_EQ(total(agent), 200);
  agent.observe(view_, sample(30.0, 400));
  EXPECT_EQ(total(agent), 100);
}

TEST_F(BatchAgents, KungFusBatchIsTheNoiseScale) {
  NoiseScaleBatch agent({});
  agent.observe(view_, sample(300.0));
  EXPECT_EQ(total(agent), 300);

  // Two steps at another one: norms 1 and 2 weigh 0.36 and 0.64, variances 300 and 2·500.
  agent.observe(view_, sample(500.0, 2, 2.0));
  EXPECT_NEAR(static_cast<double>(total(agent)),
              (0.36 * 300.0 + 0.64 * 1000.0) / (0.36 + 0.64 * 2.0), 1.0);
  EXPECT_EQ(agent.learning_rate().rule, LearningRate::Rule::unchanged);
}

// Noise may leave less than nothing of a gradient's norm: the batch then stays.
TEST_F(BatchAgents, KungFusBatchStaysWithoutAGradient) {
  NoiseScaleBatch agent({});
  view_.batch = {48, 1};
  JobSample noisy = sample(300.0);
  noisy.gradients.large_sqr = noisy.gradients.small_sqr / 3.0;
  agent.observe(view_, noisy);

  EXPECT_EQ(total(agent), 96);
  EXPECT_FALSE(agent.retune(query()));
}

// 20 epochs of 1,000 samples are 312.5 steps of 64: after 312 nothing, then 128, and at 40 epochs,
// 156 steps of 128 later, 256.
TEST_F(BatchAgents, AdaBatchDoublesEveryTwentyEpochs) {
  AdaBatch agent({});
  agent.observe(view_, sample(300.0, 312));
  EXPECT_EQ(total(agent), 64);
  EXPECT_FALSE(agent.retune(query()));
  agent.observe(view_, sample(300.0, 1));
  EXPECT_EQ(total(agent), 128);
  view_.batch = *agent.retune(query());
  agent.observe(view_, sample(300.0, 156));
  EXPECT_EQ(total(agent), 256);
  agent.observe(view_, sample(300.0, 156'000));
  EXPECT_EQ(total(agent), 1024) << "the model's largest";
  EXPECT_EQ(agent.learning_rate().rule, LearningRate::Rule::linear);
}

// 15.6 steps of 64 samples are an epoch.
TEST_F(BatchAgents, PlannedFollowsWhatTheUserPlans) {
  const Planned agent({});
  EXPECT_EQ(total(agent), 64);
  view_.batch_plan = {{0.0, 128}, {1.0, 512}, {2.0, 256}};
  Planned planned({});
  EXPECT_EQ(total(planned), 128) << "before any report";
  planned.observe(view_, sample(300.0, 15));
  EXPECT_EQ(total(planned), 128);
  planned.observe(view_, sample(300.0, 1));
  EXPECT_EQ(total(planned), 512);
  planned.observe(view_, sample(300.0, 16));
  EXPECT_EQ(total(planned), 256);
  view_.rigid = true;
  EXPECT_EQ(total(planned), 64);
}

TEST_F(BatchAgents, ForgetJobsThatHaveLeft) {
  NoiseScaleBatch agent({});
  agent.observe(view_, sample(300.0));
  agent.left(view_);

  EXPECT_EQ(total(agent), 64);
}

TEST(BatchAgentChoices, AskForWhatJobsMeasure) {
  for (const char* row : {"batch: adabatch", "batch: cabs", "batch: noise_scale"}) {
    const Policy made = policy(row);
    EXPECT_TRUE(made.wants_samples()) << row;
    EXPECT_EQ(made.sample_interval(), std::chrono::seconds{30}) << row;
    EXPECT_FALSE(made.estimate_learns()) << row;
  }
  EXPECT_FALSE(policy("batch: linear").wants_samples());
}

TEST(BatchAgentChoices, RefuseClipsThatLeaveNothing) {
  EXPECT_THROW(policy("batch: {name: cabs, least: 64, most: 32}"), ConfigError);
}

}  // namespace
}  // namespace mimus::scheduler::test
