// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// A small pool of nodes on which a job first runs on a single GPU, so that an early failure does
/// not waste its whole gang. A job that has made steps for a while has passed, and continues in the
/// main queue from what it has trained. Other jobs of the same user and group then need no probe
/// for some days. Source: a guideline of the study of Philly (Jeon et al., ATC'19 §5), which gives
/// no algorithm.
class Probes {
 public:
  struct Settings {
    int nodes = 0;  ///< the first of the cluster, but never all; zero: no probes
    Duration limit = std::chrono::minutes(10);  ///< from the first step on
    Duration proven_for = std::chrono::hours(7 * 24);
  };
  explicit Probes(Settings settings) : settings_(settings) {}

  [[nodiscard]] bool is_on() const { return settings_.nodes > 0; }
  /// Learns which probes have passed.
  void follow(const PlanQuery& query);
  /// Usable GPUs outside the pool.
  [[nodiscard]] int gpus_outside(const PlanQuery& query) const;
  /// Withholds the pool's free GPUs from all later questions to the placer.
  void book_pool(const PlanQuery& query);
  void forget(JobId job) { stages_.erase(job); }

  /// Whether a waiting job is probed next. A job that has waited for a GPU of the pool for longer
  /// than a probe takes is not probed, nor is a job whose gang must not change or is a single GPU.
  [[nodiscard]] bool wants(const JobView& job, Instant now) const;
  /// A GPU of the pool; nothing if all are held.
  [[nodiscard]] std::optional<Allocation> place(const JobView& job);
  /// Whether the job is a probe that is over, so that it must be stopped.
  [[nodiscard]] bool is_over(const JobView& job) const;
  /// The instant at which the next probe is over, or a job stops waiting for one.
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
  std::vector<GpuId> free_;                                ///< GPUs of the pool, the last one first
  Instant next_ = kNever;
};

}  // namespace mimus::scheduler
