// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/job_samples.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator::test {
namespace {

struct JobSamples : ::testing::Test {
  JobSamples() {
    shape.nodes = 2;
    shape.gpus_per_node = 4;
    for (const int gpu : {2, 3, 4}) truth.last.slots.push_back({GpuId{gpu}, LaneId{gpu}});
    truth.model = &model;
    truth.job.work_samples = 10000.0;
    window.begin = Instant{std::chrono::seconds{10}};
    window.end = Instant{std::chrono::seconds{20}};
    window.steps = 20;
    window.batch = {64, 2};
    window.samples = 20 * 3 * 128;
    window.samples_done = 9000.0;
    window.noise_scale = 700.0;
    window.step_mean = std::chrono::milliseconds{500};
    window.step_modelled = std::chrono::milliseconds{400};
    window.exposed_communication = std::chrono::milliseconds{100};
    window.device_busy = std::chrono::milliseconds{300};
    window.co_tenants = 1;
  }

  scheduler::JobSample sample() const {
    return job_samples({&window, 1}, truth, shape, kSeed).at(0);
  }

  workloads::ModelCatalogue models = workloads::ModelCatalogue::built_in();
  const workloads::Model& model = models.at("resnet18");
  scheduler::ClusterShape shape;
  JobTruth truth{{}};
  StepWindow window;
  static constexpr std::uint64_t kSeed = 7;
};

TEST_F(JobSamples, HoldWhatTheWindowsSayOfAJobsSteps) {
  const scheduler::JobSample made = sample();

  EXPECT_EQ(made.gpus, 3);
  EXPECT_EQ(made.nodes, 2);
  EXPECT_EQ(made.steps, 20);
  EXPECT_EQ(made.end, window.end);
  EXPECT_EQ(made.batch, (scheduler::BatchPlan{64, 2}));
  EXPECT_EQ(made.step, std::chrono::milliseconds{500});
  EXPECT_EQ(made.compute(), std::chrono::milliseconds{200});
  EXPECT_DOUBLE_EQ(made.noise_scale, 700.0);
  EXPECT_DOUBLE_EQ(made.utilisation, 0.6);
  EXPECT_EQ(made.co_tenants, 1);
  EXPECT_DOUBLE_EQ(made.samples_done, 9000.0);
}

// After nine tenths of the work the loss is 0.2098; of 7,680 samples the mean has a relative
// standard deviation of 1 / sqrt(7680) = 1.14 %.
TEST_F(JobSamples, HoldTheLossOfTheModelWithTheNoiseOfItsBatches) {
  double sum = 0.0;
  double squares = 0.0;
  constexpr int kJobs = 2000;
  for (int id = 0; id < kJobs; ++id) {
    truth.job.id = JobId{id};
    const double error = sample().loss / model.loss.at(0.9) - 1.0;
    sum += error;
    squares += error * error;
  }
  EXPECT_NEAR(sum / kJobs, 0.0, 0.001);
  EXPECT_NEAR(std::sqrt(squares / kJobs), 0.0114, 0.0006);
}

TEST_F(JobSamples, HoldTheSameLossWheneverAPointOfAJobIsReported) {
  const double before = sample().loss;
  window.end += std::chrono::seconds{5};
  EXPECT_EQ(sample().loss, before);
  window.samples_done += 100.0;
  EXPECT_NE(sample().loss, before);
}

// Of 3 × 64 × 2 = 384 samples per step: √(384 ÷ 128) of the user's learning rate by the square
// root, and AdaScale's gain 3 × (700 + 128) ÷ (700 + 384).
TEST_F(JobSamples, AJobLogsTheLossThatItReportsAndItsLearningRate) {
  ASSERT_EQ(model.batch.reference, 128);
  LearningTruth learning;
  const TrainingState adascale = training_state(window, truth, learning, kSeed);
  learning.rate.rule = scheduler::LearningRate::Rule::sqrt;
  const TrainingState by_root = training_state(window, truth, learning, kSeed);
  truth.model = nullptr;
  const TrainingState none = training_state(window, truth, learning, kSeed);

  EXPECT_NEAR(adascale.learning_rate, 3.0 * 828 / 1084, 1e-12);
  EXPECT_NEAR(by_root.learning_rate, std::sqrt(3.0), 1e-12);
  truth.model = &model;
  EXPECT_EQ(adascale.loss, sample().loss);
  EXPECT_EQ(none.loss, -1.0);
  EXPECT_EQ(none.learning_rate, -1.0);
}

// A device that measures its memory is believed. An emulated device holds the footprint.
TEST_F(JobSamples, HoldTheMemoryOfAReplica) {
  EXPECT_EQ(sample().memory.value, model.memory(64).value);

  window.reading.memory_peak = 5e9;

  EXPECT_EQ(sample().memory.value, 5e9);
}

TEST_F(JobSamples, DoNotHoldTimeThatTheJobDoesNotMeasure) {
  window.unnoticed = std::chrono::milliseconds{120};
  EXPECT_EQ(sample().step, std::chrono::milliseconds{380});
}

TEST_F(JobSamples, DoNotHoldWhatTheModelSaysOfAStep) {
  const scheduler::JobSample before = sample();
  window.step_modelled *= 2;

  EXPECT_EQ(sample().step, before.step);
  EXPECT_EQ(sample().sync, before.sync);
}

}  // namespace
}  // namespace mimus::emulator::test
