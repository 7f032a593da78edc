// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/virtual/steps/profile_throughput.hpp"
#include "model_builders.hpp"
#include "results/profile_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator::test {
namespace {

using testing::HasSubstr;

/// A profile that mimus calibrate wrote on a T4: resnet50 with two batches, and one pair.
class CalibratedTest : public testing::Test {
 protected:
  void write(const std::string& fingerprint = "", const std::string& gpu = "T4") {
    results::Provenance provenance;
    provenance.attributes["fingerprint.resnet50"] =
        fingerprint.empty() ? fmt::format("{:016x}", catalogue().at("resnet50").fingerprint())
                            : fingerprint;
    results::ProfileWriter writer(path_, provenance);
    writer.add(step(gpu, 64, 0.4));
    writer.add(step(gpu, 128, 0.8));
    writer.add(slowdown("resnet50", "neumf", 1.5, 30));
    writer.add(slowdown("resnet50", "neumf", 1.2, 10));
    writer.add(slowdown("neumf", "resnet50", 0.97, 10));
    writer.complete();
  }

  static results::ProfileRow step(const std::string& gpu, std::int64_t batch, double mean) {
    results::ProfileRow row;
    row.model = "resnet50";
    row.gpu = gpu;
    row.shape = "1";
    row.per_gpu_batch = batch;
    row.step_mean = mean;
    row.step_modelled = mean / 2;
    row.exposed_communication = 0.0;
    row.device_busy = mean / 4;
    return row;
  }

  static results::ProfilePairRow slowdown(const std::string& model, const std::string& other,
                                          double factor, std::int64_t steps) {
    results::ProfilePairRow row;
    row.model = model;
    row.co_model = other;
    row.slowdown = factor;
    row.steps = steps;
    return row;
  }

  [[nodiscard]] std::unique_ptr<StepTimeModel> steps(const std::string& more = "") const {
    return step_time("{name: measured, profile: \"" + path_ + "\"" + more + "}");
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("profile.h5");
};

// Halfway from 0.4 s to 0.8 s.
TEST_F(CalibratedTest, StepsAreInterpolatedBetweenBatches) {
  write();

  const auto cost = steps()->step(attempt_on(1, {0}, "resnet50", 96), {});

  EXPECT_EQ(cost.step, std::chrono::milliseconds{600});
  EXPECT_EQ(cost.device_busy, std::chrono::milliseconds{150});
}

TEST_F(CalibratedTest, AnotherFootprintIsRefused) {
  write("0123456789abcdef");

  EXPECT_THAT(message_of([&] { (void)steps(); }),
              testing::AllOf(HasSubstr("another footprint of resnet50 (0123456789abcdef"),
                             HasSubstr("calibrate again")));
  const StatedSteps stated;
  EXPECT_THAT(
      message_of([&] { (void)interference("{name: pairs, profile: \"" + path_ + "\"}", stated); }),
      HasSubstr("calibrate again"));
}

TEST_F(CalibratedTest, AnotherGpuIsRefused) {
  write("", "V100");

  EXPECT_THAT(message_of([&] { (void)steps(); }),
              HasSubstr("was measured on V100, but cluster.gpu is T4"));
  const StatedSteps stated;
  EXPECT_THAT(
      message_of([&] { (void)interference("{name: pairs, profile: \"" + path_ + "\"}", stated); }),
      HasSubstr("was measured on V100, but cluster.gpu is T4"));
}

// (30 · 1.5 + 10 · 1.2) / 40 = 1.425; less than 1 counts as 1.
TEST_F(CalibratedTest, ThePairsAreTheSlowdownMatrix) {
  write();
  const StatedSteps stated;
  const auto pairs = interference("{name: pairs, profile: \"" + path_ + "\"}", stated);
  const auto resnet = attempt_on(1, {0}, "resnet50");
  const auto neumf = attempt_on(2, {0}, "neumf");

  EXPECT_NEAR(slowdown_of(*pairs, resnet, {&neumf}), 1.425, 1e-12);
  EXPECT_EQ(slowdown_of(*pairs, neumf, {&resnet}), 1.0);
}

TEST_F(CalibratedTest, PoliciesBelieveInIt) {
  write();
  const ProfileThroughput believed(small_cluster(), catalogue(), path_);
  const auto attempt = attempt_on(1, {0}, "resnet50", 64);

  EXPECT_THAT(believed.name(), HasSubstr("profile.h5"));
  EXPECT_EQ(believed.step_time("resnet50", attempt.allocation, attempt.batch),
            std::chrono::milliseconds{400});
}

// Two GPUs have the same error as one, and nearly the same batch. Other models are as modelled.
TEST_F(CalibratedTest, WhatWasNotMeasuredIsModelledAndScaled) {
  write();
  const ProfileThroughput believed(small_cluster(), catalogue(), path_);
  const auto modelled = step_time("analytic");
  const auto two = attempt_on(1, {0, 1}, "resnet50", 64);
  const auto other = attempt_on(1, {0}, "neumf", 64);

  const auto ratio = [&](double measured, const Attempt& attempt) {
    return measured / to_seconds(modelled->step(attempt, {}).step);
  };
  const double told =
      ratio(to_seconds(*believed.step_time("resnet50", two.allocation, two.batch)), two);
  const double at_64 = ratio(0.4, attempt_on(1, {0}, "resnet50", 64));
  const double at_128 = ratio(0.8, attempt_on(1, {0}, "resnet50", 128));
  EXPECT_LT(std::abs(told - at_64), 0.2 * std::abs(at_128 - at_64));
  EXPECT_EQ(*believed.step_time("neumf", other.allocation, other.batch),
            modelled->step(other, {}).step);
  EXPECT_FALSE(believed.step_time("no-such-model", other.allocation, other.batch));
}

}  // namespace
}  // namespace mimus::emulator::test
