// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// The jobs that admission counts together, and their GPUs.
struct VirtualCluster {
  int group = 0;
  std::optional<MilliGpus> quota;       ///< nothing: not limited
  MilliGpus used;                       ///< by guaranteed jobs that run or will start
  std::vector<const PlanJob*> waiting;  ///< by arrival
  std::vector<const PlanJob*> running;  ///< without those that are being stopped, by arrival

  [[nodiscard]] bool has_quota_for(MilliGpus demand) const {
    return !quota || used + demand <= *quota;
  }
  [[nodiscard]] bool is_below_quota() const { return !quota || used < *quota; }
  /// By how much it exceeds its quota; at most zero if it does not.
  [[nodiscard]] MilliGpus overshoot() const { return quota ? used - *quota : MilliGpus{}; }
};

/// All virtual clusters of a query, updated while a plan is made.
class VirtualClusters {
 public:
  /// `moves`: the job is being stopped to continue elsewhere, so that it counts as running.
  VirtualClusters(const PlanQuery& query, const std::function<bool(const JobView&)>& moves);

  /// Those furthest below their quota first, by used ÷ quota, then those that appeared first.
  [[nodiscard]] std::vector<VirtualCluster*> by_used_share();
  /// Those above their quota, the furthest one first.
  [[nodiscard]] std::vector<VirtualCluster*> above_quota();
  [[nodiscard]] std::vector<VirtualCluster>& all() { return clusters_; }

  /// GPUs that jobs hold or will get, including opportunistic jobs.
  [[nodiscard]] MilliGpus busy() const { return busy_; }
  /// GPUs of guaranteed jobs only, which admission counts.
  [[nodiscard]] MilliGpus counted() const { return counted_; }
  void add(VirtualCluster& to, const JobView& job, MilliGpus gpus);
  void remove(VirtualCluster& from, const JobView& job, MilliGpus gpus);

 private:
  std::vector<VirtualCluster> clusters_;
  MilliGpus busy_, counted_;
};

}  // namespace mimus::scheduler
