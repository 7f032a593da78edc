// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/ids.hpp"
#include "base/time.hpp"

namespace mimus::emulator {

/// When jobs that make steps are to write a checkpoint: a fixed time after their first step or the
/// end of the last checkpoint. Time in which a job makes no steps counts, but it writes nothing in
/// it.
class CheckpointTimes {
 public:
  /// `every` > 0.
  explicit CheckpointTimes(Duration every) : every_(every) {}

  /// It makes steps from now on: the first ones, or after pauses().
  void trains(JobId job, Instant at);
  /// It is about to make none for a while, or to go on as another attempt.
  void pauses(JobId job);
  void saved(JobId job, Instant at);
  /// Its attempt has ended.
  void ended(JobId job);

  /// kNever if nothing is due.
  [[nodiscard]] Instant next() const { return due_.empty() ? kNever : due_.begin()->first; }
  /// A job that is to write a checkpoint by now, by time and then by id. Nothing is due for it
  /// until saved() or trains().
  [[nodiscard]] std::optional<JobId> take(Instant now);

 private:
  struct Course {
    Instant safe_at{};  ///< its last checkpoint, or its first step
    Instant due = kNever;
    bool trains = false;
  };
  void plan(JobId job, Course& course, Instant due);

  Duration every_;
  std::map<JobId, Course> courses_;
  std::set<std::pair<Instant, JobId>> due_;
};

}  // namespace mimus::emulator
