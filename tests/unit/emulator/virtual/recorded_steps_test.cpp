// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_builders.hpp"
#include "results/recorder.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator::test {
namespace {

using testing::HasSubstr;

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
    recorder.add(baseline("neumf", "1", 256, 0.016));
    auto told = baseline("neumf", "1", 512, 0.03);
    told.device_busy = 0.01;
    told.exposed_communication = 0.002;
    recorder.add(told);
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
                        std::int64_t steps, double mean, std::int64_t co_tenants = 0,
                        double exposed = 0.0) {
    results::StepRow row;
    row.attempt = row.job = id;
    row.total_batch = batch;
    row.steps = steps;
    row.step_mean = mean;
    row.step_modelled = mean / 2;
    row.exposed_communication = exposed;
    row.device_busy = mean / 4;
    row.co_tenants = co_tenants;
    recorder.add(row);
  }

  static results::BaselineRow baseline(const std::string& model, const std::string& shape,
                                       std::int64_t batch, double step) {
    results::BaselineRow row;
    row.model = model;
    row.shape = shape;
    row.per_gpu_batch = batch;
    row.accumulation = 1;
    row.step_solo = step;
    return row;
  }

  static results::PairRow pair(const std::string& model, const std::string& other, double slowdown,
                               std::int64_t steps, std::int64_t batch = 0) {
    results::PairRow row;
    row.per_gpu_batch = batch;
    row.model = model;
    row.co_models = other;
    row.co_tenants = 1;
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
  const auto told = steps()->step(attempt_on(1, {0}, "neumf", 512), {});
  EXPECT_EQ(told.device_busy, std::chrono::milliseconds{10});
  EXPECT_EQ(told.exposed_communication, std::chrono::milliseconds{2});
}

// 64 and 128 images were measured on one GPU.
TEST_F(ProfileTest, OtherwiseTheModelErrsAsItDidWhereItWasMeasured) {
  const auto measured = steps(", otherwise: analytic");
  const auto modelled = step_time("analytic");
  const auto ratio = [&](const std::vector<int>& gpus, std::int64_t batch) {
    const auto attempt = attempt_on(1, gpus, "resnet50", batch);
    return to_seconds(measured->step(attempt, {}).step) /
           to_seconds(modelled->step(attempt, {}).step);
  };

  EXPECT_GT(ratio({0}, 200), std::min(ratio({0}, 64), ratio({0}, 128)));
  EXPECT_LT(ratio({0}, 200), std::max(ratio({0}, 64), ratio({0}, 128)));
}

// Two and four GPUs of a node took 0.3 s and 0.5 s. One GPU and two nodes are different cases.
TEST_F(ProfileTest, GangsBetweenMeasuredOnesTakeTheGrid) {
  std::filesystem::remove(path_);
  {
    results::Recorder recorder(path_, {}, results::RecordLevel::full);
    add_attempt(recorder, 0, "resnet50", "2", 64);
    add_attempt(recorder, 1, "resnet50", "4", 64);
    add_attempt(recorder, 2, "resnet50", "1", 64);
    add_steps(recorder, 0, 64, 10, 0.3);
    add_steps(recorder, 1, 64, 10, 0.5);
    add_steps(recorder, 2, 64, 10, 0.1);
    recorder.complete();
  }

  EXPECT_EQ(steps()->step(attempt_on(1, {0, 1, 2}, "resnet50", 64), {}).step,
            std::chrono::milliseconds{400});
  EXPECT_THAT(message_of([&] {
                (void)steps()->step(attempt_on(1, {0, 1, 4}, "resnet50", 64), {});
              }),
              HasSubstr("no solo step of resnet50 on 2+1"));
}

// Other jobs of its node stretched the attempt's steps through the host. The baseline had none.
TEST_F(ProfileTest, ABaselineGoesBeforeJobsWithoutCoTenants) {
  std::filesystem::remove(path_);
  {
    results::Recorder recorder(path_, {}, results::RecordLevel::full);
    add_attempt(recorder, 0, "yolov3", "1", 8);
    add_steps(recorder, 0, 8, 10, 0.4, 0, 0.02);
    recorder.add(baseline("yolov3", "1", 8, 0.3));
    recorder.complete();
  }

  const auto cost = steps()->step(attempt_on(1, {0}, "yolov3", 8), {});

  EXPECT_EQ(cost.step, std::chrono::milliseconds{300});
  EXPECT_EQ(cost.exposed_communication, std::chrono::milliseconds{20});
}

// 0.1 s beside a tenant of one of two GPUs is the wait for the slowed member, not communication.
TEST_F(ProfileTest, WaitsForASlowedMemberAreNoCommunication) {
  std::filesystem::remove(path_);
  {
    results::Recorder recorder(path_, {}, results::RecordLevel::full);
    add_attempt(recorder, 0, "resnet50", "2", 64);
    add_steps(recorder, 0, 64, 90, 0.4, 1, 0.1);
    add_steps(recorder, 0, 64, 10, 0.4, 1, 0.002);
    recorder.add(baseline("resnet50", "2", 64, 0.3));
    recorder.complete();
  }

  EXPECT_EQ(steps()->step(attempt_on(1, {0, 1}, "resnet50", 64), {}).exposed_communication,
            std::chrono::milliseconds{2});
}

TEST_F(ProfileTest, OtherJobsOfANodeStretchStepsAsModelled) {
  std::filesystem::remove(path_);
  {
    results::Recorder recorder(path_, {}, results::RecordLevel::full);
    add_attempt(recorder, 0, "yolov3", "1", 8);
    add_steps(recorder, 0, 8, 10, 0.4);
    recorder.complete();
  }
  const auto attempt = attempt_on(1, {0}, "yolov3", 8);
  const auto analytic = step_time("analytic");
  const Surroundings crowded{.interference = 1.0, .gpus_in_use = 3};
  const Surroundings shared{.interference = 2.0, .gpus_in_use = 3};
  const double factor = to_seconds(analytic->step(attempt, crowded).step) /
                        to_seconds(analytic->step(attempt, {}).step);
  ASSERT_GT(factor, 1.2);  // two further GPUs, 0.3 each on a T4's host
  const auto step_seconds = [&](const std::string& more, const Surroundings& surroundings) {
    return to_seconds(steps(more)->step(attempt, surroundings).step);
  };

  EXPECT_NEAR(step_seconds("", crowded), 0.4 * factor, 1e-6);
  EXPECT_NEAR(step_seconds("", shared), 2.0 * 0.4 * factor, 1e-6);
  EXPECT_NEAR(step_seconds(", hosts: alone", crowded), 0.4 * factor, 1e-6);
  EXPECT_NEAR(step_seconds(", hosts: alone", shared), 2.0 * 0.4, 1e-6);
  EXPECT_NEAR(step_seconds(", hosts: never", crowded), 0.4, 1e-6);
  EXPECT_TRUE(steps()->shares_hosts());
  EXPECT_FALSE(steps(", hosts: never")->shares_hosts());
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

  EXPECT_NEAR(slowdown_of(*pairs, resnet, {&neumf}), 1.3, 1e-12);
  EXPECT_EQ(slowdown_of(*pairs, neumf, {&resnet}), 1.0);
}

// With a batch that was not measured: (10 · 1.2 + 30 · 1.6) / 40 = 1.5.
TEST_F(ProfileTest, SlowdownsAreThoseOfTheBatch) {
  std::filesystem::remove(path_);
  {
    results::Recorder recorder(path_, {}, results::RecordLevel::full);
    recorder.add(pair("resnet50", "neumf", 1.2, 10, 64));
    recorder.add(pair("resnet50", "neumf", 1.6, 30, 128));
    recorder.complete();
  }
  const StatedSteps stated;
  const auto pairs = interference("{name: pairs, profile: \"" + path_ + "\"}", stated);
  const auto neumf = attempt_on(2, {0}, "neumf");

  EXPECT_EQ(slowdown_of(*pairs, attempt_on(1, {0}, "resnet50", 64), {&neumf}), 1.2);
  EXPECT_EQ(slowdown_of(*pairs, attempt_on(1, {0}, "resnet50", 128), {&neumf}), 1.6);
  EXPECT_NEAR(slowdown_of(*pairs, attempt_on(1, {0}, "resnet50", 96), {&neumf}), 1.5, 1e-12);
}

// A gang beside one model on its first GPU and another one on its second tells nothing about both
// on one GPU. Of its own slowdown by half a step, the half that computes takes everything.
TEST_F(ProfileTest, SlowdownsOfAGangWhoseGpusDifferAreItsOwn) {
  std::filesystem::remove(path_);
  {
    results::Recorder recorder(path_, {}, results::RecordLevel::full);
    recorder.add(pair("resnet50", "bert-base+neumf", 1.5, 10, 64));
    recorder.add(pair("resnet50", "neumf", 1.5, 10));
    recorder.add(pair("resnet50", "bert-base", 1.2, 10));
    recorder.complete();
  }
  StatedSteps stated;
  stated.stated[AttemptId{1}] = {.busy = 0.5, .waits = 0.5};
  const auto pairs = interference("{name: pairs, profile: \"" + path_ + "\"}", stated);
  const auto neumf = attempt_on(2, {0}, "neumf");
  const auto bert = attempt_on(3, {1}, "bert-base");
  const std::vector<const Attempt*> both{&neumf, &bert};

  EXPECT_NEAR(slowdown_of(*pairs, attempt_on(1, {0}, "resnet50", 64), both), 1.7, 1e-12);
  EXPECT_EQ(gang_slowdown_of(*pairs, attempt_on(1, {0, 1}, "resnet50", 64), both), 2.0);
  EXPECT_EQ(gang_slowdown_of(*pairs, attempt_on(1, {0, 1}, "resnet50", 32), both), std::nullopt);
}

}  // namespace
}  // namespace mimus::emulator::test
