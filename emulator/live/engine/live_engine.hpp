// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "base/error.hpp"
#include "emulator/engine.hpp"
#include "emulator/live/engine/device_sink.hpp"
#include "emulator/live/engine/event_order.hpp"
#include "emulator/live/host/host_clocks.hpp"
#include "emulator/live/messages/loss_messages.hpp"
#include "emulator/live/messages/protocol.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "emulator/live/world/live_cell.hpp"
#include "emulator/live/world/live_world.hpp"

namespace mimus::emulator {

/// What to do about it.
inline constexpr const char* kResume =
    "; the results so far are kept, run the same command again to go on with the unfinished cells";

/// A worker process has died.
class WorkerLostError : public Error {
 public:
  explicit WorkerLostError(const std::string& message) : Error(ExitCode::run_failed, message) {}
};

/// Whether a cell goes on when a worker has died: the launcher has to let it, and the campaign.
[[nodiscard]] bool survives_losses(const EngineConfig& engine);

/// Rank 0's side of a live cell: real workers, on a clock that waits for those that are behind.
/// What workers report bears the instant at which they were to get there, and what follows from it
/// happens at that instant, too: neither messages nor decisions take emulated time.
class LiveEngine : public Engine {
 public:
  /// Tells all workers to begin cell number `index` of the campaign and waits for them. What their
  /// devices measure goes to `sink`, which outlives the engine. Emulated time stands still until
  /// begin_clock().
  LiveEngine(const LiveWorld& world, Mailbox& mailbox, LiveCell cell, int index, DeviceSink& sink);
  LiveEngine(const LiveEngine&) = delete;
  LiveEngine& operator=(const LiveEngine&) = delete;

  [[nodiscard]] std::string name() const override { return "live"; }
  /// What every rank runs on, as it says itself; "" for ranks without a device.
  [[nodiscard]] const std::vector<std::string>& devices() const { return devices_; }
  /// GPUs of the cluster that share a device; above 1 times are not those of a cluster.
  [[nodiscard]] int gpus_per_device() const { return gpus_per_device_; }
  /// Of CUDA cells: "active" when every worker is served by MPS, else what one of the others says.
  [[nodiscard]] const std::string& mps() const { return mps_; }
  /// GPUs of the cell whose workers have died, also in cells before.
  [[nodiscard]] const std::set<GpuId>& lost_gpus() const { return lost_gpus_; }
  /// Why devices that could be sampled are not; each reason once, empty when all are.
  [[nodiscard]] const std::set<std::string>& samples_missing() const { return samples_missing_; }
  /// Emulated time begins, on every rank; nothing is started before. Setting workers up takes
  /// seconds at times, which jobs would otherwise spend waiting for them.
  void begin_clock();
  /// Wall time since then, and how much of it the clock was held for workers that were behind.
  [[nodiscard]] Duration wall_since_begin() const { return wall_now() - wall_epoch_; }
  [[nodiscard]] Duration clock_held() const { return clock_.held(); }
  [[nodiscard]] Instant now() const override;
  void start(const Attempt& attempt) override;
  void stop(AttemptId attempt) override;
  void retune(AttemptId attempt, const scheduler::BatchPlan& batch) override;
  void resize(AttemptId from, const Attempt& to) override;
  [[nodiscard]] Instant next(Instant deadline, std::vector<TimedEvent>& happened) override;

  /// The next message of a kind from a worker, while nothing runs. TimeoutError naming `stage`,
  /// with `detail`, when it does not come within the stage timeout from `asked` on; throws as
  /// next() when a worker fails or the run is to stop.
  [[nodiscard]] Envelope await(MessageKind kind, WallInstant asked, std::string_view stage,
                               const std::string& detail);
  /// Has every sampled device sampled once more, and waits for that at most `patience`. Nothing may
  /// be running.
  void collect_samples(Duration patience);
  /// Ends every running attempt at its next step boundary, without checkpoints; false when some
  /// did not end within `patience`, or a worker failed, which is said.
  [[nodiscard]] bool wind_down(Duration patience);
  /// Ends the cell on the workers. Nothing may be running.
  void end_cell();

 private:
  struct Running {
    JobId job;
    scheduler::Allocation allocation;
    std::int64_t commands = 0;
    WallInstant last_heard{};
    double samples_kept = 0.0;  ///< where the job falls back to
    AttemptId before;           ///< that has gone on as this one
    std::vector<int> members;   ///< ranks of both
  };

  /// An attempt that lacks a worker, until the others have left it.
  struct Losing {
    std::string detail;
    std::set<int> awaited;  ///< ranks
    WallInstant asked{};
    std::int64_t next = -1;  ///< attempt that it may go on as
  };

  /// What a rank was told to run last.
  struct Membership {
    AttemptId attempt;
    AttemptId before;
    std::vector<int> ranks;  ///< of both
  };

  /// A gang that is about to go on as another one.
  struct Resizing {
    StartMessage next;
    Running running;           ///< from the boundary on
    std::vector<int> joining;  ///< ranks
    std::set<int> not_ready;   ///< of these
    WallInstant asked{};
    Duration patience{};  ///< with those that are not ready
  };

  void await_workers();
  [[nodiscard]] static Running running_of(const Attempt& attempt);
  void joiner_ready(AttemptId next, int rank);
  void resize_ended(const EndedMessage& message);
  void await_more(WallInstant asked, std::string_view stage, const std::string& detail,
                  Backoff& backoff);
  void take_early(const Envelope& envelope);
  void take_ready(const Envelope& envelope);
  /// True for a sample that collect_samples() asked for.
  bool take_sample(const Envelope& envelope);
  /// False when no worker has anything to report.
  bool receive(std::vector<TimedEvent>& happened);
  [[noreturn]] void nothing_left_to_happen() const;
  void is_alive(AttemptId attempt);
  [[nodiscard]] bool take_next(std::vector<TimedEvent>& happened);
  void append(EngineEvent event, std::vector<TimedEvent>& happened);
  [[nodiscard]] std::optional<EngineEvent> translate(const Envelope& envelope);
  [[nodiscard]] bool can_nothing_come_before(WallInstant at) const;
  [[nodiscard]] Instant clock_now() const { return cell_.emulated(clock_.now()); }
  void reached(std::int64_t at_ns);
  Instant reached(Instant deadline);
  [[nodiscard]] WallInstant begin_at() const;
  /// To its beginning; with other hosts it is one that they agree on.
  void reset_clock();
  void heard(int rank);
  void hold_clock_for(std::span<const scheduler::Slot> slots, WallInstant at);
  void nap(Instant deadline, Duration length);
  void let_clock_go_of_dead();
  template <class Command>
  void command(AttemptId attempt, Command message);
  void watch(WallInstant wall);
  void watch_joiners() const;
  /// A worker of this host that is gone, if any: the launcher watches those of other hosts.
  [[nodiscard]] std::optional<int> lost_worker() const;
  void check_processes() const;
  void remember_losses();
  void look_for_losses();
  [[nodiscard]] std::string died(int rank, const std::string& where) const;
  void lose(int rank, const std::string& what);
  void lose_gpu_of(int rank, const std::string& what);
  [[nodiscard]] GpuId gpu_of(int rank) const;
  [[nodiscard]] bool is_lost(const scheduler::Allocation& allocation) const;
  void abandon_with(int rank, const std::string& what);
  void abandon(AttemptId id, const std::string& what);
  void abandoned(AttemptId id, int rank);
  void end_abandoned();
  void end_unresponsive(WallInstant now);
  void forget_lost_gpus();
  void heard_from(const Envelope& envelope);
  void remember_members(AttemptId id, const Running& running);
  void all_have_joined(AttemptId id);
  /// Ends the run on request. Throws InterruptedError.
  void heed_stop_signal() const;
  /// For messages about what does not get on: "; stopped: rank 3 on ...", "" when none is.
  [[nodiscard]] std::string stopped_workers() const;

  const LiveWorld& world_;
  Mailbox& mailbox_;
  LiveCell cell_;
  mutable kernels::PaceClock clock_;  ///< remembers what it has said
  std::optional<HostClocks> hosts_;   ///< where there are several
  WallInstant wall_epoch_{};
  int index_ = 0;
  DeviceSink& sink_;
  std::vector<std::string> devices_;
  int gpus_per_device_ = 1;
  std::string mps_;
  std::vector<int> sampling_;  ///< ranks that sample a device
  std::set<std::string> samples_missing_;
  /// The last of each sampling rank before emulated time began: in earlier ones others set up.
  std::map<int, Envelope> early_samples_;
  EventOrder heard_;  ///< what workers have told, and has not been handed on
  std::map<AttemptId, Running> running_;
  std::map<AttemptId, Resizing> resizing_;  ///< by the attempts that end
  bool winding_down_ = false;
  bool survives_;
  kernels::Ledger ledger_;   ///< of rank 0's host
  kernels::LinkBook links_;  ///< likewise
  kernels::TurnBook turns_;  ///< likewise
  std::set<int> awaited_;    ///< ranks that are not ready for the cell
  std::set<GpuId> lost_gpus_;
  std::set<GpuId> to_forget_;  ///< of these, with what is booked in the ledger
  std::map<AttemptId, Losing> losing_;
  std::map<int, Membership> running_last_;  ///< by rank
  std::map<int, WallInstant> hosts_heard_;  ///< by number: names of several may be alike
  std::deque<TimedEvent> due_;              ///< to be told next
  /// A gang's last message carries its last windows and its end: two events.
  std::optional<scheduler::AttemptEnded> pending_end_;
  Instant last_event_{};
  WallInstant last_watch_{};
};

template <class Command>
void LiveEngine::command(AttemptId attempt, Command message) {
  const auto found = running_.find(attempt);
  if (found == running_.end()) return;
  message.attempt = attempt.value();
  message.number = ++found->second.commands;
  for (const auto& slot : found->second.allocation.slots) {
    mailbox_.send(rank_of(slot.lane), message);
  }
}

}  // namespace mimus::emulator
