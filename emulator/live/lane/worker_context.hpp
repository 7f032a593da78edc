// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "emulator/live/host/host_clocks.hpp"
#include "emulator/live/host/host_segment.hpp"
#include "emulator/live/host/host_watch.hpp"
#include "emulator/live/lane/device_sampler.hpp"
#include "emulator/live/lane/tenant_pace.hpp"
#include "emulator/live/lane/worker_losses.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "emulator/live/world/cuda_place.hpp"
#include "emulator/live/world/live_cell.hpp"
#include "kernels/device.hpp"

namespace mimus::emulator {

/// A worker's state during a cell.
struct WorkerContext {
  /// Of cell number `index`.
  WorkerContext(const MpiWorld& mpi, const HostSegment& segment, Mailbox& messages,
                HostWatch& host_watch, std::deque<Envelope>& set_aside, int index);

  const MpiWorld& world;
  const HostSegment& host;
  Mailbox& mailbox;
  HostWatch& watch;
  WorkerLosses losses;
  LiveCell cell;
  kernels::PaceClock clock;        ///< the clock of this worker's attempts
  std::optional<HostVoice> voice;  ///< on other hosts than rank 0's
  HostGpu host_gpu;                ///< the GPU that this worker serves, among those of its host
  std::unique_ptr<kernels::Ledger> ledger;
  std::unique_ptr<kernels::LinkBook> links;
  kernels::TurnBook turns;
  std::unique_ptr<TenantPace> pace;  ///< among the tenants of its GPU; of workers with a device
  std::unique_ptr<kernels::Device> device;
  std::unique_ptr<DeviceSampler> sampler;  ///< of the worker with a device's first GPU
  int gpus_per_device = 1;                 ///< of the cluster, that share this worker's CUDA device
  /// Messages that arrived while an attempt ran and are not for it; they may include the end of the
  /// cell and later ones.
  std::deque<Envelope>& inbox;
  std::deque<Envelope> early;  ///< commands to another attempt, perhaps its successor

  /// Must be called wherever the worker waits: sends rank 0 the sampler's measurements since the
  /// last call, and watches the host.
  void look_around();
  /// True for a message that is handled at once, whatever the worker is doing.
  [[nodiscard]] bool take(const Envelope& envelope);
  /// Sends rank 0 what has happened at `at`, and lets the clock wait until it has read that.
  template <class Message>
  void tell(WallInstant at, const Message& message) {
    static_assert(holds_clock(Message::kKind));
    clock.tell(at);
    mailbox.send(0, message);
  }
  /// Lateness that a waiting clock allows is made up for; only the rest stays in the timeline.
  static constexpr Duration kMadeGood = std::chrono::milliseconds{50};
  /// `planned`, if that is still to come or was just now.
  [[nodiscard]] WallInstant caught_up(WallInstant planned) {
    const WallInstant now = clock.now();
    return now - planned <= (clock.waits() ? kMadeGood : Duration{}) ? planned : now;
  }
  /// Times in messages are those of the world's clock.
  [[nodiscard]] WallInstant local(std::int64_t world_ns) const {
    return WallInstant{Duration{world_ns} - cell.clock_offset};
  }
  [[nodiscard]] std::int64_t world_ns(WallInstant local) const {
    return (local + cell.clock_offset).time_since_epoch().count();
  }
  /// This worker's present activity, for messages about ranks that hang or die.
  void begin_work(std::int64_t job, std::int64_t attempt) const {
    host.own_status().job = job;
    host.own_status().attempt = attempt;
  }
  void end_work();
  /// Whether the start of an attempt that must be abandoned has arrived and not been looked at.
  [[nodiscard]] bool is_to_begin(const AbandonAttempt& message) const;
  void set_stage(Stage stage) const { host.own_status().stage = stage; }
};

}  // namespace mimus::emulator
