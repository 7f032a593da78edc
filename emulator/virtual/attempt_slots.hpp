// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "emulator/virtual/event_heap.hpp"
#include "emulator/virtual/virtual_training.hpp"
#include "scheduler/containers/id_map.hpp"

namespace mimus::emulator {

/// An attempt between its start, or the beginning of its members' joining, and its end.
struct VirtualAttempt {
  /// `joining`: new members prepare, and then the previous attempt has to reach a step boundary.
  /// `saving`: it writes a checkpoint between two steps.
  /// `emptying`: it gives back memory before it is suspended. `moving`: its state goes to the lead
  /// of the next attempt.
  enum class Phase {
    joining,
    starting,
    stepping,
    saving,
    emptying,
    suspended,
    resuming,
    checkpointing,
    moving
  };
  [[nodiscard]] bool is_leaving() const {
    return phase == Phase::checkpointing || phase == Phase::moving;
  }
  /// Makes steps, or will again after a checkpoint.
  [[nodiscard]] bool trains() const { return phase == Phase::stepping || phase == Phase::saving; }
  static constexpr double kReadsAtOnce = std::numeric_limits<double>::infinity();
  Attempt attempt;
  Phase phase = Phase::starting;
  std::optional<VirtualTraining> training;
  std::optional<scheduler::DeviceLimits> asked_limits;  ///< from the next step boundary on
  double read_rate = kReadsAtOnce;                      ///< of the gang [samples/s]
  double asked_read_rate = kReadsAtOnce;                ///< from the next step boundary on
  scheduler::SuspendedMemory asked_keeps = scheduler::SuspendedMemory::all;  ///< likewise
  scheduler::SuspendedMemory keeps = scheduler::SuspendedMemory::all;        ///< at present
  bool stop_asked = false;  ///< before the first step, or before it makes steps again
  AttemptId before;         ///< while it is joining: the attempt that it will continue
  AttemptId next;           ///< the attempt that will continue it, else none
};

/// The attempts of a virtual run by id and by slot: a small number for the event heap, which is
/// reused. References to an attempt are valid until it is erased.
class AttemptSlots {
 public:
  using Slot = EventHeap::Slot;

  Slot place(const Attempt& attempt, VirtualAttempt::Phase phase);
  void erase(Slot slot);
  [[nodiscard]] VirtualAttempt& operator[](Slot slot) { return slots_[slot]; }
  /// The slot of an existing attempt.
  [[nodiscard]] Slot slot_of(AttemptId attempt) const { return slot_of_.at(attempt); }
  [[nodiscard]] const VirtualAttempt& at(AttemptId attempt) const {
    return slots_[slot_of(attempt)];
  }
  /// Null if there is no such attempt.
  [[nodiscard]] VirtualAttempt* find(AttemptId attempt);
  /// Those for which it holds, ascending.
  [[nodiscard]] std::vector<AttemptId> all_that(
      const std::function<bool(const VirtualAttempt&)>& are) const;
  /// Attempts with a replica on the node, ascending.
  [[nodiscard]] std::vector<AttemptId> on_node(NodeId node,
                                               const scheduler::ClusterShape& shape) const;

 private:
  std::deque<VirtualAttempt> slots_;
  std::vector<Slot> free_;
  scheduler::IdMap<AttemptId, Slot> slot_of_;
};

}  // namespace mimus::emulator
