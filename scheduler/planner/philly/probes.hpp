// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// A small pool of nodes on which a job runs on a single GPU first, so that one that fails early
/// does so there, and not on its whole gang. A job that has made steps for a while has passed and
/// goes on in the main queue with what it has trained; other jobs of its user's group then need no
/// probe for some days.
/// Source: a guideline of the study of Philly (Jeon et al., ATC'19 §5), which gives no algorithm.
class Probes {
 public:
  struct Settings {
    int nodes = 0;  ///< the first ones of the cluster, but never all; zero: no job is probed
    Duration limit = std::chrono::minutes(10);  ///< from the first step on
    Duration proven_for = std::chrono::hours(7 * 24);
  };
  explicit Probes(Settings settings) : settings_(settings) {}

  [[nodiscard]] bool is_on() const { return settings_.nodes > 0; }
  /// Takes in which probes have passed.
  void follow(const PlanQuery& query);
  /// GPUs that can be used and are not the pool's.
  [[nodiscard]] int gpus_outside(const PlanQuery& query) const;
  /// Keeps the pool's free GPUs from all later questions to the placer.
  void book_pool(const PlanQuery& query);
  void forget(JobId job) { stages_.erase(job); }

  /// Whether a waiting job is to be probed next. One that has waited for a GPU of the pool for
  /// longer than a probe takes is not, nor one whose gang may not be changed or is a single GPU.
  [[nodiscard]] bool wants(const JobView& job, Instant now) const;
  /// A GPU of the pool; nothing when all are held.
  [[nodiscard]] std::optional<Allocation> place(const JobView& job);
  /// Whether a job runs as a probe that is over, and is to be stopped.
  [[nodiscard]] bool is_over(const JobView& job) const;
  /// When the next probe is over, or a job gives up waiting for one.
  [[nodiscard]] Instant next() const { return next_; }

 private:
  enum class Stage { probed, over, passed };

  void follow(const JobView& job, Instant now);
  /// GPUs of the pool: the first ones of the cluster.
  [[nodiscard]] int pool_gpus(const ClusterShape& shape) const;
  [[nodiscard]] bool is_proven(const JobView& job, Instant now) const;

  Settings settings_;
  std::unordered_map<JobId, Stage> stages_;
  std::unordered_map<std::string, Instant> proven_until_;  ///< by user and group
  std::vector<GpuId> free_;                                ///< of the pool, the last one first
  Instant next_ = kNever;
};

}  // namespace mimus::scheduler
