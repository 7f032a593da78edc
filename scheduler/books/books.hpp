// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "scheduler/admission/admission.hpp"
#include "scheduler/batch/batching.hpp"
#include "scheduler/books/decider.hpp"
#include "scheduler/books/fit.hpp"
#include "scheduler/books/groups.hpp"
#include "scheduler/books/job_table.hpp"
#include "scheduler/books/job_timers.hpp"
#include "scheduler/books/pending_queue.hpp"
#include "scheduler/cache/cache.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/estimate/estimator.hpp"
#include "scheduler/jobs/action.hpp"
#include "scheduler/policy/policy.hpp"
#include "scheduler/power/power.hpp"
#include "scheduler/recovery/recovery.hpp"

namespace mimus::scheduler {

/// The scheduler's state, which both ways to decide share: the places of jobs, the waiting jobs and
/// what they wait for.
struct Books {
  Books(ClusterShape shape, Policy row);

  Cluster cluster;
  Policy policy;
  bool shares_gpus;       ///< memory then decides what fits
  bool interchangeable;   ///< a gang fits if enough GPUs are idle and usable, wherever they are
  bool limits_admission;  ///< some jobs may have to wait for admission
  bool books_hosts;       ///< cores and memory of nodes limit what fits
  bool accounts_waits = false;
  Fit fit;
  JobKinds kinds;
  JobTable jobs;
  Groups groups;
  PendingQueue pending;
  std::set<Rank> held_back;  ///< jobs that recovery holds back
  JobTimers timers{[](JobRecord& job) -> Instant& { return job.reconsider_at; }};  ///< of waiting
  std::vector<JobRecord*> stopping;                                                ///< by id
  Quarantine quarantine;
  std::vector<NodeId> asleep, booting;  ///< ascending
  std::vector<NodeId> leaving;          ///< likewise; on, but nothing new is placed there
  std::vector<KeptData> kept_data;      ///< by the cache choice
  std::uint64_t capacity_epoch = 1;     ///< counts up whenever more might fit than before
  std::uint64_t version = 1;            ///< counts decisions that may change a cause of waiting
  std::size_t unfinished = 0;
  std::unique_ptr<Decider> decider;

  /// GPUs in use from the point of view of a job of the group, if `promised` GPUs are promised to
  /// better ranked jobs of the group. What these need beyond the GPUs that the group is giving back
  /// counts as held.
  [[nodiscard]] Usage usage(int group, MilliGpus promised = {}) const;
  /// The same after all jobs that are being stopped have ended and the promises are kept.
  [[nodiscard]] Usage usage_after_stops(int group, MilliGpus promised) const;
  /// Memory that each of the job's replicas may use on an allocation; memory that the job itself
  /// uses there counts as free.
  [[nodiscard]] Bytes spare_memory(JobId job, const Allocation& allocation) const;
  /// The batch of the job's next attempt, from the plan or the batch choice. A null allocation
  /// means idle GPUs.
  [[nodiscard]] BatchPlan batch_of(const JobRecord& job, const Allocation* allocation) const;
  /// The query to the batch choice.
  [[nodiscard]] BatchQuery query(const JobRecord& job, const Allocation* allocation) const;
};

/// Puts a job into the queue at `now`, or holds it back until recovery releases it.
void enqueue(Books& books, JobRecord& job, Instant now);
/// Recomputes the ranks of all jobs, after the order has learned.
void rank_anew(Books& books, Instant now);
/// Lets the order arrange the waiting jobs, if it ranks them together.
void arrange_queue(Books& books, Instant now);
/// Reconsiders every waiting job whose timer is due.
void reconsider_due(Books& books, Instant now);
/// Takes a waiting job out of the queue and charges its wait up to `now`.
void leave_queue(Books& books, JobRecord& job, Instant now);
/// A waiting job's time by cause up to `now`.
[[nodiscard]] WaitTimes waited_until(const JobRecord& job, Instant now);

/// Asks the power choice and withholds nodes that sleep, boot or are to be left.
void apply_power(Books& books, Instant now, Decision& decision);
/// Tells the power choice the result of the decision. Returns its next wake-up.
[[nodiscard]] Instant observe_power(Books& books, Instant now);

/// Withholds nodes on which attempts have failed too often. Must be called before the GPUs of the
/// failed attempt are free.
void note_failure(Books& books, const JobRecord& job, const AttemptEnded& end, Instant now,
                  Decision& decision);
/// Offers nodes again whose quarantine is over.
void end_quarantines(Books& books, Instant now, Decision& decision);
/// Asks the cache choice. Returns its next wake-up.
[[nodiscard]] Instant apply_cache(Books& books, Instant now, Decision& decision);

/// Sets the clocks of all requests to their current causes of waiting.
void account_waits(Books& books, Instant now);
/// Sets the cause of waiting of one queued job.
void explain(const Books& books, JobRecord& job);

}  // namespace mimus::scheduler
