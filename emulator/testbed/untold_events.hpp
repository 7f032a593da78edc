// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "emulator/record/run_log.hpp"
#include "scheduler/scheduler.hpp"

namespace mimus::emulator {

/// Events that the scheduler has not been told of. If decisions are made in rounds, events wait for
/// the end of their round, except those that cannot wait. The log charges the waits of jobs for it
/// to the round. Times are emulated.
class UntoldEvents {
 public:
  /// `round`: rounds end at its multiples; zero: no rounds. `log` must outlive this object.
  UntoldEvents(Duration round, RunLog& log) : round_(round), log_(log) {}

  [[nodiscard]] bool has_rounds() const { return round_ > Duration::zero(); }
  /// The end of the round that contains the instant.
  [[nodiscard]] Instant round_end(Instant at) const;
  /// The instant of the next decision, if others are due at `due`. Held events wait at most until
  /// the end of the round of `last`, the instant of the latest event; the wall clock may have
  /// passed it already.
  [[nodiscard]] Instant deadline(Instant due, Instant last) const;

  /// With rounds, only `urgent` events are passed on at once: the ends of attempts that a decision
  /// has stopped.
  void hear(scheduler::Event event, bool urgent = false);
  /// An event of a node or a GPU. A decision within the round must not use one that went down in
  /// it.
  void hear_of_node(scheduler::Event event);
  /// Returns the place for an arrival.
  [[nodiscard]] scheduler::JobArrived& arrive();
  /// The job has been waiting again since `at`.
  void failed(JobId job, Instant at) { failed_.emplace_back(job, at); }

  /// Passes on the start of the attempt, if it is held: an urgent event of it follows.
  void tell_start_of(AttemptId attempt);
  /// Within a round: passes on all events except arrivals, if any is passed on and a node has
  /// changed.
  void go_on(Instant now);
  /// Passes on all events except arrivals, or the arrivals of the round.
  void tell_held(Instant now);
  void tell_arrived(Instant now);
  /// Charges waits to the round, for jobs that the scheduler does not know to be waiting.
  void charge(Instant now);

  /// The events of the next decision.
  [[nodiscard]] std::vector<scheduler::Event>& due() { return due_; }
  [[nodiscard]] bool is_any_due() const { return !due_.empty(); }
  /// Whether none of the events requires a decision.
  [[nodiscard]] bool is_routine() const;

 private:
  void charge_failed(Instant now);
  void charge_arrived(Instant now);

  Duration round_;
  RunLog& log_;
  std::vector<scheduler::Event> due_;
  std::vector<scheduler::Event> held_;  ///< until the round ends
  std::vector<scheduler::Event> arrived_;
  std::vector<std::pair<JobId, Instant>> failed_;  ///< in this round; since when they wait again
  bool node_changed_ = false;                      ///< held_ contains an event of a node
};

}  // namespace mimus::emulator
