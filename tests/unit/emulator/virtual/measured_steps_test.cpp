// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_builders.hpp"
#include "pollux_tables.hpp"
#include "results/recorder.hpp"

namespace mimus::emulator::test {
namespace {

using testing::HasSubstr;

class PolluxTablesTest : public testing::Test {
 protected:
  PolluxTablesTest() { write_pollux_tables(folder_); }
  [[nodiscard]] std::unique_ptr<StepTimeModel> steps(const std::string& more = "") const {
    return step_time("{name: measured, path: \"" + folder_.path() + "\"" + more + "}");
  }
  TemporaryFolder folder_;
};

TEST_F(PolluxTablesTest, AMeasuredPointIsTakenAsItIs) {
  const auto cost = steps()->step(attempt_on(1, {0, 4}, "resnet18", 32), {});

  EXPECT_EQ(cost.step, std::chrono::seconds{2});
  EXPECT_EQ(cost.exposed_communication, std::chrono::seconds{1});
}

// 528 is halfway between 32 and 1024.
TEST_F(PolluxTablesTest, BatchesBetweenAreInterpolated) {
  const auto cost = steps()->step(attempt_on(1, {0}, "resnet18", 528), {});

  EXPECT_EQ(cost.step, std::chrono::milliseconds{1500});
  EXPECT_EQ(cost.exposed_communication, std::chrono::milliseconds{300});
}

// Three micro-batches of 0.8 s and one synchronisation of 0.2 s.
TEST_F(PolluxTablesTest, OnlyTheLastMicroBatchSynchronises) {
  auto attempt = attempt_on(1, {0}, "resnet18", 32);
  attempt.batch.accumulation = 3;

  EXPECT_EQ(steps()->step(attempt, {}).step, std::chrono::milliseconds{2600});
}

// 1 s of compute × 1.5 and 1 s of exposed communication on half the link.
TEST_F(PolluxTablesTest, SurroundingsStretchComputeAndCommunicationApart) {
  const auto attempt = attempt_on(1, {0, 4}, "resnet18", 32);

  const auto cost = steps()->step(attempt, {.interference = 1.5, .link_shares = {{0.5}}});

  EXPECT_EQ(cost.step, std::chrono::milliseconds{3500});
  EXPECT_EQ(cost.exposed_communication, std::chrono::seconds{2});
  EXPECT_EQ(steps()->transfers(attempt), std::chrono::seconds{1});
  EXPECT_EQ(steps()->transfers(attempt_on(1, {0, 1}, "resnet18", 32)), Duration{});
}

// Measured are 2 s, whatever the model says of a gang alone.
TEST_F(PolluxTablesTest, SurroundingsChangeAStepAsTheModelSaysWhereItMayBeAsked) {
  const auto measured = steps(", hosts: always");
  const auto modelled = step_time("analytic");
  const auto gang = attempt_on(1, {0, 4}, "resnet18", 32);
  const Surroundings crowded{.interference = 1.5, .link_shares = {{0.5}}, .gpus_in_use = 3};

  EXPECT_NEAR(to_seconds(measured->step(gang, crowded).step),
              2.0 * to_seconds(modelled->step(gang, crowded).step) /
                  to_seconds(modelled->step(gang, {}).step),
              1e-8);
  EXPECT_NEAR(
      to_seconds(measured->transfers(gang)),
      2.0 * to_seconds(modelled->transfers(gang)) / to_seconds(modelled->step(gang, {}).step),
      1e-8);
}

// The tables hold one training of 200 steps at M0 in two epochs. A started epoch counts.
TEST_F(PolluxTablesTest, StepsLeftAreThoseOfTheMeasuredTrainingWhereAsked) {
  workloads::Job job;
  job.model = "resnet18";
  job.total_batch = 128;

  EXPECT_FALSE(steps()->steps_left(job, 0.25));
  EXPECT_EQ(steps(", steps_left: trainings")->steps_left(job, 0.25), 100.0);
}

TEST_F(PolluxTablesTest, AMeasuredNoiseScaleHoldsToTheEndOfItsEpoch) {
  const auto noise = steps()->noise_scale(attempt_on(1, {0}, "resnet18", 256), 0.25);

  ASSERT_TRUE(noise);
  EXPECT_EQ(noise->scale, 0.0);
  EXPECT_EQ(noise->until_fraction, 0.5);
}

// In the second epoch gradients were only noise, as in twelve epochs of the public DeepSpeech2.
TEST_F(PolluxTablesTest, WhereGradientsAreNoiseAloneTheNoiseScaleIsInfinite) {
  folder_.write("traces/cifar10/validation-128.csv",
                "progress,iteration,grad_sqr,grad_var\n100,100,1,2\n200,200,0,2\n");
  const auto measured = steps();
  const auto noise_at = [&](double fraction) {
    return measured->noise_scale(attempt_on(1, {0}, "resnet18", 256), fraction);
  };

  EXPECT_EQ(noise_at(0.25)->scale, 256.0);
  ASSERT_TRUE(noise_at(0.75));
  EXPECT_EQ(noise_at(0.75)->scale, std::numeric_limits<double>::infinity());
  EXPECT_EQ(noise_at(0.75)->until_fraction, 1.0);
}

TEST_F(PolluxTablesTest, WhatIsMissingIsSaid) {
  EXPECT_THAT(message_of([&] { (void)steps()->step(attempt_on(1, {0}, "resnet18", 8), {}); }),
              testing::AllOf(HasSubstr("resnet18 on 1 with a per-GPU batch of 8"),
                             HasSubstr("32 to 1024")));
  EXPECT_THAT(message_of([&] {
                (void)steps()->step(attempt_on(1, {0, 1, 2}, "resnet18", 32), {});
              }),
              HasSubstr("resnet18 on 3 "));
  workloads::Job job;
  job.model = "gpt";
  EXPECT_THAT(message_of([&] { steps()->check(job); }), HasSubstr("gpt"));
}

// One batch was measured for "12". Two nodes with three replicas have two batches: 6 s and 8 s.
TEST_F(PolluxTablesTest, BatchesThatAPlacementLacksAreTakenFromTheGrid) {
  const std::string header = "local_bsz,step_time,sync_time\n";
  folder_.write("traces/cifar10/placements.csv", "placement," + header + "12,32,9,1\n");
  folder_.write("traces/cifar10/scalability.csv",
                "num_nodes,num_replicas," + header + "2,3,64,6,1\n2,3,128,8,1\n");

  EXPECT_EQ(steps()->step(attempt_on(1, {0, 4, 5}, "resnet18", 96), {}).step,
            std::chrono::seconds{7});
}

TEST_F(PolluxTablesTest, OtherwiseTheModelErrsAsItDidWhereItWasMeasured) {
  folder_.write("traces/cifar10/placements.csv",
                "placement,local_bsz,step_time,sync_time\n2,32,1,0.2\n");
  const auto measured = steps(", otherwise: analytic");
  const auto modelled = step_time("analytic");
  const auto near = attempt_on(1, {0, 1}, "resnet18", 32);
  const auto asked = attempt_on(1, {0, 4}, "resnet18", 16);
  const double ratio = 1.0 / to_seconds(modelled->step(near, {}).step);

  EXPECT_NEAR(to_seconds(measured->step(asked, {}).step),
              ratio * to_seconds(modelled->step(asked, {}).step), 1e-8);
  EXPECT_EQ(measured->step(attempt_on(1, {0}, "gpt", 1), {}).step,
            modelled->step(attempt_on(1, {0}, "gpt", 1), {}).step);
}

// Nodes of two GPUs cannot hold three replicas, so that measurement does not apply to them.
TEST_F(PolluxTablesTest, GangsThatFitNoNodeAreLeftOut) {
  folder_.write("traces/cifar10/placements.csv",
                "placement,local_bsz,step_time,sync_time\n3,32,1,0.2\n");
  ClusterConfig cluster = small_cluster();
  cluster.shape.gpus_per_node = cluster.shape.gpus_per_island = 2;
  const auto measured =
      step_time("{name: measured, path: \"" + folder_.path() + "\", otherwise: analytic}", cluster);
  const auto asked = attempt_on(1, {0, 1}, "resnet18", 32);

  EXPECT_EQ(measured->step(asked, {}).step, step_time("analytic", cluster)->step(asked, {}).step);
}

TEST(MeasuredSteps, ResultsOfAnotherGpuAreRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.h5");
  results::Provenance provenance;
  provenance.attributes["gpu"] = "V100";
  results::Recorder(path, provenance, results::RecordLevel::full).complete();
  const StatedSteps stated;
  const std::string profile = "profile: \"" + path + "\"}";
  const auto refusal = HasSubstr("was measured on V100, but cluster.gpu is T4");

  EXPECT_THAT(message_of([&] { (void)step_time("{name: measured, " + profile); }), refusal);
  EXPECT_THAT(message_of([&] { (void)interference("{name: pairs, " + profile, stated); }), refusal);
}

TEST(MeasuredSteps, WantEitherAFolderOrAProfile) {
  EXPECT_THAT(message_of([] { (void)step_time("{name: measured}"); }), HasSubstr("either"));
  EXPECT_THAT(message_of([] { (void)step_time("{name: measured, path: /nowhere}"); }),
              HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace mimus::emulator::test
