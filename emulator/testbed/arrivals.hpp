// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "workloads/jobs/job_stream.hpp"

namespace mimus::emulator {

/// The jobs of a workload in the order in which they arrive: as stated, when another one has left,
/// or because the workload has submitted them in answer to news.
class Arrivals {
 public:
  /// `at_once`: so many jobs are in the system, and the next one arrives when one leaves, whatever
  /// its stated arrival. `jobs` must outlive this object and not have been read from.
  Arrivals(workloads::JobStream& jobs, std::optional<int> at_once);

  /// When the next job arrives; kNever: none does, or none before another one leaves.
  [[nodiscard]] Instant next() const;
  /// Whether another job arrives even if none of those in the system leaves.
  [[nodiscard]] bool is_one_coming() const { return next() != kNever; }
  /// Whether all that are known have arrived.
  [[nodiscard]] bool is_empty() const { return !next_ && submitted_.empty(); }
  /// How many have arrived.
  [[nodiscard]] std::int64_t count() const { return arrived_; }

  /// Takes the job that arrives next. Call only if there is one. `at`: when it does.
  [[nodiscard]] workloads::Job take(Instant at);
  /// A job has left the system.
  void one_left(Instant at);
  /// These arrive then, not before any that were submitted earlier.
  void submit(std::vector<workloads::Job>&& jobs, Instant at);

 private:
  void pull(Instant now);
  [[nodiscard]] bool has_room() const { return arrived_ - left_ < *at_once_; }
  [[nodiscard]] Instant stated() const { return next_ ? next_->arrival : kNever; }

  workloads::JobStream& jobs_;
  std::optional<int> at_once_;
  std::optional<workloads::Job> next_;  ///< of the stream
  std::deque<workloads::Job> submitted_;
  std::int64_t arrived_ = 0;
  std::int64_t left_ = 0;
};

}  // namespace mimus::emulator
