// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "emulator/live/gang/checkpoint.hpp"
#include "emulator/live/gang/step_windows.hpp"
#include "emulator/live/launch/launcher.hpp"
#include "emulator/live/messages/protocol.hpp"

namespace mimus::emulator {
namespace {

using std::chrono::milliseconds;

TEST(Protocol, AMessageSurvivesTheWire) {
  StartMessage sent;
  sent.attempt = 7;
  sent.model = "bert-base";
  sent.slots = {{GpuId{1}, LaneId{2}}, {GpuId{3}, LaneId{6}}};
  sent.batch = {.per_gpu = 12, .accumulation = 3};
  sent.fail_reason = "";
  sent.probe_steps = 12;

  const auto received = decode<StartMessage>(encode(sent));

  EXPECT_EQ(received.attempt, 7);
  EXPECT_EQ(received.model, "bert-base");
  EXPECT_EQ(received.slots, sent.slots);
  EXPECT_EQ(received.batch, sent.batch);
  EXPECT_EQ(received.probe_steps, 12);
}

TEST(Protocol, ACutMessageIsABug) {
  auto bytes = encode(StartMessage{});
  bytes.resize(bytes.size() / 2);

  EXPECT_THROW((void)decode<StartMessage>(bytes), InternalError);
}

struct WindowsTest : testing::Test {
  LiveCell cell;
  WindowsTest() {
    cell.engine.time_scale = 10.0;
    cell.epoch = WallInstant{};
  }
  static ExecutedStep step(int begin_ms, int end_ms, int steps, int tenants = 0) {
    ExecutedStep out;
    out.begin = WallInstant{milliseconds{begin_ms}};
    out.end = WallInstant{milliseconds{end_ms}};
    out.steps = steps;
    out.samples = 100.0 * steps;
    out.modelled = milliseconds{50};
    out.device_busy = milliseconds{end_ms - begin_ms} / 2;
    out.co_tenants = tenants;
    return out;
  }
};

TEST_F(WindowsTest, SumsStepsInEmulatedTime) {
  StepWindows windows(cell, milliseconds{100});
  windows.add(step(0, 60, 10));
  windows.add(step(60, 120, 10));

  const auto taken = windows.take(WallInstant{milliseconds{120}}, false);

  // 120 ms of wall time at scale 10 are 1.2 s for 20 steps.
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].steps, 20);
  EXPECT_EQ(taken[0].end - taken[0].begin, milliseconds{1200});
  EXPECT_EQ(taken[0].step_mean, milliseconds{60});
  EXPECT_EQ(taken[0].step_modelled, milliseconds{50});
  EXPECT_EQ(taken[0].device_busy, milliseconds{30});
}

// Scale 10: the policy expects a report every 0.5 s, which is 60, 110, … ms here. It is made at the
// end of the last step before that.
TEST_F(WindowsTest, AReportThatThePolicyExpectsEndsAWindow) {
  cell.report_every = milliseconds{500};
  StepWindows windows(cell, milliseconds{100});
  windows.add(step(0, 10, 1));
  windows.expect_reports(WallInstant{milliseconds{10}});
  windows.add(step(10, 30, 1));
  EXPECT_FALSE(windows.due(WallInstant{milliseconds{30}}));
  windows.add(step(30, 50, 1));
  ASSERT_TRUE(windows.due(WallInstant{milliseconds{50}}));

  const auto taken = windows.take(WallInstant{milliseconds{50}}, false);

  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].steps, 3);
  EXPECT_FALSE(windows.due(WallInstant{milliseconds{90}}));
  EXPECT_TRUE(windows.due(WallInstant{milliseconds{91}}));  // another step of 20 ms would be late
}

TEST_F(WindowsTest, ANewCoTenantEndsAWindow) {
  StepWindows windows(cell, milliseconds{1000});
  ExecutedStep first = step(0, 20, 1, 0);
  ExecutedStep second = step(20, 40, 1, 1);
  first.samples_done = 100.0;
  second.samples_done = 228.0;
  windows.add(first);
  windows.add(second);

  const auto taken = windows.take(WallInstant{milliseconds{40}}, true);

  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[0].samples_done, 100.0);
  EXPECT_EQ(taken[1].samples_done, 228.0);
  EXPECT_EQ(taken[0].co_tenants, 0);
  EXPECT_EQ(taken[1].co_tenants, 1);
}

struct CheckpointTest : testing::Test {
  std::string folder =
      (std::filesystem::temp_directory_path() / ("mimus-ckpt-" + std::to_string(::getpid())))
          .string();
  void TearDown() override { std::filesystem::remove_all(folder); }
};

TEST_F(CheckpointTest, ReadsBackWhatWasWritten) {
  write_checkpoint(folder, {JobId{3}, 1234.5, Bytes{200'000}});

  const auto read = read_checkpoint(folder, JobId{3});

  EXPECT_DOUBLE_EQ(read.samples_done, 1234.5);
  EXPECT_DOUBLE_EQ(read.state.value, 200'000);
}

// The writer died after it had replaced the file and before rank 0 heard of it. The job continues
// from the previous checkpoint, which the next writer then keeps.
TEST_F(CheckpointTest, FallsBackToTheOneThatTheJobIsBelievedToHave) {
  write_checkpoint(folder, {JobId{3}, 1.0, Bytes{100}});
  for (const double ahead : {2.0, 3.0}) {
    write_checkpoint(folder, {JobId{3}, ahead, Bytes{100}});
    EXPECT_EQ(read_checkpoint(folder, JobId{3}).samples_done, ahead);

    EXPECT_EQ(read_checkpoint(folder, JobId{3}, 1.0).samples_done, 1.0);
    EXPECT_EQ(read_checkpoint(folder, JobId{3}).samples_done, 1.0);
  }
  write_checkpoint(folder, {JobId{3}, 4.0, Bytes{100}});
  EXPECT_EQ(read_checkpoint(folder, JobId{3}, 4.0).samples_done, 4.0);
}

TEST_F(CheckpointTest, RefusesMissingCutAndForeignFiles) {
  EXPECT_THROW((void)read_checkpoint(folder, JobId{3}), IoError);
  write_checkpoint(folder, {JobId{3}, 1.0, Bytes{200'000}});
  std::filesystem::resize_file(folder + "/job-3.checkpoint", 100'000);
  EXPECT_THROW((void)read_checkpoint(folder, JobId{3}), IoError);
  write_checkpoint(folder, {JobId{4}, 1.0, Bytes{10}});
  std::filesystem::rename(folder + "/job-4.checkpoint", folder + "/job-5.checkpoint");
  EXPECT_THROW((void)read_checkpoint(folder, JobId{5}), IoError);
}

TEST_F(CheckpointTest, OfACellEndWithItAndLeaveThoseOfOthers) {
  const std::string own = folder + "/001-a";
  const std::string others = folder + "/002-b";
  write_checkpoint(others, {JobId{3}, 2.0, Bytes{10}});
  {
    const CheckpointFolder cell(own);
    write_checkpoint(own, {JobId{3}, 1.0, Bytes{10}});
  }

  EXPECT_FALSE(std::filesystem::exists(own));
  EXPECT_EQ(read_checkpoint(others, JobId{3}).samples_done, 2.0);
  { const CheckpointFolder last(others); }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(CheckpointTest, OfACellLeaveWhatIsNotTheirs) {
  const std::filesystem::path results = folder + "/results";
  const std::filesystem::path above = results / "checkpoints";
  std::filesystem::create_directories(results);
  std::ofstream(above) << "notes";
  { const CheckpointFolder cell(above / "001-a"); }
  EXPECT_TRUE(std::filesystem::is_regular_file(above));

  std::filesystem::remove(above);
  std::filesystem::create_directories(folder + "/scratch");
  std::filesystem::create_directory_symlink(folder + "/scratch", above);
  {
    const CheckpointFolder cell(above / "001-a");
    write_checkpoint(above / "001-a", {JobId{3}, 1.0, Bytes{10}});
  }
  EXPECT_TRUE(std::filesystem::is_symlink(above));
  EXPECT_TRUE(std::filesystem::is_empty(folder + "/scratch"));

  std::filesystem::remove(above);
  std::filesystem::create_directories(above);
  { const CheckpointFolder cell(above / "001-a"); }
  EXPECT_TRUE(std::filesystem::exists(above));

  std::filesystem::create_directories(above / "001-a");
  std::ofstream(above / "001-a" / "job-notes.txt") << "notes";
  { const CheckpointFolder cell(above / "001-a"); }
  EXPECT_TRUE(std::filesystem::exists(above / "001-a" / "job-notes.txt"));
}

TEST(LaunchCommand, UserOptionsWinOverDefaults) {
  const auto plain = launch_command({.ranks = 5}, {"mimus", "run", "c.yaml"});
  const auto bound = launch_command({.ranks = 5, .extra_arguments = "--bind-to core -x A"},
                                    {"mimus", "run", "c.yaml"});

  EXPECT_NE(std::find(plain.begin(), plain.end(), "none"), plain.end());
  EXPECT_EQ(std::find(bound.begin(), bound.end(), "none"), bound.end());
  EXPECT_NE(std::find(bound.begin(), bound.end(), "core"), bound.end());
  EXPECT_EQ(plain.back(), "c.yaml");
}

}  // namespace
}  // namespace mimus::emulator
