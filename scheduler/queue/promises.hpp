// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "scheduler/cluster/cluster.hpp"
#include "scheduler/order/order.hpp"

namespace mimus::scheduler {

/// GPUs and quota that are being cleared for a waiting job, kept from all jobs ranked after it.
/// Without them a smaller job could take what the first stopped attempt frees, and the stops would
/// be useless.
struct Promise {
  Rank rank;         ///< of the job they are promised to
  int group = 0;     ///< that admission counts the job in
  MilliGpus demand;  ///< so much of its group's quota
  std::vector<GpuId> gpus;
  bool operator==(const Promise&) const = default;
};

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

/// While it lives, withholds the promised GPUs step by step as a pass walks down the ranking.
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
  /// The job at `rank`, to which the walk has come, has started: its promise is kept.
  void fulfil(const Rank& rank);
  /// Those to jobs that have not started.
  [[nodiscard]] const std::vector<Promise>& unfulfilled() const { return promises_; }
  /// What jobs of its group are promised that rank before the one to which the walk has come.
  [[nodiscard]] MilliGpus promised_to(int group) const { return quota_.of(group); }

 private:
  Cluster& cluster_;
  std::vector<Promise> promises_;
  std::size_t kept_ = 0;  ///< promises withheld so far
  PromisedQuota quota_;   ///< of these
};

}  // namespace mimus::scheduler
