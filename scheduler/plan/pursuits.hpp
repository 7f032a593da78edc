// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "scheduler/books/books.hpp"
#include "scheduler/containers/id_map.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// A job that does not yet have what a plan gives it.
struct Pursuit {
  JobId job;
  std::optional<Target> target;     ///< nothing: it leaves its GPUs
  std::optional<Allocation> place;  ///< place where it starts or grows; nothing: not found yet
  bool done = false;                ///< nothing more to do for it until the next plan
};

/// Carries a plan out: jobs leave GPUs or are suspended on them, and others start, resume and grow
/// in the plan's order, each as soon as the jobs on its own GPUs have left or are suspended. Stops,
/// resizes and suspensions that are in progress when a plan arrives end first.
class Pursuits {
 public:
  explicit Pursuits(Books& books) : books_(books) {}

  /// Replaces those of the previous plan.
  void set(std::vector<Pursuit> pursuits) { pursuits_ = std::move(pursuits); }
  [[nodiscard]] bool empty() const { return pursuits_.empty(); }
  void advance(Instant now, Decision& decision);

 private:
  enum class Readiness;
  [[nodiscard]] bool has_memory_beside(const GpuState& gpu, const JobRecord& job) const;
  [[nodiscard]] Readiness readiness_of(JobId job, const Allocation& place, std::size_t first) const;
  [[nodiscard]] bool meets_another_move(const Pursuit& pursuit) const;
  [[nodiscard]] bool gives_memory_back(JobRecord& job, const DeviceLimits& limits,
                                       Decision& decision);
  [[nodiscard]] bool has_room_for(const JobView& job, Bytes more) const;
  [[nodiscard]] bool has_room_to_resume(const JobView& job) const;
  [[nodiscard]] bool is_to_yield(const JobView& job) const;
  [[nodiscard]] bool is_to_be_limited(JobId job) const;
  // Each returns true when it is done with.
  bool leave(const Pursuit& pursuit, Instant now, Decision& decision);
  bool leave_as_planned(const Target& target, JobRecord& job, Decision& decision);
  bool resume(JobRecord& job, Decision& decision) const;
  bool enter(Pursuit& pursuit, Instant now, Decision& decision);
  bool grow(Pursuit& pursuit, JobRecord& job, Instant now, Decision& decision);
  bool move(const Pursuit& pursuit, JobRecord& job, Instant now, Decision& decision);
  bool start(Pursuit& pursuit, JobRecord& job, Instant now, Decision& decision);
  [[nodiscard]] std::optional<Allocation> another_place(const Pursuit& pursuit, JobRecord& job,
                                                        Instant now);

  Books& books_;
  std::vector<Pursuit> pursuits_;
  IdMap<JobId, bool> yielding_;  ///< jobs that have yet to be suspended or stopped
  IdMap<JobId, bool> moving_;    ///< jobs that have yet to be moved
};

}  // namespace mimus::scheduler
