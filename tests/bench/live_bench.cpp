// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The cost of the testbed in addition to the work, measured with real ranks:
//   mpirun -n 5 build/dev/tests/bench/live_bench
// Bounds (docs/measurements.md): step overhead < 1 %, gang start < 10 ms beyond the communicator's
// own cost, all-reduce within 2 % of the raw call, the clock < 0.5 % of a step. Prints one line per
// measurement and never fails because of a time.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include "base/log.hpp"
#include "base/shared_memory.hpp"
#include "emulator/live/gang/gang_attempt.hpp"
#include "emulator/live/gang/replica_backends.hpp"
#include "emulator/live/world/live_world.hpp"
#include "kernels/mpi/mpi_collective.hpp"
#include "kernels/mpi/mpi_error.hpp"
#include "kernels/pacing/turn_book.hpp"

namespace mimus::emulator {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0.0 : values[values.size() / 2];
}

double seconds_of(const std::function<void()>& what) {
  const WallInstant begin = wall_now();
  what();
  return to_seconds(wall_now() - begin);
}

LiveCell bench_cell(const workloads::ModelCatalogue& models, EngineConfig::Pace pace) {
  LiveCell cell;
  cell.cluster.shape.gpu_type = "T4";
  cell.cluster.shape.gpus_per_node = 8;
  cell.cluster.shape.gpus_per_island = 8;
  cell.cluster.shape.gpu_memory = Bytes{16e9};
  cell.cluster.network.rate = BytesPerSecond{25e9 / 8};
  cell.cluster.storage = BytesPerSecond{1e9};
  cell.engine.pace = pace;
  cell.engine.time_scale = 60.0;
  cell.engine.min_step_wall = std::chrono::milliseconds{25};
  cell.engine.stage_timeout = std::chrono::seconds{60};
  cell.engine.interference = ConfigNode::text("slices");
  cell.models = &models;
  cell.cluster.gpu = kernels::gpu_spec("T4");
  cell.work_scale = 2e4;
  cell.epoch = wall_now();
  return cell;
}

/// The same stretched step without the testbed: no gang, no messages, no windows.
double bare_step_seconds(WorkerContext& context, const workloads::Model& model, std::int64_t batch,
                         int rounds) {
  const auto plan = kernels::make_plan(model, context.cell.cluster.gpu, {.per_gpu_batch = batch});
  const double emulated = to_seconds(kernels::solo_step_time(plan, {}).total);
  const int stretch = std::max(1, static_cast<int>(std::ceil(0.025 / (emulated / 60.0))));
  context.device->reserve(plan);
  context.device->set_stretch({.steps = stretch, .wall_per_emulated = stretch / 60.0});
  const auto step = context.device->make_step({}, plan);
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    times.push_back(
        seconds_of([&] { (void)step->run(wall_now(), [](WallInstant) { return false; }); }));
  }
  context.device->release();
  return median(times) / stretch;
}

/// A whole attempt as a worker runs it. Rank 0 plays the scheduler.
double attempt_step_seconds(const MpiWorld& world, WorkerContext* context,
                            const StartMessage& message) {
  if (world.rank() == 1) static_cast<void>(GangAttempt(*context, {message, {}}).run());
  if (world.rank() != 0) return 0.0;
  Mailbox mailbox(world);
  std::vector<double> times;
  while (true) {
    const auto envelope = mailbox.poll();
    if (!envelope) {
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
      continue;
    }
    if (envelope->kind == MessageKind::attempt_progress) {
      const auto progress = decode<ProgressMessage>(envelope->bytes);
      for (const auto& w : progress.windows) times.push_back(to_seconds(w.step_mean) / 60.0);
    }
    if (envelope->kind == MessageKind::attempt_ended) return median(times);
  }
}

void bench_step(const MpiWorld& world, const LiveWorld& live,
                const workloads::ModelCatalogue& models) {
  constexpr int kRounds = 9;
  constexpr std::int64_t kBatch = 64;
  std::vector<double> ratios;
  Mailbox mailbox(world);
  HostWatch watch(world, live.host(), mailbox);
  std::deque<Envelope> inbox;
  for (int round = 0; round < kRounds; ++round) {
    WorkerContext context(world, live.host(), mailbox, watch, inbox, 0);
    context.cell = bench_cell(models, EngineConfig::Pace::none);
    context.ledger = std::make_unique<kernels::Ledger>(live.host().ledger_memory(), 4, Bytes{16e9});
    context.device = make_device(context, GpuId{0});
    StartMessage message;
    message.attempt = round;
    message.job = 0;
    message.model = "resnet50";
    message.slots = {{GpuId{0}, LaneId{0}}};
    message.batch = {.per_gpu = kBatch, .accumulation = 1};
    message.work_samples = 15'000.0;  // about forty stretched steps
    double bare = 0.0;
    if (world.rank() == 1) bare = bare_step_seconds(context, models.at("resnet50"), kBatch, 40);
    const double whole = attempt_step_seconds(world, &context, message);
    MPI_Bcast(&bare, 1, MPI_DOUBLE, 1, world.communicator());
    if (world.rank() == 0) ratios.push_back(whole / bare);
    MPI_Barrier(world.communicator());
  }
  if (world.rank() == 0) {
    fmt::print("step_overhead          {:+.2f} %   (median of {} pairs, attempt over bare step)\n",
               100.0 * (median(ratios) - 1.0), kRounds);
  }
}

/// The cost for a rank of looking at the clock and promising, on a host with `ranks` ranks. A step
/// of the minimum length looks at the clock once per quantum. While a collective is under way it
/// also looks at most five times per millisecond.
void bench_clock(int ranks) {
  constexpr int kLooks = 200'000;
  constexpr double kPerSecond = 5500.0;
  auto memory = SharedMemory::anonymous(kernels::PaceClock::bytes_needed(ranks));
  const std::span bytes(static_cast<std::byte*>(memory.data()), memory.size());
  constexpr auto kKind = kernels::PaceClock::Kind::waiting;
  for (int rank = 0; rank < ranks; ++rank) {
    kernels::PaceClock(kKind, bytes, ranks, rank).promise(wall_now() + std::chrono::hours{1});
  }
  kernels::PaceClock clock(kKind, bytes, ranks, 0);
  const double one = seconds_of([&] {
                       for (int i = 0; i < kLooks; ++i) {
                         clock.promise(clock.now() + std::chrono::hours{1});
                       }
                     }) /
                     kLooks;
  fmt::print(
      "clock, {:>3} ranks       {:.0f} ns per look and promise, {:.2f} % of a step at most\n",
      ranks, 1e9 * one, 100.0 * one * kPerSecond);
  std::int64_t sum = 0;
  const double report = seconds_of([&] {
                          for (int i = 0; i < kLooks; ++i) sum += clock.report().least_ns;
                        }) /
                        kLooks;
  fmt::print("report, {:>3} ranks      {:.0f} ns, as often in worlds of several hosts ({})\n",
             ranks, 1e9 * report, sum > 0 ? "works" : "idle");
}

/// The cost for a tenant of a turn on a GPU with `lanes` lanes, and of reporting its progress. It
/// does either at most as often as it looks at the clock.
void bench_turns(int lanes) {
  constexpr int kTurns = 200'000;
  constexpr double kPerSecond = 5500.0;
  auto memory = SharedMemory::anonymous(kernels::TurnBook::bytes_needed(1, lanes));
  kernels::TurnBook book({static_cast<std::byte*>(memory.data()), memory.size()}, 1, lanes);
  const Duration slice = std::chrono::milliseconds{2};
  WallInstant at = wall_now();
  const auto seat = [lanes](int lane) {
    return kernels::TurnSeat{.gpu = 0, .first_lane = 0, .lanes = lanes, .lane = lane};
  };
  for (int lane = 1; lane < lanes; ++lane) book.quiet_until(seat(lane), at + std::chrono::hours{1});
  const double one = seconds_of([&] {
                       for (int i = 0; i < kTurns; ++i) {
                         book.ask(seat(0), {at, slice, slice});
                         at = book.look(seat(0)).begin + slice;
                         book.quiet_until(seat(0), at);
                       }
                     }) /
                     kTurns;
  fmt::print("turns, {:>2} lanes         {:.0f} ns per turn, {:.2f} % of a step at most\n", lanes,
             1e9 * one, 100.0 * one * kPerSecond);
}

void bench_gang(const MpiWorld& world) {
  constexpr int kRounds = 50;
  std::vector<scheduler::Slot> slots;
  for (int lane = 0; lane + 1 < world.size(); ++lane) slots.push_back({GpuId{lane}, LaneId{lane}});
  std::vector<double> create, agree;
  for (int round = 0; round < kRounds; ++round) {
    MPI_Barrier(world.communicator());
    if (world.rank() == 0) continue;
    const WallInstant begin = wall_now();
    GangCommunicator gang(world.communicator(), slots, round);
    const WallInstant made = wall_now();
    GangAgreement agreement(gang);
    agreement.post({0, 0});
    while (!agreement.ready()) std::this_thread::sleep_for(std::chrono::microseconds{20});
    create.push_back(to_seconds(made - begin));
    agree.push_back(to_seconds(wall_now() - made));
  }
  if (world.rank() == 1) {
    fmt::print("gang_create            {:.3f} ms   ({} ranks, p50)\n", 1e3 * median(create),
               slots.size());
    fmt::print("gang_agreement         {:.3f} ms   (p50)\n", 1e3 * median(agree));
    std::fflush(stdout);
  }
  MPI_Barrier(world.communicator());
}

void bench_all_reduce(const MpiWorld& world, double bytes, int rounds) {
  const auto floats = static_cast<std::size_t>(bytes / sizeof(float)) /
                      static_cast<std::size_t>(world.size()) *
                      static_cast<std::size_t>(world.size());
  std::vector<float> send(floats, 0.5F), receive(floats);
  kernels::MpiCollective ours(world.communicator(), {}, nullptr);
  std::vector<double> raw, wrapped;
  for (int round = 0; round < rounds; ++round) {
    MPI_Barrier(world.communicator());
    raw.push_back(seconds_of([&] {
      MPI_Allreduce(send.data(), receive.data(), static_cast<int>(floats), MPI_FLOAT, MPI_SUM,
                    world.communicator());
    }));
    MPI_Barrier(world.communicator());
    wrapped.push_back(seconds_of([&] {
      const auto operation =
          ours.enqueue(kernels::CollectiveOp::all_reduce, Bytes{bytes}, wall_now());
      while (ours.completed() < operation) {
        ours.progress(wall_now());
        if (ours.completed() < operation) std::this_thread::sleep_until(ours.wake());
      }
    }));
  }
  if (world.rank() == 0) {
    fmt::print("all_reduce {:>8.1f} MB  {:.2f} ms ours, {:.2f} ms raw MPI_Allreduce, {:+.1f} %\n",
               bytes / 1e6, 1e3 * median(wrapped), 1e3 * median(raw),
               100.0 * (median(wrapped) / median(raw) - 1.0));
  }
}

}  // namespace
}  // namespace mimus::emulator

int main() {
  using namespace mimus;
  using namespace mimus::emulator;
  log::configure(0);
  const MpiWorld world;
  if (world.size() < 2) {
    log::error("start it with mpirun -n 5 --oversubscribe");
    return static_cast<int>(ExitCode::environment);
  }
  WorldShape shape;
  shape.gpus = shape.gpus_per_node = world.size() - 1;
  const LiveWorld live(world, shape);
  const auto models = workloads::ModelCatalogue::built_in();
  if (world.rank() == 0) {
    for (const int ranks : {5, 17, 65}) bench_clock(ranks);
    for (const int lanes : {1, 2, 4}) bench_turns(lanes);
  }
  bench_gang(world);
  for (const double megabytes : {0.001, 1.0, 25.0}) bench_all_reduce(world, megabytes * 1e6, 30);
  bench_step(world, live, models);
  return 0;
}
