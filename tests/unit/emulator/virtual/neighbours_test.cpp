// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/neighbours.hpp"

#include <array>

#include <gtest/gtest.h>

#include "model_builders.hpp"
#include "results/recorder.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator::test {
namespace {

/// Attempts of resnet50 with 64 images per GPU, recorded on nodes of four GPUs.
class NeighboursTest : public testing::Test {
 protected:
  struct Stay {
    std::vector<std::int64_t> nodes;
    double begin = 0.0;
    double end = 0.0;
    std::string shape = "1";
  };

  /// Ids count from 0. `windows`: of attempt 0, [begin, end, mean step].
  void record(const std::vector<Stay>& stays,
              const std::vector<std::array<double, 3>>& windows = {},
              const std::string& pace = "none") {
    results::Recorder recorder(path_, {.attributes = {{"pace", pace}, {"gpu", "T4"}}},
                               results::RecordLevel::full);
    for (std::size_t i = 0; i < stays.size(); ++i) add(recorder, static_cast<int>(i), stays[i]);
    for (const auto& [begin, end, step] : windows) {
      results::StepRow row;
      row.attempt = row.job = 0;
      row.begin = begin;
      row.end = end;
      row.steps = 10;
      row.total_batch = 64;
      row.step_mean = step;
      row.step_modelled = 0.25;
      recorder.add(row);
    }
    recorder.complete();
  }

  [[nodiscard]] double step_alone() const {
    const auto steps = step_time("{name: measured, profile: \"" + path_ + "\"}");
    return to_seconds(steps->step(attempt_on(1, {0}, "resnet50", 64), {}).step);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("run.h5");

 private:
  static void add(results::Recorder& recorder, int id, const Stay& stay) {
    results::JobRow job;
    job.job = id;
    job.model = "resnet50";
    recorder.add(job);
    results::AttemptRow attempt;
    attempt.attempt = attempt.job = id;
    attempt.begin = stay.begin;
    attempt.end = stay.end;
    attempt.shape = stay.shape;
    attempt.replicas = attempt.accumulation = 1;
    attempt.per_gpu_batch = 64;
    recorder.add(attempt);
    for (const std::int64_t node : stay.nodes) {
      recorder.add(results::PlacementRow{
          .attempt = id, .job = id, .node = node, .begin = stay.begin, .end = stay.end});
    }
  }
};

TEST_F(NeighboursTest, AreThoseWithANodeInCommonAtTheSameTime) {
  record({{{0, 1}, 0, 100, "1+1"}, {{1, 1}, 50, 80, "2"}, {{2}, 0, 100}, {{0}, 100, 200}});

  const Neighbours neighbours{results::Reader(path_)};

  EXPECT_TRUE(neighbours.absent(0, 0, 50));
  EXPECT_FALSE(neighbours.absent(0, 40, 60));
  EXPECT_TRUE(neighbours.absent(0, 80, 100));
  EXPECT_FALSE(neighbours.absent(1, 60, 61));
  EXPECT_TRUE(neighbours.absent(2, 0, 100));
  EXPECT_TRUE(neighbours.absent(3, 100, 200));
}

TEST_F(NeighboursTest, GangsAcrossRacksShareTheirUplinks) {
  record(
      {{{0, 2}, 0, 100, "racks:2/1+1"}, {{1, 3}, 50, 100, "racks:2/1+1"}, {{4, 5}, 0, 100, "1+1"}});

  const Neighbours neighbours{results::Reader(path_)};

  EXPECT_TRUE(neighbours.absent(0, 0, 50));
  EXPECT_FALSE(neighbours.absent(0, 50, 60));
  EXPECT_TRUE(neighbours.absent(2, 0, 100));
}

TEST_F(NeighboursTest, StepsBesideThemAreNotThoseOfAJobAlone) {
  record({{{0}, 0, 100}, {{0}, 50, 100}}, {{0, 50, 0.3}, {50, 100, 0.6}});

  EXPECT_NEAR(step_alone(), 0.3, 1e-12);
}

TEST_F(NeighboursTest, OfARealDeviceThatWasNeverAloneDisturbedStepsAreAllThereIs) {
  record({{{0}, 0, 100}, {{0}, 0, 100}}, {{0, 50, 0.3}, {50, 100, 0.6}});

  EXPECT_NEAR(step_alone(), 0.45, 1e-12);
}

TEST_F(NeighboursTest, AnEmulatedDeviceTellsWhatItWasPacedToAlone) {
  record({{{0}, 0, 100}, {{0}, 0, 100}}, {{0, 50, 0.3}, {50, 100, 0.6}}, "datasheet");

  EXPECT_NEAR(step_alone(), 0.25, 1e-12);
}

}  // namespace
}  // namespace mimus::emulator::test
