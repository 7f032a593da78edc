// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "scheduler/action.hpp"
#include "scheduler/admission/admission.hpp"
#include "scheduler/cache/cache.hpp"
#include "scheduler/cluster.hpp"
#include "scheduler/driver/allot.hpp"
#include "scheduler/driver/fit.hpp"
#include "scheduler/driver/groups.hpp"
#include "scheduler/driver/job_table.hpp"
#include "scheduler/driver/job_timers.hpp"
#include "scheduler/driver/pending_queue.hpp"
#include "scheduler/driver/promises.hpp"
#include "scheduler/driver/runners.hpp"
#include "scheduler/estimate/estimator.hpp"
#include "scheduler/policy.hpp"
#include "scheduler/power/power.hpp"
#include "scheduler/preemption/preemption.hpp"
#include "scheduler/recovery/recovery.hpp"
#include "scheduler/sizing/sizing.hpp"

namespace mimus::scheduler {

/// What the steps of a decision share.
struct State {
  State(ClusterShape shape, Policy row);

  Cluster cluster;
  Policy policy;
  bool preempts;          ///< running jobs may be stopped for waiting ones
  bool shares_gpus;       ///< so that memory decides what fits
  bool interchangeable;   ///< a gang fits when enough GPUs are idle and usable, wherever they are
  bool limits_admission;  ///< some jobs may have to wait for admission
  bool accounts_waits = false;
  Fit fit;
  JobTable jobs;
  Groups groups;
  PendingQueue pending;
  std::set<Rank> held_back;  ///< jobs that recovery holds back
  JobTimers timers{[](JobRecord& job) -> Instant& { return job.reconsider_at; }};  ///< of waiting
  Runners runners;
  std::vector<JobRecord*> stopping;  ///< by id
  std::vector<Promise> promises;     ///< by rank, best first
  AllotmentRound allotment;
  std::vector<NodeId> asleep;        ///< ascending
  std::uint64_t capacity_epoch = 1;  ///< counts up whenever more might fit than before
  std::uint64_t version = 1;         ///< counts decisions that may change a cause of waiting
  std::size_t unfinished = 0;
  Instant room_wake_up = kNever;  ///< next instant at which somebody might be stopped or, with a
                                  ///< sizing choice that allots, at which it is asked again
  /// Of the last decision, when it left nobody who could start or be cleared for and nobody who is
  /// being stopped: deciding again at this instant would decide nothing.
  Instant settled_at = Instant::min();

  /// What is in use for a job of the group, when `promised` GPUs are promised to better ranked ones
  /// of it: what they need beyond the GPUs that the group is giving back is as good as held.
  [[nodiscard]] Usage usage(int group, MilliGpus promised = {}) const;
  /// The same once all jobs that are being stopped have ended and the promises are kept.
  [[nodiscard]] Usage usage_after_stops(int group, MilliGpus promised) const;
  /// Memory each of the job's replicas may use on an allocation, whose own use counts as free.
  [[nodiscard]] Bytes spare_memory(JobId job, const Allocation& allocation) const;
  /// The question to the sizing choice; a null allocation stands for idle GPUs.
  [[nodiscard]] SizingQuery query(const JobRecord& job, const Allocation* allocation) const;
};

// The steps of a decision, in their order.

/// Puts a job into the queue at `now`, or holds it back until recovery lets it go.
void enqueue(State& state, JobRecord& job, Instant now);
/// Looks again at every waiting job whose timer is due.
void reconsider_due(State& state, Instant now);
/// Asks the power choice and withholds sleeping nodes. Returns its next wake-up.
Instant apply_power(State& state, Instant now);
/// What a walk through the waiting jobs came to.
struct StartPass {
  /// False when it ended at a job that may fit and would pass one that does not.
  bool complete = true;
  /// Promises that have kept GPUs from others without a start.
  std::vector<Promise> unfulfilled{};
};
/// Starts what fits, in the order of rank. Uses up the promises; make_room renews them.
[[nodiscard]] StartPass start_fitting(State& state, Instant now, bool ends_at_passing,
                                      Decision& decision);
/// Stops running jobs for blocked ones ranked before them. Returns the next instant at which
/// another one might be stopped.
Instant make_room(State& state, Instant now, Decision& decision);
using MakeRoom = Instant (*)(State& state, Instant now, Decision& decision);
/// Both. Room for a job comes before those that would pass it start, so that nobody is given what
/// the better ranked one needs beside it; and as long as a promise has kept GPUs from others for
/// nothing, because a job of better rank took a part of them, those are tried again. Returns what
/// the last make_room did.
[[nodiscard]] Instant start_and_make_room(State& state, Instant now, Decision& decision,
                                          MakeRoom make_room);
/// Turns the clocks of all requests to their present causes of waiting.
void account_waits(State& state, Instant now);
/// Sets the cause of waiting of one queued job.
void explain(const State& state, JobRecord& job);

// What the steps have in common.

/// Takes a waiting job out of the queue and charges its wait up to `now`.
void leave_queue(State& state, JobRecord& job, Instant now);
/// A waiting job's time by cause up to `now`.
[[nodiscard]] WaitTimes waited_until(const JobRecord& job, Instant now);
/// Starts a waiting job on an allocation of its present gang.
void start_attempt(State& state, JobRecord& job, Allocation allocation, Instant now,
                   Decision& decision);
/// Books a running job as one that is being stopped and gives so much back.
void mark_stopping(State& state, JobRecord& job, MilliGpus giving_back);
/// Asks a running job to stop.
void stop_attempt(State& state, JobRecord& job, std::string reason, Instant now,
                  Decision& decision);

}  // namespace mimus::scheduler
