// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "scheduler/cluster/cluster.hpp"
#include "scheduler/estimate/throughput_estimate.hpp"
#include "scheduler/jobs/job_view.hpp"
#include "scheduler/placement/alternatives/alternative.hpp"

namespace mimus::scheduler {

/// The alternatives of jobs on the GPU types of one cluster: of which list they are, and how far
/// they have come in it. Alternatives without a type that a job may use and that is large enough
/// for its gang are passed over.
class JobAlternatives {
 public:
  /// `throughput` says how fast models are on each type; null: only what jobs state is known.
  JobAlternatives(AlternativeLists lists, const ClusterShape& shape,
                  std::shared_ptr<const ThroughputEstimate> throughput);

  /// How many alternatives a waiting job has come to, and until when.
  struct Progress {
    int level = 0;  ///< see tried_at
    bool is_last = false;
    Instant until = kNever;
  };
  [[nodiscard]] Progress progress(const JobView& waiting, Instant now) const;
  /// What it tries at a level, the first one first. At level 0 there are none.
  struct Tried {
    std::span<const Alternative> alternatives;
    bool is_last = false;  ///< and then types that none of them names
  };
  [[nodiscard]] Tried tried_at(int level) const;

  /// Of those types the ones that this alternative names and that are large enough for the gang.
  [[nodiscard]] GpuTypes types_of(const Alternative& alternative, int gang, GpuTypes types) const;
  /// Of the cluster's types those with these names; of no names all.
  [[nodiscard]] GpuTypes types_named(const std::vector<std::string>& names) const;
  [[nodiscard]] bool relaxes_types() const {
    return lists_.types == AlternativeLists::Types::relaxed;
  }

 private:
  [[nodiscard]] bool needs_high_end(const JobView& job) const;
  /// The first types of `low` that the job may use.
  [[nodiscard]] GpuTypes low_end(const JobView& job) const;
  [[nodiscard]] bool is_faster_there(const JobView& job, GpuTypes low) const;
  /// The most iterations/s of its gang on any of these types; 0 where nothing is believed.
  [[nodiscard]] double speed(const JobView& job, GpuTypes types) const;
  [[nodiscard]] double speed_on(const JobView& job, int type) const;

  AlternativeLists lists_;
  ClusterShape shape_;
  std::shared_ptr<const ThroughputEstimate> throughput_;
  std::vector<int> largest_island_;       ///< by type [GPUs]
  std::vector<std::vector<GpuId>> gpus_;  ///< by type
  GpuTypes high_end_ = 0;                 ///< of the first alternative of `high`
  /// By model, gang, batch, and types of either kind that it may use.
  mutable std::map<std::tuple<std::string, int, std::int64_t, GpuTypes, GpuTypes>, bool> known_;
};

}  // namespace mimus::scheduler
