// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/books/arrival_order.hpp"
#include "scheduler/books/pending_queue.hpp"
#include "scheduler/books/runner_place.hpp"
#include "scheduler/containers/id_map.hpp"
#include "scheduler/containers/id_pool.hpp"

namespace mimus::scheduler {

/// The attempt as which a running one will continue after it has ended as resized or moved.
struct PendingResize {
  AttemptId to;
  Allocation allocation;
  BatchPlan batch;
  MilliGpus added;  ///< part of the allocation that is new; already booked
};

/// All that the scheduler keeps about one job.
struct JobRecord {
  explicit JobRecord(JobView&& arriving) : view(std::move(arriving)) {}

  JobView view;
  int group = 0;                           ///< group in which admission counts it
  int group_if_guaranteed = 0;             ///< group in which admission would count it
  BatchPlan plan;                          ///< batch with which it will be placed
  std::optional<BatchPlan> planned_batch;  ///< by a planner, in place of the batch choice
  DeviceLimits planned_limits;             ///< by a planner
  Rank rank;                               ///< while it waits
  RequestClass* request = nullptr;         ///< while it waits and is not held back
  bool left = false;                       ///< the system
  bool held_back = false;                  ///< by recovery, while it waits
  Instant held_until{};                    ///< by recovery
  Instant reconsider_at = kNever;          ///< entry in the timers of waiting jobs, kNever for none
  Instant retune_from{};                   ///< next evaluation of its batch
  Instant filed_at{};                      ///< beginning of its present kind of wait
  WaitTimes filed_reading{};               ///< reading of its request's clock then
  std::size_t arrival_place = 0;           ///< in ArrivalOrder
  RunnerPlace running;                     ///< if it may be asked to yield, now or later
  MilliGpus giving_back;                   ///< GPUs that it gives back while it is being stopped
  std::optional<PendingResize> resize;
  std::optional<std::string> cancelled;  ///< by its user, and why; it has GPUs still

  /// Whether a plan may name the job: it has GPUs or could start.
  [[nodiscard]] bool is_plannable() const {
    return !left && (view.holds_gpus() || request != nullptr);
  }
  /// Its request to a placement while it waits.
  [[nodiscard]] PlacementRequest placement_request() const {
    PlacementRequest asked = request->key.request();
    asked.draw = draw_of(view);
    return asked;
  }
};

/// Jobs in the system and their attempts, by id. Memory is bounded by the largest number of jobs in
/// the system at one time.
class JobTable {
 public:
  /// InternalError when the job is in the system already.
  JobRecord& add(JobView&& view);
  /// Null when the job is not in the system.
  [[nodiscard]] JobRecord* find(JobId job) { return jobs_.find(job); }
  [[nodiscard]] const JobRecord* find(JobId job) const { return jobs_.find(job); }
  /// InternalError when the job is not in the system.
  [[nodiscard]] JobRecord& at(JobId job) { return jobs_.at(job); }
  [[nodiscard]] const JobRecord& at(JobId job) const { return jobs_.at(job); }
  /// The job that runs this attempt now; null when it has ended.
  [[nodiscard]] JobRecord* running(AttemptId attempt) const;
  /// All jobs that have not left, by id. Costs n log n.
  [[nodiscard]] std::vector<JobRecord*> all();
  /// The same by arrival.
  [[nodiscard]] const ArrivalOrder& by_arrival() const { return by_arrival_; }

  /// An unused attempt id.
  [[nodiscard]] AttemptId next_attempt() { return AttemptId{next_attempt_++}; }
  /// From now on this is the job's current attempt.
  void begin_attempt(JobRecord& job, AttemptId attempt);
  /// The job's current attempt is over.
  void end_attempt(JobRecord& job);

  /// The job has left the system. It can be looked up until forget_left.
  void leave(JobRecord& job);
  void forget_left();

 private:
  IdPool<JobId, JobRecord> jobs_;
  ArrivalOrder by_arrival_;
  std::vector<JobId> left_;
  IdMap<AttemptId, JobRecord*> attempts_;
  std::int64_t next_attempt_ = 0;
};

}  // namespace mimus::scheduler
