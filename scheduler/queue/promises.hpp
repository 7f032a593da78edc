// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "scheduler/cluster/cluster.hpp"
#include "scheduler/order/order.hpp"

namespace mimus::scheduler {

/// GPUs and quota that are being cleared for a waiting job, withheld from all jobs ranked after it.
/// Otherwise a smaller job could take what the first stopped attempt frees, and the stops would be
/// useless.
struct Promise {
  Rank rank;         ///< rank of the job
  int group = 0;     ///< group in which admission counts the job
  MilliGpus demand;  ///< promised part of its group's quota
  std::vector<GpuId> gpus;
  Allocation place;  ///< where the job is to go, also on GPUs that need not be withheld

  /// True if both withhold the same for the same job.
  bool operator==(const Promise& other) const {
    return rank == other.rank && group == other.group && demand == other.demand &&
           gpus == other.gpus;
  }
};

/// The place that was promised to the job of this rank; null without one. `promises`: by rank, best
/// first. A promise that is renewed keeps its place. Another place, if it suits a better ranked job
/// as well, may be the only one for a worse ranked job, for which more jobs would be stopped.
[[nodiscard]] const Allocation* promised_place(const std::vector<Promise>& promises,
                                               const Rank& rank);

/// GPUs promised to jobs of each group.
class PromisedQuota {
 public:
  void add(const Promise& promise) { gpus_[promise.group] += promise.demand; }
  [[nodiscard]] MilliGpus of(int group) const {
    const auto found = gpus_.find(group);
    return found == gpus_.end() ? MilliGpus{} : found->second;
  }

 private:
  std::map<int, MilliGpus> gpus_;
};

/// Withholds the promised GPUs step by step, as a pass walks down the ranking.
class PromiseKeeper {
 public:
  /// `promises`: by rank, best first.
  PromiseKeeper(Cluster& cluster, std::vector<Promise> promises)
      : cluster_(cluster), promises_(std::move(promises)) {}
  PromiseKeeper(const PromiseKeeper&) = delete;
  PromiseKeeper& operator=(const PromiseKeeper&) = delete;
  ~PromiseKeeper();

  /// Withholds what is promised to jobs ranked before `rank`.
  void advance_to(const Rank& rank);
  /// The job at `rank`, which the walk has reached, has started: its promise is kept.
  void fulfil(const Rank& rank);
  /// Promises to jobs that have not started.
  [[nodiscard]] const std::vector<Promise>& unfulfilled() const { return promises_; }
  /// Quota that is promised to jobs of its group ranked before the one that the walk has reached.
  [[nodiscard]] MilliGpus promised_to(int group) const { return quota_.of(group); }

 private:
  Cluster& cluster_;
  std::vector<Promise> promises_;
  std::size_t kept_ = 0;  ///< promises withheld so far
  PromisedQuota quota_;   ///< of these
};

}  // namespace mimus::scheduler
