// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scheduler/cluster/cluster.hpp"
#include "scheduler/jobs/request_mix.hpp"

namespace mimus::scheduler {

/// How much of a node's idle GPUs is of no use to the jobs that are likely to arrive (Weng et al.,
/// "Beware of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent",
/// ATC'23, §3). If a kind of job does not fit on the node, because of its GPU type, its cores or
/// its GPUs, all that is idle is a fragment. If it fits, the fragment is the rest of GPUs that have
/// too little for it. Jobs without GPUs can use none of it. The measure is the mean over kinds,
/// weighted by their frequency.
///
/// As in the authors' simulator (hkust-adsl/kubernetes-scheduler-simulator, pkg/utils/frag.go), the
/// kinds are the most frequent ones, taken until they are at least `popularity` of all jobs, ties
/// to the larger in cores, then share, then GPUs. Memory of nodes plays no role.
class Fragmentation {
 public:
  /// `popularity`: 0..1.
  Fragmentation(std::vector<RequestCount> mix, double popularity, const ClusterShape& shape);

  /// Of a node with these GPUs of type `type`, which have so much left [milli], and so many free
  /// cores: how much of it is fragmented [milli].
  [[nodiscard]] double of(int type, std::int64_t milli_cores, std::span<const int> left) const;
  [[nodiscard]] std::size_t kinds() const { return kinds_; }

 private:
  struct Kind {
    std::int64_t milli_cores;
    int gpus;
    GpuTypes types;
    double weight;
  };
  /// Kinds that ask for the same of a GPU.
  struct Level {
    int share;  ///< [milli]
    std::vector<Kind> kinds;
  };

  void add(const RequestCount& request, double weight, const ClusterShape& shape);

  std::vector<Level> levels_;
  double without_gpus_ = 0.0;  ///< weight of kinds that ask for none
  std::size_t kinds_ = 0;
};

}  // namespace mimus::scheduler
