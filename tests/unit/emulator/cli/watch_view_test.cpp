// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/cli/watch/view.hpp"
#include "results/file/reader.hpp"
#include "results/recorder.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator::cli {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// A cell that is being recorded.
class WatchedCluster : public testing::Test {
 protected:
  explicit WatchedCluster(const std::string& config)
      : recorder_(path_, {.attributes = {{"campaign", "watched"}}, .resolved_config = config},
                  results::RecordLevel::full) {}

  void happen(const std::string& kind, const std::string& detail, std::int64_t job = -1) {
    recorder_.add(results::EventRow{
        .time = ++time_, .kind = kind, .job = job, .attempt = job, .detail = detail});
  }

  std::vector<std::string> picture(bool grows = true) {
    recorder_.flush();
    const CellProgress state(results::Reader(path_ + ".part"), grows);
    return view(state, {.columns = 100, .rows = 40});
  }

 private:
  const TemporaryFolder folder_;
  const std::string path_ = folder_.file("cell.h5");
  results::Recorder recorder_;
  double time_ = 0.0;
};

/// Five nodes of two GPUs; a job runs on the first GPU of node 2.
class WatchedNodes : public WatchedCluster {
 protected:
  WatchedNodes() : WatchedCluster("cluster: {nodes: 5, gpus_per_node: 2, gpu: T4}\n") {
    happen("job_arrived", "gang 1, resnet18", 0);
    happen("attempt_granted", "GPUs 4", 0);
  }
};

TEST_F(WatchedNodes, ThatTakeNoJobsAreMarkedAndCounted) {
  happen("node_asleep", "node 0");
  happen("node_asleep", "node 1");
  happen("node_booting", "node 1");
  happen("node_quarantined", "node 2");
  happen("node_down", "node 3");

  const auto lines = picture();

  EXPECT_THAT(lines, Contains("0 ~ ~   1 ^ ^   2 A !   3 # #   4 . ."));
  EXPECT_THAT(lines, Contains("1 node asleep (~) - 1 node booting (^) - 1 node down (#) - 1 node "
                              "in quarantine (!)"));
}

TEST_F(WatchedNodes, AreNotMarkedOnceTheyTakeJobsAgain) {
  happen("node_asleep", "node 0");
  happen("node_booting", "node 0");
  happen("node_on", "node 0");
  happen("node_down", "node 3");
  happen("node_quarantined", "node 3");
  happen("node_up", "node 3");
  EXPECT_THAT(picture(), Contains("0 . .   1 . .   2 A .   3 ! !   4 . ."));
  happen("node_released", "node 3");

  const auto lines = picture();

  EXPECT_THAT(lines, Contains("0 . .   1 . .   2 A .   3 . .   4 . ."));
  EXPECT_THAT(lines, Not(Contains(HasSubstr("node "))));
}

TEST_F(WatchedNodes, AreNotMarkedInACellThatHasStopped) {
  happen("node_down", "node 3");

  const auto lines = picture(false);

  EXPECT_THAT(lines, Contains("0 . .   1 . .   2 . .   3 . .   4 . ."));
  EXPECT_THAT(lines, Not(Contains(HasSubstr("down"))));
}

/// Two nodes with a V100 each, then two with two T4s each.
class WatchedTypes : public WatchedCluster {
 protected:
  WatchedTypes()
      : WatchedCluster(
            "cluster: {groups: [{nodes: 2, gpus_per_node: 1, gpu: V100}, "
            "{nodes: 2, gpus_per_node: 2, gpu: T4}]}\n") {}
};

TEST_F(WatchedTypes, HaveLinesOfTheirOwn) {
  const auto lines = picture();

  EXPECT_THAT(lines, Contains("V100  0 .     1 .  "));
  EXPECT_THAT(lines, Contains("T4    2 . .   3 . ."));
}

TEST_F(WatchedTypes, AreNamedBesideTheJobsThatHoldThem) {
  happen("job_arrived", "gang 3, resnet18", 0);
  happen("attempt_granted", "GPUs 1 3-4", 0);

  const auto lines = picture();

  EXPECT_THAT(lines, Contains(HasSubstr("3 of 6 GPUs held (T4 2 of 4, V100 1 of 2)")));
  EXPECT_THAT(lines, Contains(HasSubstr("resnet18     x3   T4+V100")));
}

// As in a file of another cluster, or a damaged one.
TEST_F(WatchedTypes, AreNotAskedOfGpusThatTheClusterDoesNotHave) {
  happen("job_arrived", "gang 2, resnet18", 0);
  happen("attempt_granted", "GPUs 5-6", 0);

  EXPECT_THAT(picture(), Contains(HasSubstr("1 of 6 GPUs held (T4 1 of 4, V100 0 of 2)")));
}

}  // namespace
}  // namespace mimus::emulator::cli
