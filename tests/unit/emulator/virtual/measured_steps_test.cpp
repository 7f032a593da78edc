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

// 528 lies halfway between 32 and 1024.
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

  const auto cost = steps()->step(attempt, {.interference = 1.5, .uplink_share = 0.5});

  EXPECT_EQ(cost.step, std::chrono::milliseconds{3500});
  EXPECT_EQ(cost.exposed_communication, std::chrono::seconds{2});
  EXPECT_EQ(steps()->uplink_load(attempt), 0.5);
  EXPECT_EQ(steps()->uplink_load(attempt_on(1, {0, 1}, "resnet18", 32)), 0.0);
}

// The tables hold one training of 200 steps, at M0, in two epochs; the epoch that has begun counts.
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

// In the second epoch no gradient was left in the noise, as in twelve of the public DeepSpeech2.
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

TEST_F(PolluxTablesTest, OtherwiseTheModelIsScaledByTheNearestMeasurement) {
  const auto measured = steps(", otherwise: analytic");
  const auto modelled = step_time("analytic");
  const auto near = attempt_on(1, {0}, "resnet18", 32);
  const auto asked = attempt_on(1, {0}, "resnet18", 16);
  const double ratio = 1.0 / to_seconds(modelled->step(near, {}).step);

  EXPECT_NEAR(to_seconds(measured->step(asked, {}).step),
              ratio * to_seconds(modelled->step(asked, {}).step), 1e-8);
  EXPECT_EQ(measured->step(attempt_on(1, {0}, "gpt", 1), {}).step,
            modelled->step(attempt_on(1, {0}, "gpt", 1), {}).step);
}

/// A result file of a run with solo steps of resnet50 and a shared attempt of neumf.
class ProfileTest : public testing::Test {
 protected:
  ProfileTest() {
    results::Recorder recorder(path_, {}, results::RecordLevel::full);
    add_attempt(recorder, 0, "resnet50", "1", 64);
    add_attempt(recorder, 1, "resnet50", "1", 128);
    add_attempt(recorder, 2, "neumf", "1", 256);
    add_steps(recorder, 0, 64, 10, 0.4);
    add_steps(recorder, 0, 64, 30, 0.2);
    add_steps(recorder, 0, 32, 99, 9.9);  // before a retune
    add_steps(recorder, 1, 128, 10, 0.45);
    add_steps(recorder, 1, 128, 10, 0.9, 1);  // beside a co-tenant
    add_steps(recorder, 2, 256, 10, 0.02, 1);
    recorder.add(results::BaselineRow{.model = "neumf",
                                      .shape = "1",
                                      .per_gpu_batch = 256,
                                      .accumulation = 1,
                                      .step_solo = 0.016,
                                      .step_modelled = 0.01,
                                      .steps = 8,
                                      .origin = "measured"});
    recorder.add(pair("resnet50", "neumf", 1.1, 10));
    recorder.add(pair("resnet50", "neumf", 1.4, 20));
    recorder.add(pair("neumf", "resnet50", 0.98, 10));
    recorder.complete();
  }

  static void add_attempt(results::Recorder& recorder, std::int64_t id, const std::string& model,
                          const std::string& shape, std::int64_t batch) {
    results::JobRow job;
    job.job = id;
    job.model = model;
    recorder.add(job);
    results::AttemptRow attempt;
    attempt.attempt = attempt.job = id;
    attempt.shape = shape;
    attempt.replicas = attempt.accumulation = 1;
    attempt.per_gpu_batch = batch;
    recorder.add(attempt);
  }

  static void add_steps(results::Recorder& recorder, std::int64_t id, std::int64_t batch,
                        std::int64_t steps, double mean, std::int64_t co_tenants = 0) {
    results::StepRow row;
    row.attempt = row.job = id;
    row.total_batch = batch;
    row.steps = steps;
    row.step_mean = mean;
    row.step_modelled = mean / 2;
    row.exposed_communication = 0.0;
    row.device_busy = mean / 4;
    row.co_tenants = co_tenants;
    recorder.add(row);
  }

  static results::PairRow pair(const std::string& model, const std::string& other, double slowdown,
                               std::int64_t steps) {
    results::PairRow row;
    row.model = model;
    row.co_models = other;
    row.slowdown = slowdown;
    row.steps = steps;
    return row;
  }

  [[nodiscard]] std::unique_ptr<StepTimeModel> steps(const std::string& more = "") const {
    return step_time("{name: measured, profile: \"" + path_ + "\"" + more + "}");
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("run.h5");
};

// (10 × 0.4 + 30 × 0.2) / 40
TEST_F(ProfileTest, ASoloStepIsTheMeanOverAllRecordedOnes) {
  const auto cost = steps()->step(attempt_on(1, {0}, "resnet50", 64), {});

  EXPECT_EQ(cost.step, std::chrono::milliseconds{250});
  EXPECT_EQ(cost.device_busy, std::chrono::microseconds{62500});
}

TEST_F(ProfileTest, StepsBesideCoTenantsAndBeforeARetuneAreLeftOut) {
  EXPECT_EQ(steps()->step(attempt_on(1, {0}, "resnet50", 128), {}).step,
            std::chrono::milliseconds{450});
  EXPECT_THAT(message_of([&] { (void)steps()->step(attempt_on(1, {0}, "resnet50", 32), {}); }),
              HasSubstr("resnet50 on 1 with a per-GPU batch of 32 x 1; it has 64, 128"));
}

// Halfway from 0.25 s to 0.45 s.
TEST_F(ProfileTest, BatchesBetweenAreInterpolated) {
  EXPECT_EQ(steps()->step(attempt_on(1, {0}, "resnet50", 96), {}).step,
            std::chrono::milliseconds{350});
}

TEST_F(ProfileTest, ABaselineStandsWhereNoAttemptRanAlone) {
  const auto cost = steps()->step(attempt_on(1, {0}, "neumf", 256), {});

  EXPECT_EQ(cost.step, std::chrono::milliseconds{16});
  EXPECT_EQ(cost.device_busy, std::chrono::milliseconds{5});
}

// Everything was twice as slow as modelled.
TEST_F(ProfileTest, OtherwiseTheModelIsScaledByTheNearestMeasurement) {
  const auto measured = steps(", otherwise: analytic");
  const auto asked = attempt_on(1, {0, 1}, "resnet50", 200);

  EXPECT_NEAR(to_seconds(measured->step(asked, {}).step),
              2 * to_seconds(step_time("analytic")->step(asked, {}).step), 1e-8);
}

TEST_F(ProfileTest, UnknownShapesAndModelsAreNamed) {
  EXPECT_THAT(message_of([&] {
                (void)steps()->step(attempt_on(1, {0, 4}, "resnet50", 64), {});
              }),
              HasSubstr("resnet50 on 1+1"));
  EXPECT_THAT(message_of([&] { (void)steps()->step(attempt_on(1, {0}, "gpt", 1), {}); }),
              HasSubstr("does not have this model"));
}

// (10 × 1.1 + 20 × 1.4) / 30 = 1.3; less than 1 counts as 1.
TEST_F(ProfileTest, PairsAreReadFromTheSameFile) {
  const StatedSteps stated;
  const auto pairs = interference("{name: pairs, profile: \"" + path_ + "\"}", stated);
  const auto resnet = attempt_on(1, {0}, "resnet50");
  const auto neumf = attempt_on(2, {0}, "neumf");
  const Attempt* beside_resnet = &neumf;
  const Attempt* beside_neumf = &resnet;

  EXPECT_NEAR(pairs->slowdown(resnet, {&beside_resnet, 1}), 1.3, 1e-12);
  EXPECT_EQ(pairs->slowdown(neumf, {&beside_neumf, 1}), 1.0);
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
