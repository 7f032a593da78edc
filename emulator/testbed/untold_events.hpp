// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "emulator/record/run_log.hpp"
#include "scheduler/scheduler.hpp"

namespace mimus::emulator {

/// What has happened and the scheduler has not been told of. Where decisions are taken in rounds
/// that waits for the end of its round, but for what cannot wait; waits of jobs for it are charged
/// to the round in the log. Times are emulated.
class UntoldEvents {
 public:
  /// `round`: rounds end at its multiples; zero for none. `log` must outlive it.
  UntoldEvents(Duration round, RunLog& log) : round_(round), log_(log) {}

  [[nodiscard]] bool has_rounds() const { return round_ > Duration::zero(); }
  /// The end of the round of that instant.
  [[nodiscard]] Instant round_end(Instant at) const;
  /// When the next decision is due that is not due before `due`. What is untold since `last`, or
  /// before, waits for the end of the round of that instant: the wall clock may have passed it
  /// meanwhile.
  [[nodiscard]] Instant deadline(Instant due, Instant last) const;

  /// With rounds, only what is `urgent` is told at once: the ends of attempts that a decision has
  /// stopped.
  void hear(scheduler::Event event, bool urgent = false);
  /// An event of a node or a GPU: a decision in the round must not use one that went down in it.
  void hear_of_node(scheduler::Event event);
  /// A place for an arrival.
  [[nodiscard]] scheduler::JobArrived& arrive();
  /// The job waits again since `at`.
  void failed(JobId job, Instant at) { failed_.emplace_back(job, at); }

  /// In the round: lets all but arrivals be told if something is told and a node has changed.
  void go_on(Instant now);
  /// Lets the scheduler be told all but arrivals, or the arrivals of the round.
  void tell_held(Instant now);
  void tell_arrived(Instant now);
  /// Charges to the round the waits of jobs that the scheduler does not know to be waiting.
  void charge(Instant now);

  /// For the next decision.
  [[nodiscard]] std::vector<scheduler::Event>& due() { return due_; }
  [[nodiscard]] bool is_any_due() const { return !due_.empty(); }
  /// Whether none of them calls for a decision by itself.
  [[nodiscard]] bool is_routine() const;

 private:
  void charge_failed(Instant now);
  void charge_arrived(Instant now);

  Duration round_;
  RunLog& log_;
  std::vector<scheduler::Event> due_;
  std::vector<scheduler::Event> held_;  ///< until the round ends
  std::vector<scheduler::Event> arrived_;
  std::vector<std::pair<JobId, Instant>> failed_;  ///< in the round: since when they wait again
  bool node_changed_ = false;                      ///< held_ tells of a node
};

}  // namespace mimus::emulator
