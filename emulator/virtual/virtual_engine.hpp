// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "emulator/failing_attempts.hpp"
#include "emulator/node_outages.hpp"
#include "emulator/virtual/attempt_slots.hpp"
#include "emulator/virtual/contention/contention.hpp"
#include "emulator/virtual/event_heap.hpp"
#include "emulator/virtual/gpu_memory.hpp"
#include "emulator/virtual/steps/spill_times.hpp"

namespace mimus::emulator {

/// Discrete events on a virtual clock of int64 nanoseconds. An attempt's rate changes only when its
/// batch, its co-tenants or the links it shares change, so a run costs O(log n) per event, whatever
/// the time between events. The same calls give the same events, byte for byte.
///
/// All events of one instant are returned together, in this order: attempts that end, by id; nodes
/// that go down; nodes that come up; first steps, by id; progress, by id. The progress of an
/// attempt beside a neighbour is reported just before that one begins or ends. Spans are half-open:
/// what ends at an instant is free for what begins at it.
class VirtualEngine final : public Engine {
 public:
  struct Settings {
    Duration report_every{};  ///< zero: only when an attempt ends or its neighbours change
    std::uint64_t seed = 0;   ///< of failures of nodes
  };
  /// All references must outlive the engine.
  VirtualEngine(const ClusterConfig& cluster, const EngineConfig& engine,
                const StepTimeModel& steps, const InterferenceModel& interference,
                Settings settings);

  [[nodiscard]] std::string name() const override { return "virtual"; }
  [[nodiscard]] Instant now() const override { return now_; }
  void start(const Attempt& attempt) override;
  void stop(AttemptId attempt) override;
  void retune(AttemptId attempt, const scheduler::BatchPlan& batch) override;
  void resize(AttemptId from, const Attempt& to) override;
  void limit(AttemptId attempt, const scheduler::DeviceLimits& limits) override;
  void read(AttemptId attempt, double samples_per_second) override;
  void save(AttemptId attempt) override;
  void suspend(AttemptId attempt, scheduler::SuspendedMemory keeps) override;
  void resume(AttemptId attempt) override;
  void report_last_steps(std::vector<TimedEvent>& happened) override;
  /// Throws Error (run failed) if no event is left and there is no deadline.
  [[nodiscard]] Instant next(Instant deadline, std::vector<TimedEvent>& happened) override;

  /// Progress of a running attempt, for oracles; see AttemptProgress::samples_done.
  [[nodiscard]] double samples_done(AttemptId attempt) const;

 private:
  using Slot = EventHeap::Slot;
  using Happened = std::vector<TimedEvent>;
  using Phase = VirtualAttempt::Phase;
  using EndReason = scheduler::EndReason;
  enum Kind : std::int64_t { kEnd, kStart, kProgress };

  void schedule_stretch(Slot slot);
  void command_given(Slot slot);
  void schedule(Slot slot, Instant at, Kind kind);
  void happen(Slot slot, Happened& happened);
  void first_step(Slot slot, Happened& happened);
  void train(Slot slot, Happened& happened);
  void begin_saving(Slot slot, Happened& happened);
  void saved(Slot slot, Happened& happened);
  void stop_suspended(Slot slot);
  void begin_suspension(Slot slot, Happened& happened);
  void suspended(Slot slot, Happened& happened);
  void keep(VirtualAttempt& running, scheduler::SuspendedMemory keeps);
  [[nodiscard]] Duration host_transfer(const VirtualAttempt& running);
  void out_of_memory(Slot slot, GpuId gpu, Happened& happened);
  void go_on(Slot slot, Happened& happened);
  void stretch_ended(Slot slot, Happened& happened);
  void retuned(Slot slot, Happened& happened);
  void begin_checkpoint(Slot slot, Happened& happened);
  void joined(Slot slot);
  void hand_over(Slot slot, Happened& happened);
  void go_on_as_next(Slot slot, Happened& happened);
  void forget(AttemptId joining);
  void end(Slot slot, scheduler::EndReason reason, std::string detail, double kept,
           Happened& happened);
  void tell(AttemptProgress progress, Happened& happened) const;
  void leave_contention(VirtualAttempt& running, Happened& happened);
  void tell_neighbours(const VirtualAttempt& running, Happened& happened);
  void update_changed(Happened& happened);
  [[nodiscard]] StepCost cost_of(const VirtualAttempt& running) const;
  [[nodiscard]] Duration solo_step(const Attempt& attempt) const;
  [[nodiscard]] Instant next_strike(Instant deadline) const;
  void strike(Happened& happened);
  void hit(NodeId node, EndReason reason, const std::string& detail, Happened& happened);
  void cut_off(const scheduler::AttemptEnded& end, Happened& happened);

  const ClusterConfig& cluster_;
  const TransitionCosts& costs_;
  const StepTimeModel& steps_;
  SpillTimes spills_;
  Settings settings_;
  Contention contention_;
  GpuMemory memory_;

  Instant now_{};
  EventHeap heap_;
  AttemptSlots attempts_;
  std::vector<AttemptId> changed_;  ///< by the last change of surroundings
  NodeOutages outages_;
  FailingAttempts failing_;
};

}  // namespace mimus::emulator
