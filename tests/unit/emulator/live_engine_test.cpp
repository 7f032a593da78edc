// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/live_engine.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "tests/support/live_world.hpp"

namespace mimus::emulator {
namespace {

using std::chrono::milliseconds;

struct NoDevices : DeviceSink {
  void take(const DeviceSampleMessage& /*sample*/, Instant /*time*/) override {}
  void take(AttemptId /*attempt*/, JobId /*job*/,
            const kernels::DeviceReport& /*report*/) override {}
};

/// Rank 0 runs the engine, rank 1 plays its only worker.
struct LiveEngineTest : testing::Test {
  NoDevices devices;
  std::unique_ptr<LiveWorld> world;
  std::unique_ptr<Mailbox> mailbox;
  LiveCell cell;

  void SetUp() override {
    if (test_world().size() != 2) GTEST_SKIP() << "needs a scheduler and a worker: two ranks";
    world = std::make_unique<LiveWorld>(test_world(), WorldShape{});
    mailbox = std::make_unique<Mailbox>(test_world());
    cell.engine.time_scale = 1000.0;
    cell.engine.stage_timeout = std::chrono::seconds{20};
  }
  [[nodiscard]] static bool is_worker() { return test_world().rank() == 1; }

  /// The next message, which has to be of this kind.
  template <class Message>
  Message receive() {
    while (true) {
      const auto envelope = mailbox->poll();
      if (!envelope) continue;
      EXPECT_EQ(static_cast<int>(envelope->kind), static_cast<int>(Message::kKind));
      return decode<Message>(envelope->bytes);
    }
  }
};

// A second of set-up would be 1000 emulated seconds here, in which jobs arrive.
TEST_F(LiveEngineTest, EmulatedTimeBeginsWhenTheLastWorkerIsReady) {
  if (is_worker()) {
    EXPECT_EQ(receive<BeginCell>().cell, 0);
    std::this_thread::sleep_for(milliseconds{300});
    const WallInstant ready = wall_now();
    mailbox->send(0, CellReady{});
    EXPECT_GE(WallInstant{Duration{receive<BeginClock>().epoch_ns}}, ready);
    return;
  }
  LiveEngine engine(*world, *mailbox, cell, 0, devices);
  const WallInstant begin = wall_now();
  engine.begin_clock();
  const Instant now = engine.now();
  EXPECT_LE(now.time_since_epoch(), cell.emulated(wall_now() - begin));
}

}  // namespace
}  // namespace mimus::emulator
