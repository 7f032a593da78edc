// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/worker/worker.hpp"

#include <deque>
#include <optional>

#include "emulator/live/gang/gang_attempt.hpp"
#include "emulator/live/gang/replica_backends.hpp"
#include "emulator/live/lane/worker_context.hpp"
#include "emulator/live/worker/joining_member.hpp"
#include "emulator/live/worker/link_measurement.hpp"
#include "emulator/live/world/mps_session.hpp"
#include "emulator/stop_signal.hpp"
#include "kernels/cuda/backend/cuda_backend.hpp"

namespace mimus::emulator {
namespace {

/// A worker between two messages: idle or inside an attempt.
class Worker {
 public:
  Worker(const LiveWorld& world, const CellSource& cells)
      : world_(world),
        cells_(cells),
        mailbox_(world.mpi()),
        watch_(world.mpi(), world.host(), mailbox_) {}

  WorkerEnd serve() {
    mailbox_.send(0, WorkerServes{});
    Backoff backoff(std::chrono::microseconds{50}, std::chrono::milliseconds{5});
    while (!end_) {
      look_around();
      if (auto envelope = next()) {
        backoff.reset();
        handle(*envelope);
      } else {
        backoff.nap();
      }
    }
    world_.host().own_status().stage = Stage::leaving;
    leave_device();
    mailbox_.send(0, WorkerLeaves{});
    (void)mailbox_.flush(std::chrono::seconds{2});
    return *end_;
  }

 private:
  void look_around() {
    if (context_) {
      context_->look_around();
      context_->clock.run_errand();
    } else {
      (void)watch_.look();
    }
  }

  void leave_device() {
    context_.reset();
    if (on_cuda_) kernels::cuda_backend().leave_device();
  }

  std::optional<Envelope> next() {
    if (inbox_.empty()) return mailbox_.poll();
    Envelope first = std::move(inbox_.front());
    inbox_.pop_front();
    return first;
  }

  void handle(const Envelope& envelope) {
    if (context_ && context_->take(envelope)) return;
    switch (envelope.kind) {
      case MessageKind::begin_cell:
        begin_cell(decode<BeginCell>(envelope.bytes));
        return;
      case MessageKind::begin_clock:
        context_->cell.epoch = WallInstant{Duration{decode<BeginClock>(envelope.bytes).epoch_ns}};
        return;
      case MessageKind::start_attempt:
        run_attempt(decode<StartMessage>(envelope.bytes));
        return;
      case MessageKind::measure_link:
        measure_link(*context_, decode<MeasureLink>(envelope.bytes));
        return;
      case MessageKind::sample_devices:
        if (context_ && context_->sampler) context_->sampler->sample_now();
        return;
      case MessageKind::end_cell:
        context_.reset();
        return;
      case MessageKind::shutdown:
        end_ = end_of(decode<Shutdown>(envelope.bytes));
        return;
      default:
        return;  // a command for an attempt that has ended in the meantime
    }
  }

  void begin_cell(const BeginCell& message) {
    world_.host().own_status().gathering = 0;
    context_.emplace(world_.mpi(), world_.host(), mailbox_, watch_, inbox_, message.cell);
    LiveCell& cell = context_->cell;
    cell = cells_(message.cell);
    cell.work_scale = message.work_scale;
    cell.checkpoint_dir = message.checkpoint_dir;
    begin_pace(message.cell);
    const auto& shape = cell.cluster.shape;
    const GpuId gpu{(world_.mpi().rank() - 1) / shape.lanes_per_gpu};
    const bool is_idle = gpu.value() >= shape.gpus();
    context_->ledger =
        std::make_unique<kernels::Ledger>(world_.host().ledger_memory(), world_.shape().gpus,
                                          is_idle ? shape.gpu_memory : shape.memory_of(gpu));
    if (!is_idle) {
      context_->host_gpu = host_gpu(world_.hosts(), world_.mpi().rank(), shape.lanes_per_gpu,
                                    static_cast<int>(shape.gpus()));
      on_cuda_ = cell.engine.on_cuda();
      context_->pace = std::make_unique<TenantPace>(emulated_sharing(cell), cell.models->names(),
                                                    tenants_of(world_.host(), shape, gpu),
                                                    world_.host().own_status());
      context_->device = make_device(*context_, gpu);
    }
    CellReady ready;
    if (context_->device) {
      ready.device = context_->device->description();
      ready.samples_missing =
          start_sampling(*context_, {.cell = message.cell, .gpu = gpu.value(), .host = own_host()});
    }
    ready.samples = context_->sampler != nullptr;
    ready.gpus_per_device = context_->gpus_per_device;
    if (context_->device && cell.engine.on_cuda()) ready.mps = mps_state(cell.engine.cuda);
    mailbox_.send(0, ready);
  }

  /// A waiting clock shows the time of rank 0's host on every host.
  void begin_pace(int cell) {
    WorkerContext& context = *context_;
    context.clock = world_.host().clock(context.cell.clock());
    if (!context.clock.waits()) {
      context.cell.clock_offset = world_.clock_offset();
      return;
    }
    if (world_.host().local_rank() == 0) context.clock.reset(world_.clock_offset());
    if (world_.host().own_host() == 0) return;
    if (world_.host().local_rank() == 0) {
      world_.host().decisions().reset();
      context.links->reset();
      context.turns.reset();
    }
    context.voice.emplace(world_.mpi(), world_.host(), context.clock, cell);
    context.clock.set_errand([&context] { return context.voice->exchange(); });
  }

  static WorkerEnd end_of(const Shutdown& message) {
    return {.exit_code = message.exit_code, .ends_mpi = message.ends_mpi};
  }

  [[nodiscard]] std::string own_host() const {
    return world_.ranks()[static_cast<std::size_t>(world_.mpi().rank())].host;
  }

  void run_attempt(StartMessage message) {
    ensure(context_.has_value() && context_->device != nullptr,
           "an attempt was sent to a worker that serves no GPU of this cell");
    const kernels::WorkingMember working(context_->clock, context_->local(message.at_ns));
    const WorkerLosses& losses = context_->losses;
    // Other members of a gang that is only cut off wait for this one.
    if (losses.is_abandoned(message.attempt) && !losses.is_cut_off(message.attempt)) return;
    std::optional<Handover> running = Handover{std::move(message), {}};
    if (running->next.follows() && !await_gang(*context_, *running)) return;
    try {
      while (running) {
        GangAttempt attempt(*context_, std::move(*running));
        running = attempt.run();
      }
    } catch (const AbandonedError&) {
      context_->end_work();
    }
  }

  const LiveWorld& world_;
  const CellSource& cells_;
  Mailbox mailbox_;
  HostWatch watch_;
  std::deque<Envelope> inbox_;
  std::optional<WorkerContext> context_;
  std::optional<WorkerEnd> end_;
  bool on_cuda_ = false;
};

}  // namespace

WorkerEnd run_worker(const LiveWorld& world, const CellSource& cells) {
  leave_stop_signals_to_rank_0(world.host().own_status().told_to_end,
                               world.host().statuses().front().aborts);
  try {
    return Worker(world, cells).serve();
  } catch (const std::exception& error) {
    const auto* own = dynamic_cast<const Error*>(&error);
    const int code = static_cast<int>(own != nullptr ? own->exit_code() : ExitCode::internal);
    Mailbox mailbox(world.mpi());
    mailbox.send(0, WorkerFailed{.what = error.what(), .exit_code = code});
    (void)mailbox.flush(std::chrono::seconds{2});
    // Rank 0 ends the run when it has read this. If this rank left first, MPI would end the run
    // without an explanation.
    Backoff backoff(std::chrono::milliseconds{10}, std::chrono::milliseconds{50});
    for (const WallInstant give_up = wall_now() + std::chrono::seconds{10}; wall_now() < give_up;) {
      backoff.nap();
    }
    return {.exit_code = code};
  }
}

}  // namespace mimus::emulator
