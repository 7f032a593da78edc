// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/containers/id_map.hpp"
#include "scheduler/order/order.hpp"

namespace mimus::scheduler {

/// The order of the lists that Tiresias' public simulator keeps, one for each queue
/// (SymbioticLab/Tiresias, simulator/run_sim.py, dlas_sim_jobs). A job that enters a queue goes to
/// the end of its list. After every decision, waiting jobs go behind running ones, both in their
/// previous order. So a job that starts goes behind the running ones, a job that is stopped goes
/// before the waiting ones, and a waiting job can stop a running one of its own queue only at the
/// instant at which that one enters the queue.
class ListOrder {
 public:
  /// Sets `major`, `minor` and `tie` of the rank of a job that came into `queue` at `entered`.
  void place(Rank& rank, const JobView& job, std::size_t queue, Instant entered, Instant now) const;
  /// True when a running job's place changes as soon as `now` is over.
  [[nodiscard]] static bool moves_after(const JobView& running, Instant entered, Instant now);
  void left(JobId job) { waiting_.erase(job); }

 private:
  /// A place in the list of a queue: running jobs, then waiting jobs.
  struct Place {
    bool waits = false;
    Duration since{};          ///< negative: the later comes before the earlier
    Duration before{};         ///< the same for its previous place
    std::int64_t attempt = 0;  ///< decides between jobs that started at one instant
  };
  [[nodiscard]] static Place end_of_list(Instant entered);
  [[nodiscard]] static Place while_running(const JobView& job, Instant entered);
  [[nodiscard]] Place while_waiting(const JobView& job, Instant entered) const;
  [[nodiscard]] Place last_waiting(const JobView& job, Instant entered) const;

  /// The places of waiting jobs, or the places of running jobs before their current attempt. The
  /// jobs of one instant are decided on, in several decisions if necessary, in the order that they
  /// had before it.
  mutable IdMap<JobId, Place> waiting_;
};

}  // namespace mimus::scheduler
