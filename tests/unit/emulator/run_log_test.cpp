// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/record/run_log.hpp"

#include <gtest/gtest.h>

#include "results/file/reader.hpp"
#include "tests/support/temporary_folder.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {
namespace {

using scheduler::BatchPlan;
using scheduler::EndReason;

constexpr BatchPlan kSmall{.per_gpu = 32, .accumulation = 1};
constexpr BatchPlan kLarge{.per_gpu = 64, .accumulation = 2};

Instant at(int seconds) {
  return Instant{} + std::chrono::seconds{seconds};
}

/// One attempt that is told to change its batch at 5 s.
class RunLogTest : public testing::Test {
 protected:
  RunLogTest() : recorder_(path_, {}, results::RecordLevel::full), log_(recorder_, shape()) {
    workloads::Job job;
    job.id = JobId{0};
    job.model = "resnet18";
    log_.job_arrived(job, at(0));
    Attempt attempt;
    attempt.id = AttemptId{0};
    attempt.job = JobId{0};
    attempt.allocation.slots = {{GpuId{0}, LaneId{0}}};
    attempt.batch = kSmall;
    log_.attempt_granted(attempt, at(0));
    train(kSmall, 0, 5);
    log_.retuned(AttemptId{0}, kLarge, at(5));
  }

  void train(const BatchPlan& batch, int begin, int end) {
    StepWindow window;
    window.begin = at(begin);
    window.end = at(end);
    window.steps = 1;
    window.batch = batch;
    window.samples = static_cast<double>(batch.total(1));
    log_.progressed({AttemptId{0}, {window}, window.samples},
                    [](const StepWindow&) { return TrainingState{}; });
  }

  /// Stops the attempt at 9 s and then starts another one, whose first step comes `later`.
  results::JobRow job_after_restart(int gpus, int later) {
    log_.attempt_ended({AttemptId{0}, EndReason::preempted, "", 0.0}, at(9));
    Attempt attempt;
    attempt.id = AttemptId{1};
    attempt.job = JobId{0};
    for (int i = 0; i < gpus; ++i) attempt.allocation.slots.push_back({GpuId{i}, LaneId{i}});
    attempt.batch = kSmall;
    log_.attempt_granted(attempt, at(9));
    log_.first_step(AttemptId{1}, at(9 + later));
    log_.attempt_ended({AttemptId{1}, EndReason::finished, "", 0.0}, at(20));
    log_.job_finished(JobId{0}, at(20));
    recorder_.flush();
    return results::Reader(path_ + ".part").rows<results::JobRow>().at(0);
  }

  results::AttemptRow row_after(EndReason reason) {
    log_.attempt_ended({AttemptId{0}, reason, "", 0.0}, at(9));
    recorder_.flush();
    return results::Reader(path_ + ".part").rows<results::AttemptRow>().at(0);
  }

 private:
  static scheduler::ClusterShape shape() {
    scheduler::ClusterShape shape;
    shape.gpu_type = "T4";
    shape.gpus_per_node = shape.gpus_per_island = 2;
    return shape;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.file("cell.h5");
  results::Recorder recorder_;
  RunLog log_;
};

TEST_F(RunLogTest, ABatchCountsFromItsFirstStep) {
  train(kLarge, 5, 9);

  const auto row = row_after(EndReason::finished);

  EXPECT_EQ(row.per_gpu_batch, kLarge.per_gpu);
  EXPECT_EQ(row.accumulation, kLarge.accumulation);
  EXPECT_EQ(row.retunes, 1);
}

TEST_F(RunLogTest, ABatchThatWasNeverTrainedWithIsNotTheOneAtTheEnd) {
  const auto row = row_after(EndReason::finished);

  EXPECT_EQ(row.per_gpu_batch, kSmall.per_gpu);
  EXPECT_EQ(row.accumulation, kSmall.accumulation);
  EXPECT_EQ(row.retunes, 0);
}

TEST_F(RunLogTest, OutOfMemoryNamesTheBatchThatDoesNotFit) {
  const auto row = row_after(EndReason::out_of_memory);

  EXPECT_EQ(row.per_gpu_batch, kLarge.per_gpu);
  EXPECT_EQ(row.accumulation, kLarge.accumulation);
  EXPECT_EQ(row.retunes, 0);
}

TEST_F(RunLogTest, AJobThatIsStoppedAndGoesOnAtOnceWasNeitherPreemptedNorStarted) {
  const auto row = job_after_restart(1, 0);

  EXPECT_EQ(row.preemptions, 0);
  EXPECT_EQ(row.attempts, 1);
}

TEST_F(RunLogTest, AJobThatStartsUpAgainWasPreempted) {
  const auto row = job_after_restart(1, 3);

  EXPECT_EQ(row.preemptions, 1);
  EXPECT_EQ(row.attempts, 2);
}

TEST_F(RunLogTest, AJobThatGoesOnWithMoreGpusWasPreempted) {
  const auto row = job_after_restart(2, 0);

  EXPECT_EQ(row.preemptions, 1);
  EXPECT_EQ(row.attempts, 2);
}

}  // namespace
}  // namespace mimus::emulator
