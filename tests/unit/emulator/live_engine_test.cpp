// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/live_engine.hpp"

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

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
  workloads::ModelCatalogue models = workloads::ModelCatalogue::built_in();
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

  /// One replica on the only worker.
  Attempt attempt() {
    Attempt out;
    out.id = AttemptId{8};
    out.job = JobId{3};
    out.model = &models.at("resnet18");
    out.allocation.slots = {{GpuId{0}, LaneId{0}}};
    return out;
  }

  /// The next message, which must be of this kind.
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

// A second of set-up would be 1000 emulated seconds here, during which jobs arrive.
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

TEST_F(LiveEngineTest, CoresThatAreNotPacedRefuseLimits) {
  if (is_worker()) {
    (void)receive<BeginCell>();
    mailbox->send(0, CellReady{});
    return;
  }
  cell.engine.pace = EngineConfig::Pace::none;
  LiveEngine engine(*world, *mailbox, cell, 0, devices);

  EXPECT_THROW(engine.limit(AttemptId{8}, {.cap = 0.5}), UsageError);
  try {
    engine.limit(AttemptId{8}, {.memory = Bytes{1e9}});
    FAIL() << "cores are to limit memory";
  } catch (const UsageError& refused) {
    const std::string what = refused.what();
    EXPECT_NE(what.find("limits the device memory of a job"), std::string::npos) << what;
  }
}

// Energy is that of the cell, without the set-up of other workers.
TEST_F(LiveEngineTest, OfDevicesOnlyTheLastSampleBeforeTheClockBeginsIsTaken) {
  if (is_worker()) {
    (void)receive<BeginCell>();
    for (const std::int64_t time_ns : {1, 2, 3}) {
      DeviceSampleMessage sample;
      sample.time_ns = time_ns;
      mailbox->send(0, sample);
    }
    mailbox->send(0, CellReady{});
    (void)receive<BeginClock>();
    return;
  }
  struct Samples : NoDevices {
    using NoDevices::take;
    std::vector<std::int64_t> times_ns;
    void take(const DeviceSampleMessage& sample, Instant /*time*/) override {
      times_ns.push_back(sample.time_ns);
    }
  } samples;
  LiveEngine engine(*world, *mailbox, cell, 0, samples);
  engine.begin_clock();
  EXPECT_EQ(samples.times_ns, std::vector<std::int64_t>{3});
}

// As during a checkpoint that is written for minutes: no event, but no error either.
TEST_F(LiveEngineTest, WaitsForAnAttemptThatSaysThatItIsAlive) {
  cell.engine.stage_timeout = milliseconds{500};
  if (is_worker()) {
    (void)receive<BeginCell>();
    mailbox->send(0, CellReady{});
    (void)receive<BeginClock>();
    const auto start = receive<StartMessage>();
    for (int i = 0; i < 15; ++i) {
      mailbox->send(0, AttemptAlive{start.attempt});
      std::this_thread::sleep_for(milliseconds{100});
    }
    EndedMessage ended;
    ended.attempt = start.attempt;
    mailbox->send(0, ended);
    (void)mailbox->flush(std::chrono::seconds{5});
    return;
  }
  LiveEngine engine(*world, *mailbox, cell, 0, devices);
  engine.begin_clock();
  engine.start(attempt());
  std::vector<TimedEvent> happened;
  EXPECT_NO_THROW((void)engine.next(kNever, happened));
  EXPECT_EQ(happened.size(), 2U);  // its last windows and its end
}

// An interrupted cell is run again, but a failed one would not be.
TEST_F(LiveEngineTest, DoesNotFailBecauseOfAWorkerThatFailsWhileItWindsDown) {
  if (is_worker()) {
    (void)receive<BeginCell>();
    mailbox->send(0, CellReady{});
    (void)receive<BeginClock>();
    (void)receive<StartMessage>();
    EXPECT_FALSE(receive<StopMessage>().checkpoint);
    mailbox->send(0, WorkerFailed{.what = "out of order", .exit_code = 5});
    (void)mailbox->flush(std::chrono::seconds{5});
    return;
  }
  LiveEngine engine(*world, *mailbox, cell, 0, devices);
  engine.begin_clock();
  engine.start(attempt());

  bool all_ended = true;
  EXPECT_NO_THROW(all_ended = engine.wind_down(std::chrono::seconds{20}));
  EXPECT_FALSE(all_ended);
}

TEST_F(LiveEngineTest, NamesTheStageOfALeadThatIsSilent) {
  cell.engine.stage_timeout = milliseconds{100};
  if (is_worker()) {
    world->host().own_status().job = 3;
    world->host().own_status().stage = Stage::checkpoint;
    (void)receive<BeginCell>();
    mailbox->send(0, CellReady{});
    (void)receive<BeginClock>();
    (void)receive<StartMessage>();
    (void)receive<EndCell>();
    return;
  }
  LiveEngine engine(*world, *mailbox, cell, 0, devices);
  engine.begin_clock();
  engine.start(attempt());
  std::vector<TimedEvent> happened;
  try {
    (void)engine.next(kNever, happened);
    ADD_FAILURE() << "no TimeoutError";
  } catch (const TimeoutError& error) {
    EXPECT_NE(std::string(error.what()).find("job 3, attempt -1, stage \"checkpoint write\""),
              std::string::npos)
        << error.what();
  }
  mailbox->send(1, EndCell{});
  (void)mailbox->flush(std::chrono::seconds{5});
}

TEST_F(LiveEngineTest, NamesANewMemberThatDoesNotGetReady) {
  cell.engine.stage_timeout = milliseconds{200};
  cell.engine.time_scale = 1e6;  // start-up takes no time
  if (is_worker()) {
    (void)receive<BeginCell>();
    mailbox->send(0, CellReady{});
    (void)receive<BeginClock>();
    const auto start = receive<StartMessage>();
    while (true) {
      mailbox->send(0, AttemptAlive{start.attempt});
      std::this_thread::sleep_for(milliseconds{20});
      const auto envelope = mailbox->poll();
      if (envelope && envelope->kind == MessageKind::end_cell) return;
    }
  }
  LiveEngine engine(*world, *mailbox, cell, 0, devices);
  engine.begin_clock();
  engine.start(attempt());
  Attempt larger = attempt();
  larger.id = AttemptId{9};
  larger.allocation.slots.push_back(larger.allocation.slots.front());
  engine.resize(AttemptId{8}, larger);
  std::vector<TimedEvent> happened;
  try {
    (void)engine.next(kNever, happened);
    ADD_FAILURE() << "no TimeoutError";
  } catch (const TimeoutError& error) {
    EXPECT_NE(std::string(error.what()).find("attempt 9 of job 3 waits for rank 1 on host"),
              std::string::npos)
        << error.what();
  }
  mailbox->send(1, EndCell{});
  (void)mailbox->flush(std::chrono::seconds{5});
}

/// As if mpirun had been told to let ranks outlive others.
struct OutlivedWorld {
  OutlivedWorld() { ::setenv("OMPI_MCA_orte_enable_recovery", "1", 1); }
  OutlivedWorld(const OutlivedWorld&) = delete;
  OutlivedWorld& operator=(const OutlivedWorld&) = delete;
  ~OutlivedWorld() { ::unsetenv("OMPI_MCA_orte_enable_recovery"); }
};

TEST_F(LiveEngineTest, AWorkerThatDiesTakesItsGpuAlongAndItsAttemptFallsBack) {
  const OutlivedWorld outlived;
  if (is_worker()) {
    (void)receive<BeginCell>();
    mailbox->send(0, CellReady{});
    (void)receive<BeginClock>();
    (void)receive<StartMessage>();
    mailbox->send(0, RankLost{.rank = 1, .doing = "job 3, attempt 8, stage \"compute\""});
    (void)mailbox->flush(std::chrono::seconds{5});
    return;
  }
  LiveEngine engine(*world, *mailbox, cell, 0, devices);
  engine.begin_clock();
  Attempt lost = attempt();
  lost.samples_kept = 5.0;
  engine.start(lost);
  std::vector<TimedEvent> happened;
  (void)engine.next(kNever, happened);

  ASSERT_EQ(happened.size(), 2U);
  const auto& down = std::get<scheduler::GpuDown>(happened[0].event);
  EXPECT_EQ(down.gpu, GpuId{0});
  EXPECT_NE(down.detail.find("GPU 0 of node 0: rank 1 on host "), std::string::npos);
  const auto& ended = std::get<scheduler::AttemptEnded>(happened[1].event);
  EXPECT_EQ(ended.reason, scheduler::EndReason::worker_lost);
  EXPECT_NE(ended.detail.find("(job 3, attempt 8, stage \"compute\") has died"), std::string::npos);
  EXPECT_EQ(ended.samples_done, 5.0);

  // An attempt that is started there ends at once, and then no event is left.
  Attempt again = attempt();
  again.id = AttemptId{9};
  engine.start(again);
  happened.clear();
  (void)engine.next(kNever, happened);
  ASSERT_EQ(happened.size(), 1U);
  EXPECT_EQ(std::get<scheduler::AttemptEnded>(happened[0].event).attempt, AttemptId{9});
  EXPECT_THROW((void)engine.next(kNever, happened), Error);
}

TEST_F(LiveEngineTest, ACellThatIsToStopEndsWhenAWorkerDies) {
  const OutlivedWorld outlived;
  cell.engine.on_lost_rank = EngineConfig::OnLostRank::stop;
  if (is_worker()) {
    (void)receive<BeginCell>();
    mailbox->send(0, CellReady{});
    mailbox->send(0, RankLost{.rank = 1, .doing = "no job, stage \"idle\""});
    (void)receive<BeginClock>();
    return;
  }
  LiveEngine engine(*world, *mailbox, cell, 0, devices);
  engine.begin_clock();
  std::vector<TimedEvent> happened;

  EXPECT_THROW((void)engine.next(Instant{std::chrono::hours{1}}, happened), WorkerLostError);
}

}  // namespace
}  // namespace mimus::emulator
