// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/record/co_location_log.hpp"

#include <gtest/gtest.h>

#include "results/file/reader.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator::test {
namespace {

Instant at(int s) {
  return Instant{std::chrono::seconds{s}};
}

/// Recorded run times on the GPUs of a node.
struct CoLocationLogTest : testing::Test {
  TemporaryFolder folder;
  scheduler::ClusterShape shape{.nodes = 1, .gpus_per_node = 2, .gpu_type = "T4"};
  results::Recorder recorder{folder.file("cell.h5"), {}, results::RecordLevel::full};
  CoLocationLog log{recorder, shape};

  void start(int attempt, const std::vector<int>& gpus = {0}) {
    Attempt started;
    started.id = AttemptId{attempt};
    for (const int gpu : gpus) started.allocation.slots.push_back({GpuId{gpu}, LaneId{attempt}});
    log.started(started, at(0));
  }
  /// One step, which is longer by its solo time for each of the `co_tenants` that compute.
  void progress(int attempt, int begin, int end, int co_tenants) {
    StepWindow window;
    window.begin = at(begin);
    window.end = at(end);
    window.steps = 1;
    window.co_tenants = co_tenants;
    window.step_mean = at(end) - at(begin);
    window.step_modelled = window.step_mean / (1 + co_tenants);
    log.progressed(AttemptId{attempt}, window);
  }
  std::vector<results::PairRow> rows() {
    log.write({});
    recorder.complete();
    return results::Reader(folder.file("cell.h5")).rows<results::PairRow>();
  }
};

// The third one writes its checkpoint from 10 s to 40 s and does not slow the others meanwhile.
TEST_F(CoLocationLogTest, StepsWhileANeighbourWritesItsCheckpointDoNotCountAsBesideIt) {
  for (const int attempt : {0, 1, 2}) start(attempt);
  progress(0, 0, 9, 2);
  progress(0, 10, 40, 1);
  log.ended(AttemptId{2}, at(40));
  progress(0, 40, 44, 1);
  log.ended(AttemptId{0}, at(44));

  const auto pairs = rows();

  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].co_models, "run time+run time");
  EXPECT_EQ(pairs[0].steps, 1);
  EXPECT_DOUBLE_EQ(pairs[0].end, 9.0);
  EXPECT_DOUBLE_EQ(pairs[0].slowdown, 3.0);
  EXPECT_EQ(pairs[1].co_models, "run time");
  EXPECT_DOUBLE_EQ(pairs[1].slowdown, 2.0);
  EXPECT_EQ(pairs[0].co_tenants, 2);
  EXPECT_EQ(pairs[1].co_tenants, 1);
}

TEST_F(CoLocationLogTest, AGangHasFewerCoTenantsOnEachGpuThanInAll) {
  start(0, {0, 1});
  start(1, {0});
  start(2, {1});
  progress(0, 0, 9, 1);
  log.ended(AttemptId{0}, at(9));

  const auto pairs = rows();

  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].co_models, "run time+run time");
  EXPECT_EQ(pairs[0].co_tenants, 1);
}

}  // namespace
}  // namespace mimus::emulator::test
