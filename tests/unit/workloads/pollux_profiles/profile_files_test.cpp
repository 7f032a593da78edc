// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/support/temporary_folder.hpp"
#include "workloads/pollux/profile.hpp"

namespace mimus::workloads {
namespace {

using testing::HasSubstr;

/// A folder with the layout of the artifact for one application.
class ProfileFiles : public testing::Test {
 protected:
  ProfileFiles() {
    write("traces/bert/placements.csv",
          "placement,local_bsz,step_time,sync_time\n"
          "1,4,1,0.1\n1,12,3,0.3\n142,4,7,1\n142,12,9,1\n");
    write("traces/bert/scalability.csv",
          "num_nodes,num_replicas,local_bsz,step_time,sync_time\n6,6,4,20,2\n8,8,4,30,3\n");
    write("traces/bert/validation-12.csv",
          "progress,iteration,grad_sqr,grad_var\n50,60,1,2\n110,120,2,8\n");
    write("traces/bert/validation-24.csv",
          "progress,iteration,grad_sqr,grad_var\n40,30,3,6\n120,70,4,8\n150,90,4,8\n");
  }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  [[nodiscard]] PolluxStepTable steps() const {
    return PolluxStepTable::read(folder_.path(), "bert");
  }
  [[nodiscard]] TrainingCurves curves() const {
    return TrainingCurves::read(folder_.path(), "bert");
  }
  [[nodiscard]] std::string error_of_steps() const {
    try {
      (void)steps();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
  TemporaryFolder folder_;
};

TEST_F(ProfileFiles, APlacementIsInterpolatedInTheBatch) {
  EXPECT_NEAR(steps().at(std::vector{1}, 8)->step, 2.0, 1e-15);
  EXPECT_FALSE(steps().at(std::vector{1}, 13));
}

TEST_F(ProfileFiles, RotationsOfARingAreOnePlacement) {
  const auto table = steps();

  for (const auto& ring : {std::vector{1, 4, 2}, {4, 2, 1}, {2, 1, 4}}) {
    EXPECT_EQ(table.at(ring, 4)->step, 7.0);
  }
  EXPECT_FALSE(table.at(std::vector{1, 2, 3}, 4));
}

TEST_F(ProfileFiles, WholeNumbersAreReadWhereTheyAreListed) {
  write("interp_table/bert.csv",
        "num_nodes,num_replicas,local_bsz,step_time,sync_time\n"
        "5,5,4,11,1\n5,5,5,12,1\n7,7,4,13,1\n7,7,6,14,1\n");
  const auto table = steps();

  EXPECT_EQ(table.at(std::vector{1, 1, 1, 1, 1}, 5)->step, 12.0);
  EXPECT_FALSE(table.at(std::vector{1, 1, 1, 1, 1}, 6));
  try {
    (void)table.at(std::vector{1, 1, 1, 1, 1, 1, 1}, 4);
    FAIL() << "a gap in the batches is not refused";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("bert.csv:5:5: local_bsz: 6 does not follow on 4"));
  }
}

TEST_F(ProfileFiles, AGangInTwoPlacesIsRefused) {
  write("interp_table/bert.csv",
        "num_nodes,num_replicas,local_bsz,step_time,sync_time\n5,5,4,1,1\n6,6,4,1,1\n5,5,5,1,1\n");

  EXPECT_THAT(error_of_steps(), HasSubstr("bert.csv:4:3: num_replicas: 5 on 5 nodes is already "
                                          "in line 2"));
}

// Seven nodes are halfway between six and eight.
TEST_F(ProfileFiles, UnmeasuredPlacementsTakeTheGridOfAllMeasurements) {
  const auto timing = steps().at(std::vector{1, 1, 1, 1, 1, 1, 1}, 4);

  ASSERT_TRUE(timing);
  EXPECT_NEAR(timing->step, 25.0, 1e-12);
  EXPECT_NEAR(timing->sync, 2.5, 1e-12);
}

TEST_F(ProfileFiles, TheTableOfWholeNumbersComesBeforeTheGrid) {
  write("interp_table/bert.csv",
        "num_nodes,num_replicas,local_bsz,step_time,sync_time\n7,7,4,24,2\n7,7,5,25,2\n");

  EXPECT_EQ(steps().at(std::vector{1, 1, 1, 1, 1, 1, 1}, 5)->step, 25.0);
  EXPECT_EQ(steps().at(std::vector{1, 1, 1, 1, 1, 1, 1}, 4)->step, 24.0);
}

TEST_F(ProfileFiles, EmptyNodesAndMissingFilesAreRefusedWithTheirPlace) {
  write("traces/bert/placements.csv", "placement,local_bsz,step_time,sync_time\n102,4,1,0.1\n");
  EXPECT_THAT(error_of_steps(), HasSubstr("placements.csv:2:1"));
  std::filesystem::remove(folder_.file("traces/bert/scalability.csv"));
  std::filesystem::remove(folder_.file("traces/bert/placements.csv"));
  EXPECT_THAT(error_of_steps(), HasSubstr("placements.csv"));
}

TEST_F(ProfileFiles, AnEpochEndsWithTheLeastProgressOfAnyRun) {
  const auto training = curves();

  EXPECT_EQ(training.epochs(), 2);
  EXPECT_EQ(training.progress_at_end(0), 40.0);
  EXPECT_EQ(training.progress_at_end(1), 110.0);
  EXPECT_EQ(training.total_progress(), 110.0);
}

TEST_F(ProfileFiles, EpochsFollowFromProgress) {
  const auto training = curves();

  EXPECT_EQ(training.epoch_at(0.0), 0);
  EXPECT_EQ(training.epoch_at(39.9), 0);
  EXPECT_EQ(training.epoch_at(40.0), 1);
  EXPECT_EQ(training.epoch_at(110.0), 2);
}

// 18 is halfway between the runs at 12 and 24.
TEST_F(ProfileFiles, BetweenTwoRunsEverythingIsLinear) {
  const auto training = curves();

  EXPECT_NEAR(training.steps_at_end(18.0, 0), 45.0, 1e-12);
  EXPECT_NEAR(training.gradient(18.0, 1).squared_norm, 3.0, 1e-12);
  EXPECT_NEAR(training.gradient(18.0, 1).variance, 8.0, 1e-12);
  EXPECT_EQ(training.steps_at_end(6.0, 0), 60.0);
  EXPECT_EQ(training.steps_at_end(48.0, 1), 70.0);
}

// (2 + 1) / (2/2 + 1)
TEST_F(ProfileFiles, AStepGainsWhatAdaScaleSays) {
  EXPECT_EQ(curves().gradient(12.0, 0).gain(2.0), 1.5);
  EXPECT_EQ(curves().gradient(12.0, 0).gain(1.0), 1.0);
}

TEST_F(ProfileFiles, ProfilesAreFoundByModelAndReadOnce) {
  const PolluxProfiles profiles(folder_.path());

  const auto* bert = profiles.find("bert-base");

  ASSERT_NE(bert, nullptr);
  EXPECT_EQ(bert->application->reference_batch, 12);
  EXPECT_EQ(profiles.find("bert-base"), bert);
  EXPECT_EQ(profiles.find("gpt"), nullptr);
  EXPECT_THROW((void)profiles.at("gpt"), UsageError);
  EXPECT_THROW((void)profiles.find("resnet50"), ConfigError);
  EXPECT_THROW(PolluxProfiles(folder_.path() + "/traces"), ConfigError);
}

// 384 over 40: local 10, one micro-batch, reduced to 384 ÷ 40 = 9.
TEST(PolluxApplication, SplitsABatchWithinItsLimits) {
  const auto* bert = pollux_application("bert");
  ASSERT_NE(bert, nullptr);

  EXPECT_EQ(bert->split(384, 40, 1).per_gpu, 9);
  EXPECT_EQ(bert->split(384, 16, 1).per_gpu, 12);
  EXPECT_EQ(bert->split(384, 16, 1).micro_batches, 2);
  EXPECT_EQ(bert->split(12, 1, 2).per_gpu, 6);
  EXPECT_EQ(bert->split(12, 1, 2).micro_batches, 2);
}

TEST_F(ProfileFiles, AGradientThatIsNoiseAloneGainsWithEverySample) {
  write("traces/bert/validation-12.csv",
        "progress,iteration,grad_sqr,grad_var\n50,60,2,8\n110,120,0,8\n");
  write("traces/bert/validation-24.csv",
        "progress,iteration,grad_sqr,grad_var\n40,30,0,0\n120,70,0,0\n");
  const auto noisy = curves().gradient(12, 1);
  const auto zero = curves().gradient(24, 0);

  EXPECT_EQ(curves().gradient(12, 0).noise_scale(12.0), 48.0);
  EXPECT_EQ(noisy.noise_scale(12.0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(noisy.gain(4.0), 4.0);
  EXPECT_EQ(zero.noise_scale(12.0), 0.0);
  EXPECT_EQ(zero.gain(4.0), 1.0);
}

TEST_F(ProfileFiles, NegativeGradientStatisticsAreRefused) {
  write("traces/bert/validation-12.csv",
        "progress,iteration,grad_sqr,grad_var\n50,60,-1,2\n110,120,2,8\n");
  try {
    (void)curves();
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("validation-12.csv:2:7: grad_sqr: expected a number >= 0"));
  }
}

}  // namespace
}  // namespace mimus::workloads
