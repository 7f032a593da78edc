// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "emulator/replay/pollux_oracle.hpp"
#include "emulator/training_progress.hpp"
#include "emulator/virtual/oracle/model_oracle.hpp"
#include "model_builders.hpp"
#include "pollux_tables.hpp"

namespace mimus::emulator::test {
namespace {

using std::chrono::seconds;

class OracleTest : public testing::Test {
 protected:
  OracleTest() {
    job_.id = JobId{1};
    job_.model = "resnet18";
    job_.gang = 1;
    job_.total_batch = 128;
    job_.work_samples = 25600;
  }
  [[nodiscard]] JobLookup lookup() {
    return {[this](JobId) -> const workloads::Job& { return job_; },
            [this](JobId) { return samples_done_; }};
  }
  ClusterConfig cluster_ = small_cluster();
  workloads::Job job_;
  double samples_done_ = 0.0;
};

class PolluxOracleTest : public OracleTest {
 protected:
  TemporaryFolder folder_;
  workloads::PolluxProfiles profiles_{with_tables(folder_)};
  PolluxOracle oracle_{cluster_, profiles_, lookup()};
};

// A single replica takes two micro-batches of 64: step 1 + 32/992, sync 0.2·(1 + 32/992).
TEST_F(PolluxOracleTest, StepTimesAreMeasuredOnesAtPackedPlacements) {
  const double grown = 1.0 + 32.0 / 992;
  EXPECT_NEAR(to_seconds(oracle_.step_time(job_.id, 1).value()), 1.8 * grown, 1e-9);
  EXPECT_NEAR(to_seconds(oracle_.step_time(job_.id, 2).value()), 1.2 * grown, 1e-9);
  EXPECT_FALSE(oracle_.step_time(job_.id, 5));
}

// Counted from the beginning of the epoch. In the last epoch there is always one step left.
TEST_F(PolluxOracleTest, StepsLeftGoDownByEpochs) {
  EXPECT_EQ(oracle_.steps_left(job_.id), 100.0);
  samples_done_ = 99.9 * 128;
  EXPECT_EQ(oracle_.steps_left(job_.id), 100.0);
  samples_done_ = 100.0 * 128;
  EXPECT_EQ(oracle_.steps_left(job_.id), 1.0);
}

TEST_F(PolluxOracleTest, MostGpusFollowFromTheSmallestPerGpuBatch) {
  EXPECT_EQ(oracle_.most_gpus(job_.id), 4);
  job_.model = "neumf";
  job_.total_batch = 32768;
  EXPECT_EQ(oracle_.most_gpus(job_.id), 1);
}

// 200 steps that gain 1 each.
TEST_F(PolluxOracleTest, RunTimeIsTheWholeTraining) {
  const double step = 1.8 * (1.0 + 32.0 / 992);

  EXPECT_NEAR(to_seconds(oracle_.run_time(job_.id).value()), 200 * step, 1e-6);
}

TEST_F(PolluxOracleTest, KnowsNothingOfOtherModels) {
  job_.model = "gpt";

  EXPECT_FALSE(oracle_.run_time(job_.id));
  EXPECT_FALSE(oracle_.steps_left(job_.id));
  EXPECT_FALSE(oracle_.step_time(job_.id, 1));
}

TEST_F(OracleTest, RunTimesAreRecordedOnesStretchedByThePlacement) {
  job_.model.clear();
  job_.gang = 8;
  job_.run_time = seconds{1000};
  const auto plain = step_time("duration");
  const auto apart = step_time("{name: duration, locality: {same_rack: 1.5}}");

  EXPECT_EQ(ModelOracle(cluster_, *plain, catalogue(), lookup()).run_time(job_.id), seconds{1000});
  EXPECT_EQ(ModelOracle(cluster_, *apart, catalogue(), lookup()).run_time(job_.id), seconds{1500});
  EXPECT_FALSE(ModelOracle(cluster_, *plain, catalogue(), lookup()).steps_left(job_.id));
}

TEST_F(OracleTest, ModelStepsAreThoseOfThePackedGang) {
  const auto steps = step_time("analytic");
  const ModelOracle oracle(cluster_, *steps, catalogue(), lookup());
  job_.total_batch = 512;

  EXPECT_EQ(oracle.step_time(job_.id, 8),
            steps->step(attempt_on(1, {0, 1, 2, 3, 4, 5, 6, 7}, "resnet18", 64), {}).step);
  EXPECT_EQ(oracle.most_gpus(job_.id), 16);
  EXPECT_FALSE(oracle.step_time(job_.id, 17));
}

// At the reference batch every step gains exactly M0.
TEST_F(OracleTest, AtTheReferenceBatchStepsLeftAreWorkOverBatch) {
  const auto steps = step_time("analytic");
  const ModelOracle oracle(cluster_, *steps, catalogue(), lookup());

  EXPECT_NEAR(oracle.steps_left(job_.id).value(), 200.0, 1e-9);
  samples_done_ = 12864;
  EXPECT_NEAR(oracle.steps_left(job_.id).value(), 99.5, 1e-9);
  EXPECT_NEAR(to_seconds(oracle.run_time(job_.id).value()),
              200 * to_seconds(oracle.step_time(job_.id, 1).value()), 1e-6);
}

// Compared with steps that are taken one by one with the ground truth that both engines share.
TEST_F(OracleTest, AtALargerBatchStepsLeftFollowTheNoiseScale) {
  const auto steps = step_time("analytic");
  const ModelOracle oracle(cluster_, *steps, catalogue(), lookup());
  job_.total_batch = 2048;
  job_.work_samples = 4e6;
  TrainingProgress progress(catalogue().at("resnet18"), 0.0, job_.work_samples);
  double taken = 0.0;
  for (; !progress.finished(); ++taken) (void)progress.advance(1, 2048.0);

  EXPECT_NEAR(oracle.steps_left(job_.id).value() / taken, 1.0, 1e-3);
}

}  // namespace
}  // namespace mimus::emulator::test
