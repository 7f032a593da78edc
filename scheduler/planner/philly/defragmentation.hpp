// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "scheduler/planner/philly/virtual_clusters.hpp"

namespace mimus::scheduler {

/// Moves running jobs so that a gang finds one node with enough GPUs. Of all nodes that can be
/// cleared for it, the one whose jobs to move have the fewest GPUs is cleared, unless they have
/// more than the gang. Source: a guideline of the study of Philly (Jeon et al., ATC'19 §5), which
/// gives no algorithm.
class Defragmentation {
 public:
  struct Settings {
    Duration interval{};                       ///< minimum time between two; zero: never
    int most_moves = 4;                        ///< maximum number of jobs that one moves
    Duration rest = std::chrono::minutes(30);  ///< time for which a moved job is not moved again
  };
  explicit Defragmentation(Settings settings) : settings_(settings) {}

  [[nodiscard]] bool is_on() const { return settings_.interval > Duration::zero(); }
  /// Learns which jobs have moved or stopped.
  void follow(const PlanQuery& query);
  void forget(JobId job);
  [[nodiscard]] bool moves(JobId job) const { return moving_.contains(job); }
  /// GPUs that a running job has or is moving to.
  [[nodiscard]] Target target_of(const JobView& job) const;

  /// A place for a job that finds none, free once the jobs that hold it have moved; their new
  /// places are booked. Nothing if no node can be cleared, or jobs were moved just before. The job
  /// must fit into one node.
  [[nodiscard]] std::optional<Allocation> make_room(const PlanQuery& query,
                                                    VirtualClusters& clusters, const PlanJob& job);

 private:
  /// Jobs that move away from a node.
  struct Clearance {
    std::vector<const PlanJob*> jobs;  ///< the largest gang first
    int gpus = 0;                      ///< of all of them
    std::vector<NodeId> nodes;         ///< destination of each job
  };

  [[nodiscard]] std::vector<std::vector<const PlanJob*>> movable(const PlanQuery& query,
                                                                 VirtualClusters& clusters) const;
  [[nodiscard]] bool may_move(const PlanQuery& query, const VirtualClusters& clusters,
                              const VirtualCluster& cluster, const JobView& job) const;
  [[nodiscard]] std::optional<Clearance> clearance_of(const NodeIndex& free, NodeId node,
                                                      std::vector<const PlanJob*> jobs,
                                                      int gang) const;
  void move(const PlanQuery& query, const Clearance& clearance);

  Settings settings_;
  Instant next_at_{};
  std::unordered_map<JobId, Allocation> moving_;
  std::unordered_map<JobId, Instant> moved_at_;
};

}  // namespace mimus::scheduler
