// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/job_samples.hpp"

#include <gtest/gtest.h>

#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator::test {
namespace {

struct JobSamples : ::testing::Test {
  JobSamples() {
    shape.nodes = 2;
    shape.gpus_per_node = 4;
    for (const int gpu : {2, 3, 4}) allocation.slots.push_back({GpuId{gpu}, LaneId{gpu}});
    window.begin = Instant{std::chrono::seconds{10}};
    window.end = Instant{std::chrono::seconds{20}};
    window.steps = 20;
    window.batch = {64, 2};
    window.noise_scale = 700.0;
    window.step_mean = std::chrono::milliseconds{500};
    window.step_modelled = std::chrono::milliseconds{400};
    window.exposed_communication = std::chrono::milliseconds{100};
    window.device_busy = std::chrono::milliseconds{300};
    window.co_tenants = 1;
  }

  scheduler::JobSample sample() const {
    return job_samples({&window, 1}, allocation, shape, model).at(0);
  }

  workloads::ModelCatalogue models = workloads::ModelCatalogue::built_in();
  const workloads::Model& model = models.at("resnet18");
  scheduler::ClusterShape shape;
  scheduler::Allocation allocation;
  StepWindow window;
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
}

// A device that measures its memory is believed. An emulated device holds the footprint.
TEST_F(JobSamples, HoldTheMemoryOfAReplica) {
  EXPECT_EQ(sample().memory.value, model.memory(64).value);

  window.reading.memory_peak = 5e9;

  EXPECT_EQ(sample().memory.value, 5e9);
}

TEST_F(JobSamples, DoNotHoldWhatTheModelSaysOfAStep) {
  const scheduler::JobSample before = sample();
  window.step_modelled *= 2;

  EXPECT_EQ(sample().step, before.step);
  EXPECT_EQ(sample().sync, before.sync);
}

}  // namespace
}  // namespace mimus::emulator::test
