// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "emulator/live/host/host_clocks.hpp"
#include "emulator/live/world/live_world.hpp"
#include "tests/support/live_world.hpp"

namespace mimus::emulator {
namespace {

using kernels::PaceClock;
using std::chrono::milliseconds;

/// Rank 1 speaks for a host of its own. Rank 0 is busy first, and then answers.
struct HostVoiceTest : testing::Test {
  std::unique_ptr<LiveWorld> world;
  std::vector<std::byte> memory = std::vector<std::byte>(PaceClock::bytes_needed(2));

  void SetUp() override {
    if (test_world().size() != 2) GTEST_SKIP() << "needs rank 0 and a worker: two ranks";
    world = std::make_unique<LiveWorld>(test_world(), WorldShape{});
  }

  /// The reports that arrive until none has for a while.
  static int count_reports(Mailbox& mailbox) {
    int count = 0;
    WallInstant last = wall_now();
    while (wall_now() - last < milliseconds{100}) {
      if (!mailbox.poll()) continue;
      ++count;
      last = wall_now();
    }
    return count;
  }
  static void meet() { static_cast<void>(test_world().highest(0)); }
};

// Reports that rank 0 has no time to read would make a queue that never gets shorter.
TEST_F(HostVoiceTest, DoesNotFloodARank0ThatDoesNotAnswer) {
  if (test_world().rank() == 0) {
    Mailbox mailbox(test_world().clocks());
    meet();
    const int reports = count_reports(mailbox);
    EXPECT_GE(reports, 1);
    EXPECT_LE(reports, 8);
    const auto at = [](int ms) { return WallInstant{milliseconds{ms}}.time_since_epoch().count(); };
    for (const int ms : {1000, 2000, 3000}) {
      mailbox.send(1, HostAnswer{.cell = 0,
                                 .ceiling_ns = at(ms),
                                 .now_ns = at(ms),
                                 .settled_ns = 0,
                                 .last_commands = {}});
    }
    EXPECT_TRUE(mailbox.flush(std::chrono::seconds{5}));
    meet();
    return;
  }
  PaceClock clock(PaceClock::Kind::unbound, memory, 2, 1, true);
  clock.reset();
  clock.promise(WallInstant{std::chrono::hours{1}});
  HostVoice voice(test_world(), world->host(), clock, 0);
  for (const WallInstant begin = wall_now(); wall_now() - begin < milliseconds{400};) {
    std::this_thread::sleep_for(voice.exchange());
  }
  meet();
  meet();
  while (clock.now() < WallInstant{milliseconds{3000}}) static_cast<void>(voice.exchange());
}

}  // namespace
}  // namespace mimus::emulator
