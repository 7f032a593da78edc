// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "scheduler/jobs/epoch_profile.hpp"
#include "workloads/jobs/job.hpp"

namespace mimus::emulator {

/// A job's iterations in the simulators of Gavel and Shockwave. The code of a job that changes its
/// batch chooses another one when a lease is over, and takes it when the next lease is. All
/// iterations are then counted again, and the epoch in progress counts as made.
class LeasedTraining {
 public:
  /// `job` must state rates.
  explicit LeasedTraining(const workloads::Job& job);

  /// Iterations/s with its present batch, where the job states `rate`.
  [[nodiscard]] double rate_at(double rate) const;
  [[nodiscard]] double left() const { return total_ - done_; }
  [[nodiscard]] bool is_complete() const { return is_complete_; }
  /// Recorded run time that it has completed [s].
  [[nodiscard]] double run_time_done() const;
  /// A lease has ended with this number of iterations in this number of seconds. A change of the
  /// batch may leave none: the simulator counts a job as complete only after five such leases.
  void end_lease(double iterations, double seconds);
  [[nodiscard]] scheduler::EpochReport report() const;

 private:
  using Mode = workloads::BatchCourse::Mode;
  static constexpr int kMostFailures = 5;
  [[nodiscard]] const Mode& mode() const { return course_->modes[mode_]; }
  [[nodiscard]] double iterations_of_epoch() const {
    return static_cast<double>(mode().iterations);
  }
  void change_batch();
  void look();

  std::shared_ptr<const workloads::BatchCourse> course_;  ///< null: its batch stays
  double first_rate_;                                     ///< that the job states [iterations/s]
  double run_time_;                                       ///< recorded [s]
  double total_;                                          ///< iterations
  double done_ = 0.0;
  bool is_complete_ = false;
  std::size_t mode_ = 0;
  std::size_t next_mode_ = 0;
  int failures_ = 0;      ///< leases without an iteration, one after the other
  double samples_ = 0.0;  ///< of the last lease
  double trained_ = 0.0;  ///< likewise [s]
};

}  // namespace mimus::emulator
