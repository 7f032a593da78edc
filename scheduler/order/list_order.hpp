// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/containers/id_map.hpp"
#include "scheduler/order/order.hpp"

namespace mimus::scheduler {

/// The order of the lists that Tiresias' public simulator keeps, one for each queue
/// (SymbioticLab/Tiresias, simulator/run_sim.py, dlas_sim_jobs): who comes into a queue goes to the
/// end of its list; after every decision those that wait go behind those that run, both in the
/// order in which they stood. So a job that starts goes behind those that run, one that is stopped
/// goes before those that wait, and a waiting job can stop a running one of its own queue only at
/// the instant at which that one comes into the queue.
class ListOrder {
 public:
  /// Sets `major`, `minor` and `tie` of the rank of a job that came into `queue` at `entered`.
  void place(Rank& rank, const JobView& job, std::size_t queue, Instant entered, Instant now) const;
  /// True when a running job's place changes as soon as `now` is over.
  [[nodiscard]] static bool moves_after(const JobView& running, Instant entered, Instant now);
  void left(JobId job) { waiting_.erase(job); }

 private:
  /// A place in the list of a queue: those that run, then those that wait.
  struct Place {
    bool waits = false;
    Duration since{};          ///< negative counts backwards: the later before the earlier
    Duration before{};         ///< the same of its former place
    std::int64_t attempt = 0;  ///< decides between those that started at one instant
  };
  [[nodiscard]] static Place end_of_list(Instant entered);
  [[nodiscard]] static Place while_running(const JobView& job, Instant entered);
  [[nodiscard]] Place while_waiting(const JobView& job, Instant entered) const;
  [[nodiscard]] Place last_waiting(const JobView& job, Instant entered) const;

  /// Where jobs stand that wait, or stood before their present attempt: the jobs of one instant are
  /// decided on, in several decisions if need be, in the order that they had before it.
  mutable IdMap<JobId, Place> waiting_;
};

}  // namespace mimus::scheduler
